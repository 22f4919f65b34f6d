#include "subcore/tracer/files/cubin.h"

#include <algorithm>
#include <limits>

#include <zstd.h>

#include "subcore/base/spelling.h"
#include "subcore/tracer/files/elf.h"
#include "subcore/tracer/machine/decoder.h"

namespace subcore::tracer {
namespace {

constexpr std::uint32_t fat_binary_magic = 0xba55ed50;
constexpr unsigned instruction_bytes = 16;
// The size of a constant bank. A cubin may have fewer bytes of it.
constexpr std::size_t bank_bytes = 65536;
// A size that no cubin exceeds.
constexpr std::uint64_t most_unpacked_bytes = std::uint64_t{1} << 30;

std::string architecture_list() {
  std::vector<std::string> words;
  for (const unsigned known : known_architectures) words.push_back("sm_" + std::to_string(known));
  return listed(words, " and ");
}

bool is_known(unsigned architecture) {
  return std::find(std::begin(known_architectures), std::end(known_architectures), architecture) !=
         std::end(known_architectures);
}

// Calls use() for each attribute of kernels in a .nv.info section: a format, a number, and a length or a
// value.
template <class Use>
void each_attribute(const Bytes& bytes, const Section& section, Use use) {
  constexpr unsigned sized = 4;
  for (std::uint64_t at = section.offset; at + 4 <= section.offset + section.size;) {
    const unsigned format = bytes.at<std::uint8_t>(at), number = bytes.at<std::uint8_t>(at + 1);
    const std::uint64_t length = format == sized ? bytes.at<std::uint16_t>(at + 2) : 0;
    if (format == sized) use(number, at + 4, length);
    at += 4 + length;
  }
}

class CubinReader {
 public:
  CubinReader(std::string_view file, const std::string& name, const InstructionTable& table)
      : bytes_(file, name), elf_(read_elf(bytes_)), table_(table) {}

  Cubin read() {
    cubin_.architecture = architecture();
    if (!is_known(cubin_.architecture))
      bytes_.fail("is code for sm_" + std::to_string(cubin_.architecture) + "; expected code for one of " +
                  architecture_list());
    for (unsigned n = 0; n < elf_.sections.size(); ++n) read(elf_.sections[n], n);
    for (const auto& [name, local_bytes] : local_bytes_) set(name, &Kernel::local_bytes, local_bytes);
    for (const auto& [name, registers] : registers_)
      if (const auto found = cubin_.kernels.find(name);
          found != cubin_.kernels.end() && found->second.registers == 0)
        found->second.registers = registers;
    for (auto it = cubin_.kernels.begin(); it != cubin_.kernels.end();)
      it = it->second.code.empty() ? cubin_.kernels.erase(it) : std::next(it);
    cubin_.user_constants.resize(std::max(cubin_.user_constants.size(), bank_bytes));
    return std::move(cubin_);
  }

  unsigned architecture() const { return elf_.abi_version >= 8 ? elf_.flags >> 8 & 255 : elf_.flags & 255; }

 private:
  std::vector<std::uint8_t> bytes_of(const Section& section) const {
    if (!section.has_bytes()) {
      if (section.size > most_unpacked_bytes) bytes_.fail("section " + section.name + " is too large");
      return std::vector<std::uint8_t>(section.size);
    }
    const std::string_view range = bytes_.range(section.offset, section.size);
    return {range.begin(), range.end()};
  }
  // The kernel to which a section belongs, by the section's name.
  Kernel* kernel_of(const Section& section, std::string_view prefix) {
    if (section.name.compare(0, prefix.size(), prefix) != 0) return nullptr;
    const std::string name = section.name.substr(prefix.size());
    Kernel& kernel = cubin_.kernels[name];
    kernel.name = name;
    return &kernel;
  }
  void set(const std::string& name, std::uint32_t Kernel::*to, std::uint32_t value) {
    if (const auto found = cubin_.kernels.find(name); found != cubin_.kernels.end())
      found->second.*to = value;
  }

  void read(const Section& section, unsigned number) {
    if (Kernel* const kernel = kernel_of(section, ".text.")) return read_code(section, *kernel);
    if (section.name == ".nv.info") return read_attributes_of_all(section);
    if (section.name == ".nv.constant3") {
      cubin_.user_constants = bytes_of(section);
      return variables_of(number, 0, cubin_.constant_variables);
    }
    if (section.name == ".nv.constant4") {
      cubin_.addresses = bytes_of(section);
      return;
    }
    if (section.name == ".nv.global" || section.name == ".nv.global.init") {
      const std::size_t from = (cubin_.global_data.size() + 255) / 256 * 256;
      const std::vector<std::uint8_t> data = bytes_of(section);
      cubin_.global_data.resize(from);
      cubin_.global_data.insert(cubin_.global_data.end(), data.begin(), data.end());
      return variables_of(number, from, cubin_.global_variables);
    }
    if (section.name == ".rel.nv.constant4" || section.name == ".rela.nv.constant4")
      return read_address_slots(section);
    if (Kernel* const kernel = kernel_of(section, ".nv.shared.")) {
      kernel->shared_bytes = static_cast<std::uint32_t>(section.size);
    } else if (Kernel* const of_bank_0 = kernel_of(section, ".nv.constant0.")) {
      of_bank_0->constants = bytes_of(section);
    } else if (Kernel* const of_bank_2 = kernel_of(section, ".nv.constant2.")) {
      of_bank_2->immediates = bytes_of(section);
    } else if (Kernel* const of_attributes = kernel_of(section, ".nv.info.")) {
      read_attributes(section, *of_attributes);
    }
  }

