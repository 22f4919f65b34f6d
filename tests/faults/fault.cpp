// A library that the dynamic linker preloads before a program, to disturb one of its calls:
//   export LD_PRELOAD=ld-fault.so FAULT_CALL=open FAULT_PATH=results.json FAULT_NTH=1 FAULT_ERRNO=5
//   subcore report results
// FAULT_CALL names the call by the words below. `open` includes openat and fopen. `malloc` includes calloc,
// realloc and operator new. `any` is every call but malloc.
//
// Calls whose path has FAULT_PATH in it are counted from 1, over all processes of the program. A path is
// compared whole, from the root on, however the program writes it. The path of a call with a descriptor is
// the path by which the descriptor was opened. Without FAULT_PATH, calls without a path count, too. Calls on
// standard error are passed on, because errors are reported there.
//
// Call number FAULT_NTH is disturbed, and makes the file FAULT_HIT. All other calls are passed on. The
// disturbed call does nothing and returns the error FAULT_ERRNO. If FAULT_SHORT is set, the call reads or
// writes half of its bytes instead. If FAULT_SIGNAL is set, that signal comes first: SIGINT to the process
// group, as from a terminal, and other signals to the process.
//
// FAULT_PROCESS counts calls of some processes only: `first`, the program; `forked`, its forks; `other`, the
// programs that these become. FAULT_RECORD, with FAULT_CALL=malloc, is a file. This file gets a line for each
// call stack of allocations, with the number of the first allocation and the stack's hash.
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Fault {
  const char *call = nullptr, *path = nullptr, *hit = nullptr, *process = nullptr;
  long nth = 0;
  int error = 0, signal = 0;
  bool is_short = false, is_other = false;
  pid_t first = 0;
  int record = -1;        // a descriptor
  long* count = nullptr;  // shared with forked processes
};
Fault fault;

const char* variable(const char* name) {
  const char* const text = getenv(name);
  return text == nullptr ? "" : text;
}

