// Everything the program prints for its user. A full disk behind standard output must not look like success.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

// Keeps the numbers of standard streams that are closed from files: what is printed would go into them.
// Printing to such a stream remains an error. Throws std::runtime_error when a stream is closed and cannot be
// kept.
void keep_closed_streams();

// Throws std::runtime_error when not all of it goes out at once, and Interrupted when its reader is gone.
void print(std::string_view text);

// Writes to a file, which appears whole or not at all, or for - to standard output.
void write_output(const std::string& file, std::string_view text);

}  // namespace subcore
