// Says which of the mutants that are compiled into a program is switched on, and which of them a run reaches.
//   SUBCORE_MUTANT          the number of the mutant that is switched on; without it no mutant is
//   SUBCORE_MUTANTS_REACHED a file that has a byte for each mutant: 1 if a run reached the mutant's place
#pragma once

#include <cstdlib>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace subcore_mutants {

inline long number_of_environment() {
  const char* text = std::getenv("SUBCORE_MUTANT");
  return text == nullptr ? -1 : std::atol(text);
}

// The bytes of the file, mapped; null if no file is named. Bytes of a mapping stay, however the process ends.
inline char* mapped_file() {
  const char* path = std::getenv("SUBCORE_MUTANTS_REACHED");
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) std::abort();
  void* bytes =
      mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (bytes == MAP_FAILED) std::abort();
  return static_cast<char*>(bytes);
}

inline bool at_run_time(long number) {
  static const long switched_on = number_of_environment();
  static char* const reached = mapped_file();
  if (reached != nullptr) reached[number] = 1;
  return number == switched_on;
}

// Code that the compiler evaluates has no mutants.
constexpr bool on(long number) {
  return !__builtin_is_constant_evaluated() && at_run_time(number);
}

}  // namespace subcore_mutants