__attribute__((constructor)) void begin() {
  if (*variable("FAULT_CALL") == 0) return;
  const long shared =
      syscall(SYS_mmap, nullptr, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0L);
  if (shared == -1) return;
  Fault f;
  f.call = variable("FAULT_CALL");
  f.path = variable("FAULT_PATH");
  f.hit = getenv("FAULT_HIT");
  f.process = variable("FAULT_PROCESS");
  f.nth = atol(variable("FAULT_NTH"));
  f.error = atoi(variable("FAULT_ERRNO"));
  f.signal = atoi(variable("FAULT_SIGNAL"));
  f.is_short = *variable("FAULT_SHORT") != 0;
  f.is_other = *variable("FAULT_BEGUN") != 0;
  f.first = getpid();
  setenv("FAULT_BEGUN", "1", 1);
  if (*variable("FAULT_RECORD") != 0)
    f.record = static_cast<int>(syscall(SYS_openat, AT_FDCWD, variable("FAULT_RECORD"),
                                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  f.count = reinterpret_cast<long*>(shared);
  void* one[1];
  backtrace(one, 1);  // backtrace() allocates when it is first called
  fault = f;
}

// The path that a link of /proc leads to, with a terminating zero.
template <std::size_t size>
bool read_link(const char* link, char (&path)[size]) {
  const long length = syscall(SYS_readlink, link, path, size - 1);
  if (length < 0) return false;
  path[length] = 0;
  return true;
}

bool is_of(const char* call) {
  if (fault.count == nullptr) return false;
  if (strcmp(call, fault.call) != 0 && (strcmp(fault.call, "any") != 0 || strcmp(call, "malloc") == 0))
    return false;
  if (*fault.process == 0) return true;
  const char* const process = fault.is_other                       ? "other"
                              : syscall(SYS_getpid) == fault.first ? "first"
                                                                   : "forked";
  return strcmp(process, fault.process) == 0;
}

// Counts a call. Returns whether the call is to fail. Halves `bytes` of a call that is to be short.
bool is_disturbed(std::size_t* bytes = nullptr) {
  if (__atomic_add_fetch(fault.count, 1, __ATOMIC_RELAXED) != fault.nth) return false;
  if (fault.hit != nullptr) {
    const long file = syscall(SYS_openat, AT_FDCWD, fault.hit, O_WRONLY | O_CREAT, 0666);
    syscall(SYS_close, file);
  }
  if (fault.signal != 0) {
    kill(fault.signal == SIGINT ? 0 : getpid(), fault.signal);
    return false;
  }
  if (fault.is_short) {
    if (bytes != nullptr && *bytes > 1) *bytes /= 2;
    return false;
  }
  errno = fault.error;
  return true;
}

bool fails_with(const char* path, std::size_t* bytes = nullptr) {
  return strstr(path, fault.path) != nullptr && is_disturbed(bytes);
}

// Counts a call without a path.
bool fails(const char* call) {
  return is_of(call) && *fault.path == 0 && is_disturbed();
}

// Counts a call with a path. A relative path is below `folder`, a descriptor, or else below the working
// folder.
bool fails(const char* call, const char* path, int folder = AT_FDCWD) {
  if (!is_of(call) || path == nullptr) return false;
  if (path[0] == '/') return fails_with(path);
  char link[64] = "/proc/self/cwd", above[4096], whole[8192];
  if (folder != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
  if (!read_link(link, above)) return false;
  snprintf(whole, sizeof whole, "%s/%s", above, path);
  return fails_with(whole);
}

bool fails_at(const char* call, int descriptor, std::size_t* bytes = nullptr) {
  char link[64], path[4096];
  if (descriptor == STDERR_FILENO || !is_of(call)) return false;
  if (*fault.path == 0) return is_disturbed(bytes);
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return read_link(link, path) && fails_with(path, bytes);
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
// The mode exists only if it is used, and is harmless otherwise.
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
PASS(int, memfd_create, (const char* name, unsigned flags), (name, flags), -1, fails("open"))

PASS(DIR*, opendir, (const char* path), (path), nullptr, fails("opendir", path))
PASS(DIR*, fdopendir, (int file), (file), nullptr, fails_at("opendir", file))
PASS(dirent*, readdir, (DIR * folder), (folder), nullptr, fails_at("readdir", dirfd(folder)))
PASS(dirent64*, readdir64, (DIR * folder), (folder), nullptr, fails_at("readdir", dirfd(folder)))

PASS(int, stat, (const char* path, struct stat* to), (path, to), -1, fails("stat", path))
PASS(int, stat64, (const char* path, struct stat64* to), (path, to), -1, fails("stat", path))
PASS(int, lstat, (const char* path, struct stat* to), (path, to), -1, fails("stat", path))
PASS(int, lstat64, (const char* path, struct stat64* to), (path, to), -1, fails("stat", path))
PASS(int, fstat, (int file, struct stat* to), (file, to), -1, fails_at("stat", file))
PASS(int, fstat64, (int file, struct stat64* to), (file, to), -1, fails_at("stat", file))
PASS(int, fstatat, (int folder, const char* path, struct stat* to, int flags), (folder, path, to, flags), -1,
     fails("stat", path, folder))
PASS(int, fstatat64, (int folder, const char* path, struct stat64* to, int flags), (folder, path, to, flags),
     -1, fails("stat", path, folder))
PASS(int, access, (const char* path, int mode), (path, mode), -1, fails("stat", path))
PASS(ssize_t, readlink, (const char* path, char* to, size_t bytes), (path, to, bytes), -1,
     fails("readlink", path))
PASS(char*, realpath, (const char* path, char* to), (path, to), nullptr, fails("readlink", path))
PASS(char*, getcwd, (char* to, size_t bytes), (to, bytes), nullptr, fails("getcwd"))

PASS(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), -1, fails_at("read", file, &bytes))
PASS(ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), -1,
     fails_at("read", file, &bytes))
PASS(ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at), -1,
     fails_at("read", file, &bytes))
PASS(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), -1,
     fails_at("write", file, &bytes))
PASS(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at), -1,
     fails_at("write", file, &bytes))
PASS(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at), (file, from, bytes, at), -1,
     fails_at("write", file, &bytes))
PASS(ssize_t, writev, (int file, const iovec* parts, int count), (file, parts, count), -1,
     fails_at("write", file))
// Writes of the C library's streams are seen at the calls that ask for them.
PASS(size_t, fwrite, (const void* from, size_t size, size_t count, FILE* to), (from, size, count, to), 0,
     fails_at("fwrite", fileno(to)))
PASS(int, fflush, (FILE * to), (to), EOF, to != nullptr && fails_at("fwrite", fileno(to)))
PASS(int, ftruncate, (int file, off_t bytes), (file, bytes), -1, fails_at("ftruncate", file))
PASS(int, ftruncate64, (int file, off64_t bytes), (file, bytes), -1, fails_at("ftruncate", file))
PASS(int, fsync, (int file), (file), -1, fails_at("fsync", file))
PASS(int, fdatasync, (int file), (file), -1, fails_at("fsync", file))
PASS(int, flock, (int file, int how), (file, how), -1, fails_at("flock", file))
PASS(int, dup, (int file), (file), -1, fails_at("dup", file))
PASS(int, dup2, (int file, int to), (file, to), -1, fails_at("dup", file))
PASS(void*, mmap, (void* at, size_t bytes, int use, int flags, int file, off_t from),
     (at, bytes, use, flags, file, from), MAP_FAILED, fails("mmap"))
