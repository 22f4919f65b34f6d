#include "subcore/platforms/config/reader.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/base/yaml_source.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/parameters/parameter_list.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t deepest_extension = 100;

// Groups and keys that belong to register systems, and therefore to no machine.
constexpr const char* keys_of_systems[] = {
    "passes",
    "sthld",
    "sub_core.collector.allocation",
    "sub_core.collector.kind",
    "sub_core.operand_cache",
    "sub_core.scheduler.issue",
    "sub_core.scheduler.priority",
    "sub_core.scheduler.two_level",
    "sub_core.scheduler.war_guard",
};

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

class Reader {
 public:
  explicit Reader(PlatformParameters& parameters)
      : parameters_(parameters), list_(parameter_list(parameters)), refused_(list_.size()) {}
  // Goes on with a copy of the parameters that `base` has read.
  Reader(PlatformParameters& copy, const Reader& base)
      : parameters_(copy),
        list_(parameter_list(copy)),
        refused_(base.refused_),
        base_(&base),
        level_(base.level_) {}

  // Reads the files of a platform. A file's bases come first, so that the file overrides them. A base of
  // several files counts where it is named last, because it would say the same again there. Such a base is
  // therefore read once. A machine's keys are checked as on a system that leaves all keys at their defaults.
  void read_platform(const PlatformChoice& choice) {
    if (choice.machine == machine_of_trace)
      throw ConfigError(choice.file.string() + " on machine " + machine_of_trace +
                        ": a trace chooses this machine, but no trace is given; expected a machine's name");
    collect(choice.file, Role::system);
    is_whole_ = files_.front().has("machine");
    if (const File& file = files_.front(); !is_whole_) {
      std::deque<File> system;
      system.swap(files_);
      collect(choice.machine.empty() ? find_machine(default_machine) : choice.machine, Role::machine);
      reads_machine_ = true;
      read_files();
      reads_machine_ = false;
      files_.swap(system);
    } else if (!choice.machine.empty() && !choice.by_trace) {
      throw ConfigError(file.path.string() + ": is a whole platform, on machine " + choice.machine.string() +
                        "; expected a register system, which has no key machine");
    }
    read_files();
    if (!choice.machine.empty() && !choice.by_trace)
      parameters_.name = parameters_.machine + '/' + parameters_.name;
  }

  // Reads the overrides, and then checks all parameters. Overrides that the platform does not read are an
  // error, or are added to `unread`. The same holds for values that the chosen implementations cannot take,
  // though others with the same key could. The first contradiction is an error. The error names the key that
  // was set last against the other keys.
  void read_overrides(const std::vector<std::string>& overrides, std::set<std::string>* unread,
                      const PlatformParameters& parameters, const fs::path& file) {
    begin_level();
    for (const std::string& text : overrides) read_override(text);
    replace_words();
    const std::vector<Parameter> now = parameter_list(parameters_);
    if (unread == nullptr) check_read(now);
    if (unread != nullptr)
      for (const std::string& text : overrides)
        if (!owners_unless_read(now, trimmed(text.substr(0, text.find('=')))).empty()) unread->insert(text);
    check(now, parameters, file);
  }

  // The files that were read.
  const std::set<fs::path>& files() const { return collected_; }
  bool is_whole() const { return is_whole_; }

 private:
  // The part of a platform that a file describes.
  enum class Role { system, machine };
  static constexpr const char* machine_comes_by = "--gpu, 'gpu' of a scenario file, or MACHINE/SYSTEM";

  void read_files() {
    for (auto f = files_.rbegin(); f != files_.rend(); ++f) {
      begin_level();  // at the end own_ holds the keys of the last file itself
      if (std::next(f) == files_.rend()) reset_identity(f->path);
      read_entries(f->source, f->entries, "");
    }
    check_read(parameter_list(parameters_));
  }

  // Begins a level: a file, or all overrides. A key of a later level counts against keys of an earlier one.
  void begin_level() {
    own_.clear();
    ++level_;
  }

