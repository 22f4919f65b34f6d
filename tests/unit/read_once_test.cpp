// Files of many platforms are read once each: with() opens no file, and each energy table is read once.
#include <catch2/catch.hpp>

#include "subcore/base/file_kind.h"
#include "subcore/base/input_file.h"
#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/power/energy_table.h"
#include "subcore/program/runs/run_key.h"
#include "tests/unit/trace_files.h"

namespace read_once_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("a platform file with many sets of overrides is read once") {
  const PlatformFile file(find_platform("malekeh"));
  const std::uint64_t before = YamlSource::files_read();
  PlatformHashes of_platforms;
  std::set<std::string> hashes{of_platforms.of(file.with({}))};
  const std::uint64_t with_tables = YamlSource::files_read();
  CHECK(with_tables > before);
  CHECK(with_tables <= before + 3 * EnergyTables().shipped().size());  // some tables extend others
  for (int seed = 2; seed <= 100; ++seed)
    hashes.insert(of_platforms.of(file.with({"seed=" + std::to_string(seed)})));
  CHECK(hashes.size() == 100);
  CHECK(YamlSource::files_read() == with_tables);
  CHECK(hashes.count(PlatformHashes().of(load_platform(find_platform("malekeh"), {"seed=7"}))) == 1);
}

TEST_CASE("a platform file read once says what one read each time says") {
  const TemporaryFolder folder;
  folder.write("base.yaml", "extends: malekeh\nsub_core: {collector: {entries: 12}}\n");
  const auto path = folder.write("mine.yaml", "extends: base.yaml\nsub_core: {collector: {count: 4}}\n");
  const PlatformFile file(path);
  const std::vector<std::vector<std::string>> all{
      {},
      {"seed=2"},
      {"sub_core.collector.count=2", "sub_core.collector.entries=8"},
      {"sub_core.collector.entries=6"},
      {"sub_core.collector.window=3"},
      {"sub_core.operand_cache.kind=rfc"},
      {"nothing"},
      {"sub_core.colector.count=2"},
      {"sub_core.collector.count = 3 "}};
  const auto said = [](const auto& load) {
    try {
      return resolved_yaml(load());
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
  };
  for (int twice = 0; twice < 2; ++twice)
    for (const auto& overrides : all) {
      std::set<std::string> unread_once, unread;
      CHECK(said([&] { return file.with(overrides); }) ==
            said([&] { return load_platform(path, overrides); }));
      CHECK(said([&] { return file.with(overrides, &unread_once); }) ==
            said([&] { return load_platform(path, overrides, nullptr, &unread); }));
      CHECK(unread_once == unread);
    }
  CHECK(said([&] { return file.with({"sub_core.collector.count = 3 "}); }) ==
        said([&] { return file.with({"sub_core.collector.count=3"}); }));
  std::set<std::filesystem::path> files;
  load_platform(path, {}, &files);
  CHECK(file.files() == files);
}

TEST_CASE("the text of an energy table is of all that it says, and of nothing else") {
  const TemporaryFolder folder;
  const auto text = [&](const std::string& more) {
    const auto file = folder.write("table.yaml", "extends: cacti22\npreset: p\n" + more);
    return EnergyTables().text_of(file.string());
  };
  CHECK(text("# a comment\n") == text(""));
  const std::string points = "events: {arb: {by: collectors, points: {2: 1, 4: 2}";
  std::set<std::string> all{text("")};
  const std::string bit = "hardware: {node_nm: 22, voltage: 1, data: {area_um2: ";
  const std::vector<std::string> tables{"source: other\n",
                                        "events: {arb: 1}\n",
                                        "events: {arb: 2}\n",
                                        "events: {xbar_rd: 1}\n",
                                        points + "}}\n",
                                        points + ", factor: 2}}\n",
                                        points + ", only: ocu}}\n",
                                        points + ", only: [ocu, ccu]}}\n",
                                        points + ", formula: {constant: 1}}}\n",
                                        points + ", formula: {slope: 1}}}\n",
                                        "events: {arb: {by: entries, points: {2: 1, 4: 2}}}\n",
                                        "events: {arb: {by: gpu.sms, points: {2: 1, 4: 2}}}\n",
                                        "events: {arb: {by: sm.cta_slots, points: {2: 1, 4: 2}}}\n",
                                        "hardware: {node_nm: 22, voltage: 1}\n",
                                        "hardware: {node_nm: 28, voltage: 1}\n",
                                        "hardware: {node_nm: 28, voltage: 1, cell_um2: 2}\n",
                                        "hardware: {node_nm: 28, voltage: 2}\n",
                                        bit + "1, leakage_nw: 2}}\n",
                                        bit + "2, leakage_nw: 1}}\n",
                                        bit + "2, leakage_nw: 1, per_port: 1}}\n",
                                        "hardware: {node_nm: 22, voltage: 1, parts: {a.b: {area_um2: 1, "
                                        "leakage_nw: 2}}}\n"};
  for (const std::string& t : tables) {
    INFO(t);
    CHECK(all.insert(text(t)).second);
  }
}

TEST_CASE("the keys by which a file's kind is known are all that a platform has at its top") {
  PlatformParameters platform;
  std::set<std::string> top{"extends"};
  for (const Parameter& p : parameter_list(platform)) top.insert(p.key.substr(0, p.key.find('.')));
  const auto& known = keys_of(FileKind::platform);
  CHECK(std::set<std::string>(known.begin(), known.end()) == top);
}

TEST_CASE("the nearest word is another than what was typed") {
  const std::vector<std::string> words{"count", "counts", "mount"};
  CHECK(nearest_word("cuont", words) == "count");
  CHECK(nearest_word("count", words).empty());
  CHECK(did_you_mean("counts", words).empty());
  CHECK(did_you_mean("coun", words) == " did you mean 'count'?");
  const TemporaryFolder folder;
  folder.write("there.yaml", "");
  std::filesystem::create_symlink("nowhere", folder.path() / "their.yaml");
  CHECK(did_you_mean_file(folder.path() / "their.yaml").empty());
  CHECK(did_you_mean_file(folder.path() / "thre.yaml").find("there.yaml'?") != std::string::npos);
}

TEST_CASE("an input file is read whole, up to a limit, or it is said why not") {
  const TemporaryFolder folder;
  const std::string text(200000, 'x');
  const auto file = folder.write("file", text);
  CHECK(read_input(file, text.size()) == text);
  CHECK(read_input(file, 10).size() > 10);
  CHECK(read_input("/dev/zero", 1000).size() > 1000);
  CHECK(read_input("/dev/null", 1000).empty());
  const auto refused = [&](const std::filesystem::path& path, bool is_missing) {
    try {
      read_input(path, 10);
    } catch (const InputError& e) {
      CHECK(e.is_missing() == is_missing);
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused(folder.path() / "none", true) == "No such file or directory");
  CHECK(refused(file / "below", true) == "Not a directory");
  CHECK(refused(folder.path(), false) == "Is a directory");
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  CHECK(refused(folder.path() / "loop", false) == "Too many levels of symbolic links");
}

}  // namespace read_once_test