PASS(void*, mmap64, (void* at, size_t bytes, int use, int flags, int file, off64_t from),
     (at, bytes, use, flags, file, from), MAP_FAILED, fails("mmap"))

PASS(int, rename, (const char* from, const char* to), (from, to), -1, fails("rename", from))
PASS(int, renameat, (int folder, const char* from, int other, const char* to), (folder, from, other, to), -1,
     fails("rename", from, folder))
PASS(int, unlink, (const char* path), (path), -1, fails("unlink", path))
PASS(int, remove, (const char* path), (path), -1, fails("unlink", path))
PASS(int, rmdir, (const char* path), (path), -1, fails("unlink", path))
PASS(int, unlinkat, (int folder, const char* path, int flags), (folder, path, flags), -1,
     fails("unlink", path, folder))
PASS(int, mkdir, (const char* path, mode_t mode), (path, mode), -1, fails("mkdir", path))
PASS(char*, mkdtemp, (char* path), (path), nullptr, fails("mkdir", path))
PASS(int, utimensat, (int folder, const char* path, const timespec* times, int flags),
     (folder, path, times, flags), -1, fails("utimensat", path, folder))

PASS(pid_t, fork, (), (), -1, fails("fork"))
PASS(pid_t, waitpid, (pid_t child, int* status, int options), (child, status, options), -1, fails("waitpid"))
PASS(int, socketpair, (int domain, int type, int protocol, int* ends), (domain, type, protocol, ends), -1,
     fails("socketpair"))
PASS(int, poll, (pollfd * files, nfds_t count, int milliseconds), (files, count, milliseconds), -1,
     fails("poll"))
PASS(ssize_t, send, (int file, const void* from, size_t bytes, int flags), (file, from, bytes, flags), -1,
     fails_at("send", file, &bytes))
PASS(ssize_t, recv, (int file, void* to, size_t bytes, int flags), (file, to, bytes, flags), -1,
     fails_at("recv", file, &bytes))
PASS(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t* how, void* (*body)(void*), void* argument),
     (thread, how, body, argument), fault.error, fails("pthread_create"))

// A close that fails still closes the file.
extern "C" int close(int file) {
  const bool is_failing = fails_at("close", file);
  const int error = errno;
  const auto result = static_cast<int>(syscall(SYS_close, file));
  if (!is_failing) return result;
  errno = error;
  return -1;
}
extern "C" int fclose(FILE* file) {
  static const auto pass_on = real(&fclose, "fclose");
  const bool is_failing = fails_at("close", fileno(file));
  const int error = errno;
  const int result = pass_on(file);
  if (!is_failing) return result;
  errno = error;
  return EOF;
}

namespace {

// Records the number of an allocation whose call stack was not seen before.
void record(long number) {
  static thread_local bool is_within = false;
  constexpr std::size_t places = 1 << 18;
  static std::uint64_t seen[places];
  if (is_within) return;
  is_within = true;
  void* frames[96];
  const int count = backtrace(frames, 96);
  std::uint64_t hash = 14695981039346656037U;
  for (int i = 2; i < count; ++i)  // frames behind those of this file
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211U;
  if (hash == 0) hash = 1;
  std::size_t at = hash % places;
  while (seen[at] != 0 && seen[at] != hash) at = (at + 1) % places;
  if (seen[at] == 0) {
    seen[at] = hash;
    char line[64];
    const int length =
        snprintf(line, sizeof line, "%ld %016llx\n", number, static_cast<unsigned long long>(hash));
    syscall(SYS_write, fault.record, line, static_cast<std::size_t>(length));
  }
  is_within = false;
}

__attribute__((noinline)) bool allocation_fails() {
  if (!is_of("malloc")) return false;
  if (fault.record >= 0) record(__atomic_load_n(fault.count, __ATOMIC_RELAXED) + 1);
  return fails_with("");
}

}  // namespace

extern "C" void* __libc_malloc(size_t bytes);
extern "C" void* __libc_calloc(size_t count, size_t bytes);
extern "C" void* __libc_realloc(void* old, size_t bytes);
extern "C" void* __libc_memalign(size_t alignment, size_t bytes);
extern "C" void* malloc(size_t bytes) {
  return allocation_fails() ? nullptr : __libc_malloc(bytes);
}
extern "C" void* calloc(size_t count, size_t bytes) {
  return allocation_fails() ? nullptr : __libc_calloc(count, bytes);
}
extern "C" void* realloc(void* old, size_t bytes) {
  return bytes != 0 && allocation_fails() ? nullptr : __libc_realloc(old, bytes);
}
extern "C" void* aligned_alloc(size_t alignment, size_t bytes) {
  return allocation_fails() ? nullptr : __libc_memalign(alignment, bytes);
}
extern "C" int posix_memalign(void** to, size_t alignment, size_t bytes) {
  void* const memory = aligned_alloc(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *to = memory;
  return 0;
}