  // The level that has set the key; 0 if no level has.
  std::size_t level_of(const std::string& key) const {
    const Origin* const origin = origin_of(key);
    return origin == nullptr ? 0 : origin->level;
  }

  // Replaces words by the numbers that they stand for. If the sub-core's number of warps is set later than
  // the SM's, the SM's number is the sum over its sub-cores.
  void replace_words() {
    PlatformParameters& p = parameters_;
    const std::uint32_t sub_cores = p.multiprocessor.sub_cores;
    if (p.sub_core.warp_slots != 0) {
      if (std::max(level_of("sub_core.warp_slots"), level_of("sm.sub_cores")) > level_of("sm.warp_slots"))
        p.multiprocessor.warp_slots = p.sub_core.warp_slots * sub_cores;
    } else if (p.multiprocessor.warp_slots % sub_cores == 0) {
      p.sub_core.warp_slots = p.multiprocessor.warp_slots / sub_cores;
    }
    if (p.sub_core.collector.count == 0) p.sub_core.collector.count = p.sub_core.warp_slots;
    // A read window needs no slot for each operand, because it reads for as many cycles as the ports demand.
    if (CollectorParameters& c = p.sub_core.collector; c.slots == 0) {
      const ExecutionParameters& units = p.sub_core.execution;
      c.slots =
          std::max(8u, c.kind->reads_in_window() ? units.widest_instruction() : units.widest_of_doubles());
    }
    if (std::uint32_t& entries = p.passes.near_bits.store.entries; entries == 0)
      entries = p.sub_core.near_entries(p.passes.near_bits.asks_order());
  }

