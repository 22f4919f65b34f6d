#include "subcore/model/trace/sidecar.h"

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/base/files.h"
#include "subcore/base/text.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/sass_text.h"

namespace subcore {
namespace {

// D:R8x4, S:R5x1/B* or D:UR5x1.
void read_operand(const LineSource& source, std::string_view word, SidecarEntry& entry) {
  const auto bad = [&] {
    source.fail("bad operand " + quoted(word), "D:R<n>x<width> or S:R<n>x<width>/<slot>");
  };
  if (word.size() < 4 || (word[0] != 'D' && word[0] != 'S') || word[1] != ':') bad();
  std::string_view rest = word.substr(2);
  const bool uniform = rest.substr(0, 2) == "UR";
  if (uniform) rest.remove_prefix(1);
  if (rest[0] != 'R') bad();
  rest.remove_prefix(1);
  const std::size_t slash = rest.find('/');
  const char letter = slash == std::string_view::npos || slash + 1 == rest.size() ? ' ' : rest[slash + 1];
  const std::uint8_t slot =
      letter >= 'A' && letter <= 'D' ? static_cast<std::uint8_t>(letter - 'A') : SidecarOperand::no_slot;
  rest = rest.substr(0, slash);
  const std::size_t x = rest.find('x');
  std::uint64_t base = 0, width = 0;
  if (x == std::string_view::npos || !text::parse_unsigned(rest.substr(0, x), base, rz) ||
      !text::parse_unsigned(rest.substr(x + 1), width, max_sources) || width == 0)
    bad();
  if (uniform) {
    std::uint64_t& set = word[0] == 'D' ? entry.uniforms_written : entry.uniforms_read;
    for (; width > 0 && base < uniform_count; --width) bits::add(set, base++);
    return;
  }
  auto& list = word[0] == 'D' ? entry.destinations : entry.sources;
  list.push_back({static_cast<Register>(base), static_cast<std::uint8_t>(width), slot});
}

// 4 Y 0 7 02 1: stall, yield, write barrier, read barrier, barriers to wait for, reuse flags.
void read_control(const LineSource& source, std::string_view text, SidecarEntry& entry) {
  text::Cursor words{text.data(), text.data() + text.size()};
  const auto number = [&](const char* name, bool hexadecimal, std::uint64_t most, const char* expected) {
    const std::string_view word = words.word();
    std::uint64_t n = 0;
    if (!(hexadecimal ? text::parse_hex(word, n) : text::parse_unsigned(word, n)) || n > most)
      source.fail("bad " + std::string(name) + " " + quoted(word), expected);
    return static_cast<std::uint8_t>(n);
  };
  const auto barrier = [&](const char* name) {
    const std::uint8_t n = number(name, false, no_barrier, "0 to 5, or 7 for none");
    if (n >= barrier_count && n != no_barrier)
      source.fail("bad " + std::string(name) + " '" + std::to_string(n) + "'", "0 to 5, or 7 for none");
    return n;
  };
  ControlBits& c = entry.control;
  c.stall = number("stall count", false, longest_stall, "a number from 0 to 15");
  const std::string_view yield = words.word();
  if (yield != "Y" && yield != "-") source.fail("bad yield flag " + quoted(yield), "Y or -");
  c.yield = yield == "Y";
  c.write_barrier = barrier("write barrier");
  c.read_barrier = barrier("read barrier");
  c.wait_mask = number("wait mask", true, (1u << barrier_count) - 1, "a mask of the six barriers");
  entry.reuse_mask = number("reuse mask", true, (1u << operand_slots) - 1, "a mask of the operand slots");
  if (const std::string_view more = words.word(); !more.empty())
    source.fail(quoted(more) + " behind the reuse mask",
                "stall, yield, write barrier, read barrier, wait mask, reuse mask");
}

}  // namespace

std::filesystem::path find_sidecar(const std::filesystem::path& trace) {
  const std::string name = trace.filename().string();
  const std::size_t cut = std::min(name.rfind(".traceg"), name.rfind(".tracez"));
  if (cut == std::string::npos || is_packed(trace)) return {};
  for (const char* suffix : {".sass", ".sass.xz", ".sass.gz"}) {
    std::filesystem::path candidate = trace.parent_path() / (name.substr(0, cut) + suffix);
    if (is_plain_file(candidate)) return candidate;
    std::error_code ignored;
    if (std::filesystem::symlink_status(candidate, ignored).type() != std::filesystem::file_type::not_found)
      throw std::runtime_error(
          candidate.string() +
          ": is not a file that can be read to its end; expected a sidecar, or no such file");
  }
  return {};
}

std::optional<Sidecar> sidecar_of(const std::filesystem::path& trace) {
  if (is_packed(trace)) return PackedReader(trace).sidecar();
  const std::filesystem::path file = find_sidecar(trace);
  if (file.empty()) return std::nullopt;
  return read_sidecar(file);
}

SourceSlots slots_of(const SidecarOperands& told, const Register* listed, std::size_t count) {
  SourceSlots slots;
  boost::container::small_vector<bool, 4> taken(told.size(), false);
  for (std::size_t i = 0; i < count; ++i) {
    const auto fits = [&](std::size_t k) { return !taken[k] && told[k].base == listed[i]; };
    std::size_t k = i;
    if (k >= taken.size() || !fits(k))
      for (k = 0; k < taken.size() && !fits(k);) ++k;
    if (k < taken.size()) taken[k] = true;
    slots.push_back(k < taken.size() ? told[k].slot : SidecarOperand::no_slot);
  }
  return slots;
}

Sidecar read_sidecar(const std::filesystem::path& file) {
  LineSource source(file);
  Sidecar sidecar;
  sidecar.file = file.string();
  std::string_view line;
  while (source.next(line)) {
    if (text::trimmed(line).empty() || line[0] == '#') continue;
    std::string_view fields[4];  // pc, encoding, control, registers; behind them the text
    std::string_view rest = line;
    for (auto& field : fields) {
      const std::size_t bar = rest.find('|');
      if (bar == std::string_view::npos)
        source.fail("bad sidecar line " + quoted(line), "pc | encoding | control | registers | text");
      field = text::trimmed(rest.substr(0, bar));
      rest.remove_prefix(bar + 1);
    }
    std::uint64_t pc = 0;
    if (!text::parse_hex(fields[0], pc))
      source.fail("bad program counter " + quoted(fields[0]), "hexadecimal digits");
    SidecarEntry entry;
    entry.line = static_cast<std::uint32_t>(source.line_number());
    read_control(source, fields[2], entry);
    text::Cursor words{fields[3].data(), fields[3].data() + fields[3].size()};
    for (std::string_view word = words.word(); !word.empty(); word = words.word())
      read_operand(source, word, entry);
    sidecar.keep_text(entry, text::trimmed(rest));
    const SassText said = read_sass_text(sidecar.text(entry));
    constexpr unsigned warp_predicates = bits::below<std::uint8_t>(predicate_count);
    entry.predicates_read = static_cast<std::uint8_t>(said.read & warp_predicates);
    entry.predicates_written = static_cast<std::uint8_t>(said.written & warp_predicates);
    sidecar.by_pc[pc] = std::move(entry);
  }
  return sidecar;
}

}  // namespace subcore
