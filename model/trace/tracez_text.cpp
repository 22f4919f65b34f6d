#include "subcore/model/trace/tracez_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include <zstd.h>

#include "subcore/base/files.h"
#include "subcore/model/trace/trace.h"

namespace subcore {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::uint32_t largest_dictionary = std::uint32_t{1} << 24;  // the tracer's own have 64 KiB at most
constexpr std::uint64_t footer_place_bytes = sizeof(std::uint64_t);

}  // namespace

bool is_tracez(const std::filesystem::path& file) {
  return file.extension() == ".tracez";
}

struct TracezText::State {
  struct FreeContext {
    void operator()(ZSTD_DCtx* freed) const { ZSTD_freeDCtx(freed); }
  };

  // Reads numbers of one part of the file, from `at` up to `end`.
  struct Numbers {
    std::ifstream stream;
    std::uint64_t at = 0, end = 0;
  };

  State(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> count);
  void open(Numbers& numbers, const std::filesystem::path& file);
  void read_header();
  void read_dictionary();
  void find_footer();
  bool fill();
  void begin_block();
  void begin_warp();
  void begin_part();
  void end_part();
  void unpack();
  void take_bytes(Numbers& from, void* to, std::size_t bytes, const char* what);
  template <typename T>
  T take(Numbers& from, const char* what) {
    T value;
    take_bytes(from, &value, sizeof value, what);
    return value;
  }
  [[noreturn]] void fail(std::uint64_t place, const std::string& problem) const {
    throw TraceError(name + ": byte " + std::to_string(place) + ": " + problem +
                     "; expected a .tracez file as Accel-Sim's post-traces-processing wrote it");
  }

  std::string name;
  std::shared_ptr<std::uint64_t> bytes_read;
  std::uint64_t total = 0, warps_begin = 0, footer_begin = 0;
  Numbers data, footer;
  std::unique_ptr<ZSTD_DCtx, FreeContext> context{ZSTD_createDCtx()};

  std::uint32_t blocks_left = 0, warps = 0, next_warp = 0;
  std::uint32_t parts_left = 0;
  std::uint64_t lines_left = 0;  // lines of the warp behind the current part
  std::uint32_t part_lines = 0;  // lines of the current part, by the footer
  std::uint64_t part_begin = 0;  // where its frame begins
  std::uint64_t part_bytes = 0;  // bytes that are not read yet
  std::uint64_t lines = 0;       // complete lines of the current part so far
  bool in_block = false, in_part = false, in_line = false, ended = false;
  std::vector<char> packed = std::vector<char>(piece_bytes);
  ZSTD_inBuffer input{packed.data(), 0, 0};

  std::string text;
  std::size_t at = 0;
};

TracezText::State::State(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> count)
    : name(file.string()), bytes_read(std::move(count)) {
  if (context == nullptr) throw std::bad_alloc();
  if (is_there(file) && !is_plain_file(file))
    throw TraceError(name + ": cannot be read from its end; expected a regular file");
  open(data, file);
  open(footer, file);
  data.stream.seekg(0, std::ios::end);
  total = data.end = footer.end = static_cast<std::uint64_t>(data.stream.tellg());
  data.stream.seekg(0);
  read_header();
  read_dictionary();
  find_footer();
}

void TracezText::State::open(Numbers& numbers, const std::filesystem::path& file) {
  numbers.stream.open(file, std::ios::binary);
  if (!numbers.stream)
    throw TraceError(name + ": cannot open: " + std::strerror(errno) + "; expected a readable file");
}