  void check(const std::vector<Parameter>& now, const PlatformParameters& parameters,
             const fs::path& file) const {
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i].read && !refused_[i].empty())
        throw ConfigError(origin_of(now[i].key)->where + ": " + now[i].key + ": " + refused_[i]);
    const std::vector<Contradiction> found = contradictions(parameters);
    if (found.empty()) return;
    const Contradiction& c = found.front();
    std::vector<std::string> keys{c.key};
    keys.insert(keys.end(), c.others.begin(), c.others.end());
    const Origin* latest = nullptr;
    std::string blamed = c.key;
    for (const std::string& key : keys) {
      const Origin* const origin = origin_of(key);
      if (origin == nullptr || (latest != nullptr && latest->order > origin->order)) continue;
      latest = origin;
      blamed = key;
    }
    throw ConfigError((latest != nullptr ? latest->where : file.string()) + ": " + blamed + ": " + c.problem);
  }

  void read_override(const std::string& text) {
    const std::string origin = "--set " + text;
    const auto equals = text.find('=');
    const std::string key = trimmed(text.substr(0, equals));
    if (equals == std::string::npos || key.empty())
      throw ConfigError(origin + ": is not an assignment; expected key=value");
    const std::string value = trimmed(text.substr(equals + 1));
    if (key == "machine")
      throw ConfigError(origin + ": only a machine's file may set its own name; expected the machine as " +
                        machine_comes_by);
    if (find(key) == nullptr) {
      const std::vector<std::string> inside = keys_under(key);
      if (!inside.empty())
        throw ConfigError(origin + ": is a group of keys; expected one key in it: " + list_text(inside));
      throw ConfigError(origin + ": " + unknown_key(key));
    }
    const std::string problem = assign_to_all(key, [&](const Parameter& p) {
      if (const auto* structure = std::get_if<Structure>(&p.value)) {
        const YamlSource source(value, origin);
        structure->read(source, source.root(), source.root(), key);
        return std::string();
      }
      return assign(p, value);
    });
    if (!problem.empty()) throw ConfigError(origin + ": " + problem);
    remember(key, origin);
  }

  // A key that this level sets must be read by the platform; else it was meant for another platform. An
  // inherited key may be of no use to the platform.
  void check_read(const std::vector<Parameter>& now) const {
    for (const std::string& key : own_) {
      const std::string owners = owners_unless_read(now, key);
      if (!owners.empty())
        throw ConfigError(origin_of(key)->where + ": " + key + ": is read only with " + owners +
                          "; expected that setting, or no such key");
    }
  }

  // The owners of a key that the platform does not read; empty if the platform reads it.
  static std::string owners_unless_read(const std::vector<Parameter>& now, const std::string& key) {
    std::string owners;
    for (const Parameter& p : now) {
      if (p.key != key) continue;
      if (p.read) return {};
      owners += (owners.empty() ? "" : " or ") + p.owner;
    }
    return owners;
  }

  struct Origin {
    std::string where;
    std::size_t order, level;
  };

  // The origin of a key's value; null if the value is the default.
  const Origin* origin_of(const std::string& key) const {
    const auto found = origins_.find(key);
    if (found != origins_.end()) return &found->second;
    return base_ == nullptr ? nullptr : base_->origin_of(key);
  }

  // Name and description are not inherited: in a report, a variant with its base's name would look like the
  // base.
  void reset_identity(const fs::path& file) {
    parameters_.name = file.stem().string();
    parameters_.description.clear();
  }

  struct File {
    fs::path path;
    YamlSource source;
    std::vector<YamlSource::Entry> entries;
    bool has(const char* key) const {
      return std::any_of(entries.begin(), entries.end(),
                         [&](const YamlSource::Entry& e) { return e.key == key; });
    }
  };

  // Collects files from the last one to be applied to the first: a file, then the files that it extends, the
  // last first.
  void collect(const fs::path& path, Role role) {
    if (!open_.empty() && !seen_.insert(fs::absolute(path).lexically_normal()).second) return;
    if (open_.empty()) seen_ = {fs::absolute(path).lexically_normal()};
    collected_.insert(fs::absolute(path).lexically_normal());
    open_.push_back(path);
    YamlSource source(path);
    auto entries = source.entries(source.root(), source.root(), "");
    require_kind(source, entries, FileKind::platform);
    File& file = files_.emplace_back(File{path, std::move(source), std::move(entries)});
    require_role(file, role);
    for (const YamlSource::Entry& e : file.entries)
      if (e.key == "extends") collect_extended(file, e, role);
    open_.pop_back();
  }

  void require_role(const File& file, Role role) const {
    const bool is_first = open_.size() == 1;
    std::string problem;
    if (role == Role::system && file.has("machine") && !(is_first && file.has("name")))
      problem = std::string("is a machine; expected a register system here, and the machine as ") +
                machine_comes_by;
    if (role == Role::machine && file.has("name"))
      problem = "is a register system by its key name; expected a machine";
    if (role == Role::machine && is_first && !file.has("machine"))
      problem =
          "is not a machine, because it has no key machine; expected a machine here, and a register system "
          "as --platform";
    if (!problem.empty())
      throw ConfigError((is_first ? "" : open_[open_.size() - 2].string() + ": extends: ") +
                        file.path.string() + ": " + problem);
  }

  void collect_extended(const File& file, const YamlSource::Entry& entry, Role role) {
    std::vector<YamlNode> bases;
    if (entry.value.is_list() && !entry.value.items().empty())
      bases = entry.value.items();
    else
      bases.push_back(entry.value);
    std::vector<fs::path> paths;
    for (const YamlNode& base : bases)
      paths.push_back(base_of(file, entry, base, entry.value.is_list() ? base : entry.key_node));
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) collect(*path, role);
  }

  fs::path base_of(const File& file, const YamlSource::Entry& entry, const YamlNode& node,
                   const YamlNode& at) const {
    if (!node.is_scalar() || node.text().empty())
      file.source.fail(entry.key_node, "extends: " + node_words(node) +
                                           " is not a file; expected a file name or a list of file names");
    const fs::path beside = (file.path.parent_path() / node.text()).lexically_normal();
    std::error_code error;
    fs::path base = beside;
    if (!is_there(base))
      if (const auto shipped = find_shipped("platforms", node.text())) base = *shipped;
    if (!is_there(base)) {
      const fs::path stem = fs::path(node.text()).replace_extension();
      std::string hint = did_you_mean_file(beside);
      if (const std::string now = name_now(stem.string()); !now.empty())
        hint = " its name is '" + now + "' now, a register system on a machine;";
      if (hint.empty()) hint = did_you_mean(stem.string(), shipped_names("platforms"));
      file.source.fail(at, "extends: " + beside.string() + ": no such file;" + hint +
                               " expected a file beside this one or a shipped platform");
    }
    for (auto open = open_.begin(); open != open_.end(); ++open)
      if (fs::equivalent(*open, base, error)) {
        std::string chain;
        for (; open != open_.end(); ++open) chain += open->string() + " -> ";
        file.source.fail(at, "extends: " + beside.string() + " extends itself; expected no cycle (" + chain +
                                 beside.string() + ")");
      }
    if (open_.size() == deepest_extension)
      file.source.fail(
          at, "extends: " + beside.string() + " is file " + std::to_string(deepest_extension + 1) +
                  " in a row that extend each other; expected at most " + std::to_string(deepest_extension));
    return base;
  }

  void read_entries(const YamlSource& source, const std::vector<YamlSource::Entry>& entries,
                    const std::string& path) {
    for (const auto& e : entries) {
      if (path.empty() && e.key == "extends") continue;
      const std::string key = under(path, e.key);
      if (const Parameter* p = find(key)) {
        read_parameter(source, e, *p);
      } else if (!keys_under(key).empty()) {
        if (!e.value.is_map() || e.value.pairs().empty())
          source.fail(e.key_node, key + ": is " + node_words(e.value) + "; expected a map of " +
                                      list_text(keys_under(key)));
        read_entries(source, source.entries(e.value, e.key_node, key), key);
      } else {
        source.fail(e.key_node, key + ": " + unknown_key(key));
      }
    }
  }

  void read_parameter(const YamlSource& source, const YamlSource::Entry& e, const Parameter& p) {
    for (const std::string key : keys_of_systems)
      if (reads_machine_ && (p.key == key || starts_with(p.key, key + '.')))
        source.fail(e.key_node, p.key + ": is a key of register systems; expected no such key in a machine");
    const std::string problem = assign_to_all(p.key, [&](const Parameter& each) {
      if (const auto* structure = std::get_if<Structure>(&each.value)) {
        structure->read(source, e.value, e.key_node, p.key);
        return std::string();
      }
      if (!e.value.is_scalar()) return "is " + node_words(e.value) + "; expected " + expectation(each);
      if (each.is_file) {
        const fs::path beside = fs::path(source.name()).parent_path() / e.value.text();
        if (is_plain_file(beside)) return assign(each, beside.string(), true);
      }
      return assign(each, e.value.text(), e.value.is_quoted());
    });
    if (!problem.empty()) source.fail(e.key_node, p.key + ": " + problem);
    remember(p.key, source.where(e.key_node));
  }

  void remember(const std::string& key, const std::string& where) {
    origins_[key] = Origin{where, ++assignments_ + (base_ == nullptr ? 0 : base_->assignments_), level_};
    own_.push_back(key);
  }

  // Gives the value to all implementations that have a parameter of this key, whichever is chosen in the end.
  // Returns the problem if no implementation can take the value; otherwise refused_ keeps the problems of
  // those that cannot.
  template <class Assign>
  std::string assign_to_all(const std::string& key, Assign assign_one) {
    std::string first_problem;
    bool taken = false;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      if (list_[i].key != key) continue;
      refused_[i] = assign_one(list_[i]);
      taken |= refused_[i].empty();
      if (first_problem.empty()) first_problem = refused_[i];
    }
    return taken ? std::string() : first_problem;
  }

  const Parameter* find(const std::string& key) const {
    const auto found =
        std::find_if(list_.begin(), list_.end(), [&](const Parameter& p) { return p.key == key; });
    return found == list_.end() ? nullptr : &*found;
  }

  // The next components below a group ("" = top), in declaration order; empty if `group` is no group.
  std::vector<std::string> keys_under(const std::string& group) const {
    const std::string prefix = group.empty() ? "" : group + '.';
    std::vector<std::string> keys;
    for (const Parameter& p : list_) {
      if (!starts_with(p.key, prefix)) continue;
      const std::string next = p.key.substr(prefix.size(), p.key.find('.', prefix.size()) - prefix.size());
      if (std::find(keys.begin(), keys.end(), next) == keys.end()) keys.push_back(next);
    }
    return keys;
  }

  std::string unknown_key(const std::string& key) const {
    if (const std::string first = key.substr(0, key.find('.')); first == "hints")
      return "hints is called 'passes' now; expected passes" + key.substr(first.size());
    if (key == "passes.mode")
      return "passes.mode is called 'passes.near_bits' now; expected passes.near_bits, with 'threshold' for "
             "'profile'";
    // The mistake is in the deepest group that exists.
    std::string group = key, wrong;
    std::vector<std::string> known;
    do {
      const auto dot = group.rfind('.');
      wrong = dot == std::string::npos ? group : group.substr(dot + 1);
      group = dot == std::string::npos ? "" : group.substr(0, dot);
      known = keys_under(group);
    } while (known.empty() && !group.empty());
    if (group.empty()) known.insert(known.begin(), "extends");
    std::string hint = did_you_mean(wrong, known);
    // The word may be right, but in the wrong place.
    const std::string leaf = key.substr(key.rfind('.') + 1);
    if (hint.empty())
      for (const Parameter& p : list_)
        if (p.key.substr(p.key.rfind('.') + 1) == leaf) {
          hint = " did you mean '" + p.key + "'?";
          break;
        }
    return "unknown key;" + hint + " expected one of " + list_text(known);
  }

  PlatformParameters& parameters_;
  std::vector<Parameter> list_;
  std::vector<std::string> refused_;  // by position in list_: why the last value was not taken
  std::vector<std::string> own_;      // keys that the present file, or the overrides, have set
  bool reads_machine_ = false, is_whole_ = false;
  const Reader* base_ = nullptr;  // the reader from which the parameters were copied
  std::map<std::string, Origin> origins_;
  std::size_t assignments_ = 0, level_ = 0;
  std::deque<File> files_;
  std::set<fs::path> collected_;  // files of machine and system
  std::set<fs::path> seen_;       // files of machine or system, whichever is being read
  std::vector<fs::path> open_;    // files whose bases are being collected, outermost first
};

}  // namespace

