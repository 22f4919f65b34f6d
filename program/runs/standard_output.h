// The program's output for its user. A full disk behind standard output must not look like success.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

// Keeps files from getting the numbers of standard streams that are closed: printed text would go into these
// files. Printing to such a stream remains an error. Throws std::runtime_error if a stream is closed and its
// number cannot be kept.
void keep_closed_streams();

// Writes a note to standard error, in one line. The text is whole before any of the line is written, so that
// an error gets a line of its own.
void note(const std::string& text);

// Prints a text. Throws std::runtime_error if not all of it goes out at once, and Interrupted if its reader
// is gone.
void print(std::string_view text);

// Writes a text to a file, which appears whole or not at all, or for - to standard output.
void write_output(const std::string& file, std::string_view text);

}  // namespace subcore
