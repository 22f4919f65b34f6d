#include "subcore/model/passes/near_bits_file.h"

#include <limits>

#include "subcore/base/bits.h"
#include "subcore/base/config_error.h"
#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/base/spelling.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
T count_at(const Json& in, const char* key, const std::string& file) {
  const Json& value = in.at(key);
  if (const std::optional<T> count = count_in<T>(value)) return *count;
  throw ConfigError(file + ": " + key + ": '" + excerpt_of(value) + "'; expected a whole number from 0 to " +
                    std::to_string(std::numeric_limits<T>::max()));
}

}  // namespace

NearBitsFile::NearBitsFile(const std::filesystem::path& file) : file_(file.string()) {
  const auto votes = [&](const Json& operands) {
    Votes all;
    for (const Json& o : operands)
      all[count_at<Register>(o, "register", file_)] = o.at("near").get<bool>() ? 1 : -1;
    return all;
  };
  const auto add = [](Votes& to, const Votes& from) {
    for (const auto& [r, vote] : from) to[r] += vote;
  };
  try {
    const std::optional<std::string> text = file_text(file);
    if (!text)
      throw ConfigError("'" + file_ +
                        "': no such file; expected a file that subcore annotate --json has written");
    const Json whole = Json::parse(*text);
    for (const Json& kernel : whole.at("kernels")) {
      Kernel& code = kernels_[kernel.at("name").get<std::string>()];
      for (const Json& i : kernel.at("instructions")) {
        Operands& o = code[{count_at<std::uint64_t>(i, "pc", file_), i.at("opcode").get<std::string>()}];
        add(o.sources, votes(i.at("sources")));
        add(o.destinations, votes(i.at("destinations")));
      }
    }
  } catch (const nlohmann::json::exception& e) {
    throw ConfigError(file_ + ": has no near bits (" + e.what() +
                      "); expected a file that subcore annotate --json has written");
  }
}

void NearBitsFile::require_kernel(const std::string& kernel) const {
  if (kernels_.count(kernel) != 0) return;
  std::vector<std::string> names;
  for (const auto& [name, code] : kernels_) names.push_back(name);
  throw TraceError(file_ + ": no near bits of kernel '" + kernel + "'; expected one of the file's kernels: " +
                   (names.empty() ? "none" : listed(names, ", ")));
}

void NearBitsFile::apply(const std::string& kernel, std::string_view opcode, StaticInstruction& s) const {
  s.source_near = s.destination_near = 0;
  const Kernel& code = kernels_.at(kernel);
  const auto found = code.find({s.pc, std::string(opcode)});
  if (found == code.end()) return;
  const auto is_near = [](const Votes& votes, Register r) {
    const auto vote = votes.find(r);
    return vote != votes.end() && vote->second > 0;
  };
  for (unsigned k = 0; k < s.source_count; ++k)
    bits::set(s.source_near, k, is_near(found->second.sources, s.sources[k]));
  for (unsigned k = 0; k < s.destination_count; ++k)
    bits::set(s.destination_near, k, is_near(found->second.destinations, s.destinations[k]));
}

}  // namespace subcore
