#include "subcore/program/runs/memory_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace subcore {

MemoryFile::MemoryFile() : file_(memfd_create("subcore", MFD_CLOEXEC)) {
  if (file_ < 0) throw std::runtime_error(std::string("memfd_create: ") + std::strerror(errno));
}

MemoryFile::~MemoryFile() {
  close(file_);
}

std::filesystem::path MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(file_);
}

}  // namespace subcore
