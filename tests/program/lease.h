// Holds up processes that read a file.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace subcore::test {

// Makes any process that opens the file wait for longer (45 s, /proc/sys/fs/lease-break-time) than a test
// takes. A run that reads its kernel is stuck in the tick in which it opens the file.
class Lease {
 public:
  explicit Lease(const std::filesystem::path& file) : file_(open(file.c_str(), O_RDWR | O_CLOEXEC)) {
    std::signal(SIGIO, SIG_IGN);  // the signal reports the other process
    REQUIRE(file_ >= 0);
    REQUIRE(fcntl(file_, F_SETLEASE, F_WRLCK) == 0);
  }
  ~Lease() { close(file_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  // Waits until another process wants to open the file.
  void await_other() const {
    while (fcntl(file_, F_GETLEASE) == F_WRLCK) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  int file_;
};

}  // namespace subcore::test
