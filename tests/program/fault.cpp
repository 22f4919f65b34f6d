// A library that the dynamic linker preloads before a program, to make one of its calls fail:
//   export LD_PRELOAD=ld-fault.so FAULT_CALL=open FAULT_PATH=results.json FAULT_NTH=1 FAULT_ERRNO=5
//   subcore report results
// FAULT_CALL names the call: open (also fopen), opendir, stat, read, write, close, rename, unlink, mkdir, or
// malloc, which has no path. Its calls whose path has FAULT_PATH in it are counted from 1, over all processes
// of the program. Call number FAULT_NTH does nothing and returns the error FAULT_ERRNO; it also makes the
// file FAULT_HIT. All other calls are passed on. A path is compared whole, from the root on, however the
// program writes it. The path of a call with a descriptor is the one that the descriptor was opened by.
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

struct Fault {
  const char *call = nullptr, *path = nullptr, *hit = nullptr;
  long nth = 0;
  int error = 0;
  long* count = nullptr;  // shared with processes that are forked
};
Fault fault;

__attribute__((constructor)) void begin() {
  const char *call = getenv("FAULT_CALL"), *path = getenv("FAULT_PATH"), *nth = getenv("FAULT_NTH"),
             *error = getenv("FAULT_ERRNO");
  if (call == nullptr || nth == nullptr || error == nullptr) return;
  void* const shared = mmap(nullptr, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  fault = {call,        path == nullptr ? "" : path, getenv("FAULT_HIT"), atol(nth),
           atoi(error), static_cast<long*>(shared)};
}

// The path that a link of /proc leads to, with its end.
template <std::size_t size>
bool read_link(const char* link, char (&path)[size]) {
  const long length = syscall(SYS_readlink, link, path, size - 1);
  if (length < 0) return false;
  path[length] = 0;
  return true;
}

bool is_of(const char* call) {
  return fault.count != nullptr && strcmp(call, fault.call) == 0;
}

bool fails_with(const char* path) {
  if (strstr(path, fault.path) == nullptr) return false;
  if (__atomic_add_fetch(fault.count, 1, __ATOMIC_RELAXED) != fault.nth) return false;
  if (fault.hit != nullptr) {
    const long file = syscall(SYS_openat, AT_FDCWD, fault.hit, O_WRONLY | O_CREAT, 0666);
    syscall(SYS_close, file);
  }
  errno = fault.error;
  return true;
}

// A path without a root is below `folder`, a descriptor, or else below the working folder.
bool fails(const char* call, const char* path, int folder = AT_FDCWD) {
  if (!is_of(call) || path == nullptr) return false;
  if (path[0] == '/') return fails_with(path);
  char link[64] = "/proc/self/cwd", above[4096], whole[8192];
  if (folder != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  if (!read_link(link, above)) return false;
  snprintf(whole, sizeof whole, "%s/%s", above, path);
  return fails_with(whole);
}

bool fails_at(const char* call, int descriptor) {
  char link[64], path[4096];
  if (!is_of(call)) return false;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return read_link(link, path) && fails_with(path);
}

template <class Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Defines a call that is passed on unless it fails.
#define PASS(result, name, declaration, arguments, failure, is_failing) \
  extern "C" result name declaration {                                  \
    static const auto pass_on = real(&name, #name);                     \
    if (is_failing) return failure;                                     \
    return pass_on arguments;                                           \
  }
// A mode is there only if it is used, and does no harm otherwise.
#define OPEN(name, declaration, arguments, path, folder) \
  extern "C" int name declaration {                      \
    static const auto pass_on = real(&name, #name);      \
    va_list more;                                        \
    va_start(more, flags);                               \
    const mode_t mode = va_arg(more, mode_t);            \
    va_end(more);                                        \
    if (fails("open", path, folder)) return -1;          \
    return pass_on arguments;                            \
  }

OPEN(open, (const char* path, int flags, ...), (path, flags, mode), path, AT_FDCWD)
OPEN(open64, (const char* path, int flags, ...), (path, flags, mode), path, AT_FDCWD)
OPEN(openat, (int folder, const char* path, int flags, ...), (folder, path, flags, mode), path, folder)
OPEN(openat64, (int folder, const char* path, int flags, ...), (folder, path, flags, mode), path, folder)
PASS(FILE*, fopen, (const char* path, const char* mode), (path, mode), nullptr, fails("open", path))
PASS(FILE*, fopen64, (const char* path, const char* mode), (path, mode), nullptr, fails("open", path))
PASS(DIR*, opendir, (const char* path), (path), nullptr, fails("opendir", path))
PASS(int, stat, (const char* path, struct stat* to), (path, to), -1, fails("stat", path))
PASS(int, stat64, (const char* path, struct stat64* to), (path, to), -1, fails("stat", path))
PASS(int, lstat, (const char* path, struct stat* to), (path, to), -1, fails("stat", path))
PASS(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), -1, fails_at("read", file))
PASS(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), -1,
     fails_at("write", file))
PASS(int, rename, (const char* from, const char* to), (from, to), -1, fails("rename", from))
PASS(int, unlink, (const char* path), (path), -1, fails("unlink", path))
PASS(int, mkdir, (const char* path, mode_t mode), (path, mode), -1, fails("mkdir", path))

// A close that fails closes the file all the same.
extern "C" int close(int file) {
  const bool is_failing = fails_at("close", file);
  const int error = errno;
  const auto result = static_cast<int>(syscall(SYS_close, file));
  if (!is_failing) return result;
  errno = error;
  return -1;
}

extern "C" void* __libc_malloc(size_t bytes);
extern "C" void* malloc(size_t bytes) {
  return is_of("malloc") && fails_with("") ? nullptr : __libc_malloc(bytes);
}