  void read_code(const Section& section, Kernel& kernel) {
    if (!section.has_bytes() || section.size % instruction_bytes != 0 ||
        section.size > std::numeric_limits<std::uint32_t>::max())
      bytes_.fail("section " + section.name + " does not hold instructions of 16 bytes");
    kernel.registers = section.info >> 24;
    for (std::uint64_t at = 0; at < section.size; at += instruction_bytes)
      kernel.code.push_back(decode(table_, cubin_.architecture, bytes_.at<std::uint64_t>(section.offset + at),
                                   bytes_.at<std::uint64_t>(section.offset + at + 8),
                                   static_cast<std::uint32_t>(at)));
  }

  void variables_of(unsigned section, std::uint64_t from, std::map<std::string, Variable>& to) const {
    for (const Symbol& symbol : elf_.symbols)
      if (symbol.section == section && symbol.size > 0) to[symbol.name] = {from + symbol.value, symbol.size};
  }

  void read_address_slots(const Section& section) {
    constexpr std::uint32_t with_addends = 4;
    const std::uint64_t entry = section.type == with_addends ? 24 : 16;
    for (std::uint64_t at = 0; at + entry <= section.size; at += entry) {
      const auto offset = bytes_.at<std::uint64_t>(section.offset + at);
      const auto symbol = bytes_.at<std::uint64_t>(section.offset + at + 8) >> 32;
      if (symbol >= elf_.symbols.size()) bytes_.fail("section " + section.name + " names a missing symbol");
      cubin_.address_slots.push_back({static_cast<std::uint32_t>(offset), elf_.symbols[symbol].name});
    }
  }

  void read_attributes(const Section& section, Kernel& kernel) {
    constexpr unsigned parameter = 0x17, parameter_bank = 0x0a, cluster = 0x3d;
    each_attribute(bytes_, section, [&](unsigned number, std::uint64_t at, std::uint64_t) {
      if (number == parameter) {
        const unsigned which = bytes_.at<std::uint16_t>(at + 4);
        constexpr unsigned most_parameters = 4096;
        if (which >= most_parameters) bytes_.fail("section " + section.name + " has too many parameters");
        if (kernel.parameters.size() <= which) kernel.parameters.resize(which + 1);
        kernel.parameters[which] = {bytes_.at<std::uint16_t>(at + 6), bytes_.at<std::uint32_t>(at + 8) >> 18};
      } else if (number == parameter_bank) {
        kernel.parameter_base = bytes_.at<std::uint16_t>(at + 4);
        kernel.parameter_bytes = bytes_.at<std::uint16_t>(at + 6);
      } else if (number == cluster) {
        kernel.cluster_ctas = Dimensions{bytes_.at<std::uint32_t>(at), bytes_.at<std::uint32_t>(at + 4),
                                         bytes_.at<std::uint32_t>(at + 8)}
                                  .count();
      }
    });
  }

  void read_attributes_of_all(const Section& section) {
    constexpr unsigned register_count = 0x2f, frame = 0x11;
    each_attribute(bytes_, section, [&](unsigned number, std::uint64_t at, std::uint64_t length) {
      if ((number != register_count && number != frame) || length < 8) return;
      const auto symbol = bytes_.at<std::uint32_t>(at);
      if (symbol >= elf_.symbols.size()) bytes_.fail("section " + section.name + " names a missing symbol");
      auto& values = number == frame ? local_bytes_ : registers_;
      values[elf_.symbols[symbol].name] = bytes_.at<std::uint32_t>(at + 4);
    });
  }

