// VcdFile: the text of a VCD file, packed if its name says so. Text signals are string variables, an
// extension of GTKWave's that other viewers read, too. The file gets its name in close(), so a run that fails
// leaves no file.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "subcore/modules/protocol/signal.h"
#include "subcore/observers/packed_file.h"

namespace subcore {

class VcdFile {
 public:
  // `file` and `aside` are as PackedFile's. `period` is in picoseconds. Throws std::runtime_error if the file
  // cannot be written, as every other function does.
  VcdFile(std::filesystem::path file, std::filesystem::path aside, std::uint64_t period);
  void close();

  // Returns the variable's number, which counts from 0. Variables of one scope are declared together.
  unsigned declare(const std::string& scope, const std::string& name, unsigned bits, Signal::Form form);
  void end_declarations();

  // The value for a text. Values are numbers, Signal::x, the bits of a double, or results of number_of().
  std::uint64_t number_of(const std::string& text);
  // The changes that follow are of this cycle, which is later than all before.
  void begin_cycle(Cycle cycle);
  void change(unsigned variable, std::uint64_t value);
  // Writes the values of all variables, at the beginning of the file or of a piece of it.
  void dump(const std::vector<std::uint64_t>& values);
  // Values are not known from here on.
  void dump_nothing();
  // Writes a $comment.
  void comment(std::string text);

 private:
  struct Variable {
    char code[4];          // identifier and a newline
    unsigned char length;  // bytes of `code` in use
    unsigned char bits;
    Signal::Form form;
  };
  void put(const std::string& text);
  void put(const Variable& v);
  void open_scope(const std::string& scope);
  void make_room(std::size_t bytes);

  PackedFile file_;
  char* at_;  // in the room of file_
  std::vector<Variable> variables_;
  std::vector<std::string> open_scopes_;
  struct Text {  // as written in the file
    char bytes[32];
    std::uint32_t size;  // 0 if the text is too long for `bytes`
    std::string whole;
  };
  std::vector<Text> texts_;
  std::unordered_map<std::string, std::uint64_t> text_numbers_;
  std::uint64_t period_;
  const char* next_dump_ = "$dumpvars\n";
};

}  // namespace subcore
