// Owns the headers that are precompiled for tests.
int main() {}
