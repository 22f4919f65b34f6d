// Breadth-first search: two kernels for each level of the graph.
struct BNode {
  int start, n;
};
extern "C" __global__ void k_bfs1(const BNode* nodes, const int* edges, bool* mask, bool* upd,
                                  const bool* visited, int* cost, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n && mask[t]) {
    mask[t] = false;
    for (int i = nodes[t].start; i < nodes[t].start + nodes[t].n; ++i) {
      int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[t] + 1;
        upd[id] = true;
      }
    }
  }
}
extern "C" __global__ void k_bfs2(bool* mask, bool* upd, bool* visited, bool* over, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n && upd[t]) {
    mask[t] = true;
    visited[t] = true;
    *over = true;
    upd[t] = false;
  }
}