class PlatformFile::Content {
 public:
  explicit Content(const PlatformChoice& choice) : file_(choice.file), reader_(parameters_) {
    reader_.read_platform(choice);
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  const std::set<fs::path>& files() const { return reader_.files(); }
  bool is_whole() const { return reader_.is_whole(); }
  PlatformParameters with(const std::vector<std::string>& overrides, std::set<std::string>* unread) const {
    PlatformParameters parameters = parameters_;
    Reader reader(parameters, reader_);
    reader.read_overrides(overrides, unread, parameters, file_);
    return parameters;
  }

 private:
  fs::path file_;
  PlatformParameters parameters_ = defaults_of_files();
  Reader reader_;
};

PlatformFile::PlatformFile(const PlatformChoice& choice) : content_(std::make_shared<Content>(choice)) {}

PlatformParameters PlatformFile::with(const std::vector<std::string>& overrides,
                                      std::set<std::string>* unread) const {
  return content_->with(overrides, unread);
}

const std::set<fs::path>& PlatformFile::files() const {
  return content_->files();
}

bool PlatformFile::is_whole() const {
  return content_->is_whole();
}

PlatformParameters load_platform(const PlatformChoice& choice, const std::vector<std::string>& overrides,
                                 std::set<fs::path>* files, std::set<std::string>* unread) {
  const PlatformFile whole(choice);
  PlatformParameters parameters = whole.with(overrides, unread);
  if (files != nullptr) files->insert(whole.files().begin(), whole.files().end());
  return parameters;
}

}  // namespace subcore