  Bytes bytes_;
  Elf elf_;
  const InstructionTable& table_;
  Cubin cubin_;
  std::map<std::string, std::uint32_t> local_bytes_, registers_;
};

// One code in a fat binary.
struct FatEntry {
  unsigned architecture = 0;
  std::string bytes;
};

// The cubins of a fat binary. PTX and others are left out.
std::vector<FatEntry> entries_of(const Bytes& bytes, std::uint64_t begin, const std::string& name) {
  constexpr unsigned is_cubin = 2;
  std::vector<FatEntry> entries;
  const std::uint64_t header = bytes.at<std::uint16_t>(begin + 6);
  const std::uint64_t end = begin + header + bytes.at<std::uint64_t>(begin + 8);
  for (std::uint64_t at = begin + header; at < end;) {
    const unsigned kind = bytes.at<std::uint16_t>(at);
    const std::uint64_t entry_header = bytes.at<std::uint32_t>(at + 4),
                        size = bytes.at<std::uint64_t>(at + 8);
    const std::uint64_t packed_size = bytes.at<std::uint32_t>(at + 16);
    if (entry_header == 0) bytes.fail("has a fat binary that is damaged");
    if (kind == is_cubin) {
      FatEntry entry;
      entry.architecture = bytes.at<std::uint32_t>(at + 28);
      const std::string_view data = bytes.range(at + entry_header, packed_size != 0 ? packed_size : size);
      if (is_elf(data)) {
        entry.bytes = data;
      } else {
        const unsigned long long unpacked = ZSTD_getFrameContentSize(data.data(), data.size());
        if (unpacked == ZSTD_CONTENTSIZE_ERROR || unpacked == ZSTD_CONTENTSIZE_UNKNOWN ||
            unpacked > most_unpacked_bytes)
          throw ConfigError(name +
                            ": the code is compressed in an unknown way; expected a program compiled with "
                            "nvcc's --no-compress");
        entry.bytes.resize(unpacked);
        if (ZSTD_isError(ZSTD_decompress(entry.bytes.data(), unpacked, data.data(), data.size())))
          bytes.fail("has compressed code that is damaged");
      }
      entries.push_back(std::move(entry));
    }
    at += entry_header + size;
  }
  return entries;
}

Cubin chosen(const std::vector<FatEntry>& entries, const std::string& name, unsigned architecture,
             const InstructionTable& table) {
  const FatEntry* best = nullptr;
  std::vector<std::string> words;
  for (const FatEntry& entry : entries) {
    words.push_back("sm_" + std::to_string(entry.architecture));
    if (architecture != 0 ? entry.architecture != architecture : !is_known(entry.architecture)) continue;
    // Beside the code of the kernels there may be a small code of the linker.
    const auto rank = [](const FatEntry& e) { return std::make_pair(e.architecture, e.bytes.size()); };
    if (best == nullptr || rank(entry) > rank(*best)) best = &entry;
  }
  if (best == nullptr)
    throw ConfigError(
        name + ": " + (words.empty() ? "no compiled code" : "code for " + listed(words, " and ")) +
        "; expected code for " +
        (architecture != 0 ? "sm_" + std::to_string(architecture) : "one of " + architecture_list()));
  return CubinReader(best->bytes, name, table).read();
}

}  // namespace

Cubin read_cubin(std::string_view file, const std::string& name, unsigned architecture,
                 const InstructionTable& table) {
  constexpr unsigned machine_of_cubins = 190;
  const Bytes bytes(file, name);
  if (is_elf(file) && bytes.at<std::uint16_t>(0x12) == machine_of_cubins) {
    CubinReader reader(file, name, table);
    if (architecture != 0 && reader.architecture() != architecture)
      throw ConfigError(name + ": code for sm_" + std::to_string(reader.architecture()) +
                        "; expected code for sm_" + std::to_string(architecture));
    return reader.read();
  }
  std::vector<FatEntry> entries;
  const auto add_all = [&](std::uint64_t begin, std::uint64_t end) {
    // Fat binaries of several source files follow each other.
    while (begin + 16 <= end && bytes.at<std::uint32_t>(begin) == fat_binary_magic) {
      for (FatEntry& entry : entries_of(bytes, begin, name)) entries.push_back(std::move(entry));
      begin += bytes.at<std::uint16_t>(begin + 6) + bytes.at<std::uint64_t>(begin + 8);
      begin = (begin + 7) / 8 * 8;
    }
  };
  if (file.size() >= 16 && bytes.at<std::uint32_t>(0) == fat_binary_magic) {
    add_all(0, bytes.size());
  } else if (is_elf(file)) {
    for (const Section& section : read_elf(bytes).sections)
      if (section.name == ".nv_fatbin" && section.has_bytes())
        add_all(section.offset, section.offset + section.size);
  } else {
    bytes.fail("is neither an ELF file nor a fat binary; expected a cubin, or a program that nvcc has made");
  }
  return chosen(entries, name, architecture, table);
}

Cubin read_fat_binary(const void* begin, const std::string& name, const InstructionTable& table) {
  constexpr std::uint64_t prefix = 16;
  const Bytes header({static_cast<const char*>(begin), prefix}, name);
  if (header.at<std::uint32_t>(0) != fat_binary_magic)
    header.fail("registers something that is not a fat binary");
  const Bytes all(
      {static_cast<const char*>(begin), header.at<std::uint16_t>(6) + header.at<std::uint64_t>(8)}, name);
  return chosen(entries_of(all, 0, name), name, 0, table);
}

}  // namespace subcore::tracer