void TracezText::State::take_bytes(Numbers& from, void* to, std::size_t bytes, const char* what) {
  if (bytes > from.end - from.at) fail(from.at, std::string("no room for ") + what);
  if (!from.stream.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
    fail(from.at, "read error");
  from.at += bytes;
}

void TracezText::State::read_header() {
  text.resize(std::min<std::uint64_t>(total, longest_header));
  take_bytes(data, text.data(), text.size(), "a header");
  const std::size_t nul = text.find('\0');
  if (nul == std::string::npos) fail(0, "no kernel header with a NUL behind it");
  text.resize(nul);
  data.at = nul + 1;
  data.stream.seekg(static_cast<std::streamoff>(data.at));
  if (!text.empty() && text.back() != '\n') text += '\n';
}

void TracezText::State::read_dictionary() {
  const std::uint64_t where = data.at;
  const auto bytes = take<std::uint32_t>(data, "the size of a dictionary");
  take<std::uint32_t>(data, "the size of parts");
  if (bytes > largest_dictionary) fail(where, "a dictionary of " + std::to_string(bytes) + " bytes");
  std::vector<char> dictionary(std::min<std::uint64_t>(bytes, data.end - data.at));
  if (dictionary.size() < bytes)
    fail(where, "no room for a dictionary of " + std::to_string(bytes) + " bytes");
  take_bytes(data, dictionary.data(), bytes, "the dictionary");
  if (ZSTD_isError(ZSTD_DCtx_loadDictionary(context.get(), dictionary.data(), dictionary.size())))
    fail(where, "an invalid dictionary");
  warps_begin = data.at;
}

void TracezText::State::find_footer() {
  if (total < warps_begin + footer_place_bytes) fail(total, "file ends early");
  footer.at = total - footer_place_bytes;
  footer.stream.seekg(static_cast<std::streamoff>(footer.at));
  footer_begin = take<std::uint64_t>(footer, "the footer's place");
  footer.end = total - footer_place_bytes;
  if (footer_begin < warps_begin || footer_begin > footer.end)
    fail(footer.end, "a footer at byte " + std::to_string(footer_begin));
  footer.at = footer_begin;
  footer.stream.seekg(static_cast<std::streamoff>(footer.at));
  blocks_left = take<std::uint32_t>(footer, "the count of thread blocks");
  data.end = footer_begin;
  *bytes_read = warps_begin;
}

// Writes the next lines. False at the end.
bool TracezText::State::fill() {
  text.clear();
  at = 0;
  if (in_part)
    unpack();
  else if (parts_left > 0)
    begin_part();
  else if (in_block && lines_left > 0)
    fail(footer.at, "parts that have " + std::to_string(lines_left) + " instructions less than their warp");
  else if (in_block && next_warp < warps)
    begin_warp();
  else if (in_block)
    in_block = false, text += "\n#END_TB\n";
  else if (blocks_left > 0)
    begin_block();
  else if (ended)
    return false;
  else if (footer.at != footer.end)
    fail(footer.at, "more in the footer than its thread blocks");
  else
    ended = true, *bytes_read = total;
  return !ended;
}

void TracezText::State::begin_block() {
  --blocks_left;
  in_block = true;
  const auto number = [this] { return std::to_string(take<std::uint32_t>(footer, "a thread block")); };
  text += "\n#BEGIN_TB\n\n";
  for (const char* key : {"thread block", "cluster id", "cluster cta"}) {
    const std::string x = number(), y = number(), z = number();
    text += key + (" = " + x) + ',' + y + ',' + z + '\n';
  }
  text += "cluster rank = " + number() + '\n';
  warps = take<std::uint32_t>(footer, "a count of warps");
  next_warp = 0;
}

void TracezText::State::begin_warp() {
  const std::uint64_t entry = footer.at;
  const auto count = take<std::uint32_t>(footer, "a warp");
  parts_left = take<std::uint32_t>(footer, "a warp");
  const auto place = take<std::uint64_t>(footer, "a warp");
  if (place < warps_begin || place > footer_begin) fail(entry, "a warp at byte " + std::to_string(place));
  data.at = place;
  data.stream.clear();
  data.stream.seekg(static_cast<std::streamoff>(place));
  const auto count_there = take<std::uint32_t>(data, "a warp"),
             parts_there = take<std::uint32_t>(data, "a warp");
  if (count_there != count || parts_there != parts_left)
    fail(place, "a warp of " + std::to_string(count_there) + " instructions in " +
                    std::to_string(parts_there) + " parts, where the footer has " + std::to_string(count) +
                    " in " + std::to_string(parts_left));
  lines_left = count;
  text += "\nwarp = " + std::to_string(next_warp++) + "\ninsts = " + std::to_string(count) + '\n';
}

void TracezText::State::begin_part() {
  --parts_left;
  part_lines = take<std::uint32_t>(footer, "the instructions of a part");
  if (part_lines > lines_left)
    fail(footer.at - sizeof part_lines, "parts with more instructions than their warp");
  lines_left -= part_lines;
  part_begin = data.at;
  part_bytes = take<std::uint32_t>(data, "a part");
  if (part_bytes > data.end - data.at) fail(part_begin, "a part of " + std::to_string(part_bytes) + " bytes");
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
  input = {packed.data(), 0, 0};
  lines = 0;
  in_line = false;
  in_part = true;
}

// Unpacks a piece of the current part.
void TracezText::State::unpack() {
  if (input.pos == input.size && part_bytes > 0) {
    input.size = std::min<std::uint64_t>(part_bytes, packed.size());
    input.pos = 0;
    take_bytes(data, packed.data(), input.size, "a part");
    part_bytes -= input.size;
    *bytes_read = std::max(*bytes_read, data.at);
  }
  text.resize(piece_bytes);
  ZSTD_outBuffer output{text.data(), text.size(), 0};
  const std::size_t before = input.pos, left = ZSTD_decompressStream(context.get(), &output, &input);
  if (ZSTD_isError(left))
    fail(part_begin, std::string("no zstd frame of lines (") + ZSTD_getErrorName(left) + ")");
  text.resize(output.pos);
  const bool is_last = part_bytes == 0 && input.pos == input.size;
  if (left != 0 && is_last && before == input.pos && output.pos == 0)
    fail(part_begin, "a zstd frame that is cut");
  if (left == 0 && !is_last) fail(part_begin, "more behind a zstd frame");
  lines += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  if (!text.empty()) in_line = text.back() != '\n';
  if (left == 0) end_part();
  if (lines > part_lines)
    fail(part_begin,
         "more lines than the " + std::to_string(part_lines) + " instructions that the footer has");
}

void TracezText::State::end_part() {
  if (in_line) {
    ++lines;
    text += '\n';
  }
  in_part = false;
  if (lines < part_lines)
    fail(part_begin, std::to_string(lines) + " lines, where the footer has " + std::to_string(part_lines) +
                         " instructions");
}

TracezText::TracezText(const std::filesystem::path& file, std::shared_ptr<std::uint64_t> bytes_read)
    : state_(std::make_shared<State>(file, std::move(bytes_read))) {}

std::uint64_t TracezText::bytes_total() const {
  return state_->total;
}

std::streamsize TracezText::read(char* to, std::streamsize n) {
  State& s = *state_;
  while (s.at == s.text.size())
    if (!s.fill()) return -1;
  const std::size_t count = std::min(static_cast<std::size_t>(n), s.text.size() - s.at);
  std::copy_n(s.text.data() + s.at, count, to);
  s.at += count;
  return static_cast<std::streamsize>(count);
}

}  // namespace subcore
