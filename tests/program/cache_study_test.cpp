#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/manual.h"
#include "tests/program/program.h"

namespace cache_study_test {

using namespace subcore::test;
namespace fs = std::filesystem;

namespace {

const char* const config =
    "arch: 0\nassoc: 2\nn_block: 8\nn_dw: 1\npolicy:\n  - alloc: 2\n  - repl: 1\n  - evict: 0\n"
    "  - dest_map: 1\nbitwidth: 128\nenergy_model:\n  - rfc.r: 23.4685\n  - rfc.w: 24.2801\n"
    "  - mrf.r: 17.4632\n  - mrf.w: 17.9704\n";

std::string listing(const std::string& kernel) {
  return "\t\tFunction : " + kernel +
         "\n        /*0010*/   IADD3 ;   /* 0x0000000000000001 */\n      /* 0x040fe20000000f00 */\n";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

Strings study(const Strings& more) {
  Strings all{"cache-study", "--trace", "t"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Checks that the command is refused, with a --json file that it could leave half-written.
void refuse(const Desk& desk, const Strings& more, const Strings& words) {
  Strings all = study(more);
  all.insert(all.end(), {"--json", "study.json"});
  Strings expected{"expected "};
  expected.insert(expected.end(), words.begin(), words.end());
  desk.refuse(all, expected);
}

}  // namespace

TEST_CASE("the register-cache study reproduces RFC-sim's golden cases") {
  const char* named = std::getenv("SUBCORE_GOLDEN");
  const fs::path golden = named != nullptr
                              ? fs::path(named)
                              : fs::path(SUBCORE_SOURCE_DIR) / ".." / "shared" / "golden" / "rfcsim";
  if (!fs::exists(golden)) {
    WARN("no golden cases here: set SUBCORE_GOLDEN to the folder of case00 to case23");
    return;
  }
  const Desk desk;
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(golden)) {
    if (!entry.is_directory()) continue;
    ++cases;
    const std::string folder = fs::absolute(entry.path()).string();
    INFO(folder);
    const Outcome o = desk.succeed({"cache-study", "--rfcsim-config", folder + "/c.yaml", "--reuse-flags",
                                    folder + "/a.sass", "--trace", folder, "--json", "-"});
    const auto j = nlohmann::json::parse(o.out);
    std::istringstream expected(content_of(entry.path() / "expect.txt"));
    std::string name;
    std::size_t counters = 0;
    for (std::uint64_t value = 0; expected >> name >> value; ++counters) {
      INFO(name);
      CHECK(j.at(name) == value);
    }
    CHECK(counters == 10);
    // RFC-sim's own report: name; five ratios; four counters; energy reduction.
    std::istringstream log(content_of(entry.path() / "log"));
    Strings fields;
    for (std::string field; std::getline(log, field, ';');) fields.push_back(field);
    REQUIRE(fields.size() == 11);
    const auto agrees = [&](const char* key, std::size_t field) {
      CHECK(j.at(key).get<double>() == Approx(std::stod(fields[field])).epsilon(1e-5));
    };
    agrees("read_hit_percent", 1);
    agrees("write_hit_percent", 2);
    agrees("total_hit_percent", 3);
    agrees("mrf_read_reduction_percent", 4);
    agrees("mrf_write_reduction_percent", 5);
    agrees("energy_reduction_percent", 10);
  }
  CHECK(cases == 24);
}

TEST_CASE("a sweep of the register-cache study") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Outcome o = desk.succeed(study({"--json", "s.json", "--csv", "s.csv"}));
  CHECK_THAT(o.out, Catch::Contains("reuse flags: synthetic flags"));
  const auto j = desk.json("s.json");
  CHECK(j["synthetic_flags"] == true);
  CHECK(j["instructions"] == 101);
  REQUIRE(j["configurations"].size() == 20);  // (2 and 4 ways by 2 maps + 8 ways) by 2 policies by 2 widths
  std::size_t table6 = 0;
  for (const auto& c : j["configurations"]) {
    table6 += c["table6"] == true ? 1 : 0;
    for (const char* behaviour : {"compat", "corrected"}) {
      const auto& r = c[behaviour];
      CHECK(r["rdHit"].get<int>() + r["rdMiss"].get<int>() == r["bR"].get<int>());
      CHECK(r["wrHit"].get<int>() + r["wrMiss"].get<int>() == r["bW"].get<int>());
      const auto& e = c["energy_pj"];
      const double before = r["bR"].get<double>() * e["mrf_read"].get<double>() +
                            r["bW"].get<double>() * e["mrf_write"].get<double>();
      const double after = r["mrfR"].get<double>() * e["mrf_read"].get<double>() +
                           r["mrfW"].get<double>() * e["mrf_write"].get<double>() +
                           r["rfcR"].get<double>() * e["rfc_read"].get<double>() +
                           r["rfcW"].get<double>() * e["rfc_write"].get<double>();
      const double saved = 100 * (before - after) / before;
      const bool single_precision = std::string(behaviour) == "compat";  // RFC-sim computes so
      CHECK(r["energy_reduction_percent"].get<double>() ==
            Approx(saved).epsilon(single_precision ? 1e-4 : 1e-12));
    }
    // Words of four lanes at most share an access of a wide bank.
    const bool wide = c["bank_bits"] == 128;
    const auto accesses = [&](const nlohmann::json& of) { return of["corrected"]["rfcW"].get<int>(); };
    if (wide) continue;
    for (const auto& other : j["configurations"]) {
      if (other["bank_bits"] != 128 || other["ways"] != c["ways"] || other["mapping"] != c["mapping"] ||
          other["allocation"] != c["allocation"])
        continue;
      CHECK(accesses(c) > accesses(other));
      CHECK(accesses(c) <= 4 * accesses(other));
    }
  }
  CHECK(table6 == 8);
  CHECK(lines_of(desk.file("s.csv")) == 1 + 2 * 20);
  CHECK(desk.succeed(study({"--csv", "-"})).out == desk.file("s.csv"));
  CHECK(desk.succeed(study({"--json", "-"})).out == desk.file("s.json"));
}

TEST_CASE("a sweep over chosen values") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Outcome o = desk.succeed(study({"--ways", "1,full", "--allocation", "read,look_ahead", "--mapping",
                                        "linear", "--bank-bits", "64", "--flags", "none", "--json", "-"}));
  const auto j = nlohmann::json::parse(o.out);
  REQUIRE(j["configurations"].size() == 4);
  CHECK(j["reuse_flags"] == nlohmann::json({"none"}));
  const auto& read = j["configurations"][0];
  CHECK(read["ways"] == 1);
  CHECK(read["energy_pj"].is_null());
  CHECK_THAT(read["compat"]["failure"].get<std::string>(), Catch::Contains("null allocator"));
  CHECK(read["corrected"]["bR"].get<int>() > 0);
  CHECK(read["corrected"]["energy_reduction_percent"].is_null());
  CHECK(j["configurations"][3]["allocation"] == "look_ahead");
  CHECK(j["configurations"][3]["mapping"].is_null());
  CHECK(j["configurations"][3]["energy_pj"]["source"] == "scaled");
  const Outcome one = desk.succeed(study({"--behaviour", "corrected", "--ways", "2", "--json", "-"}));
  CHECK(nlohmann::json::parse(one.out)["configurations"][0]["compat"].is_null());
}

TEST_CASE("one configuration of the register-cache study") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("c.yaml", config);
  desk.write("a.sass", listing("k"));
  const Strings one{"--rfcsim-config", "c.yaml", "--reuse-flags", "a.sass"};
  const Outcome o = desk.succeed(study(one));
  CHECK_THAT(o.out, Catch::Contains("compat, reuse flags: listing") && Catch::Contains("rdHit") &&
                        Catch::Contains("energy_reduction_percent"));
  Strings corrected = one;
  corrected.insert(corrected.end(), {"--behaviour", "corrected", "--json", "-"});
  const auto j = nlohmann::json::parse(desk.succeed(study(corrected)).out);
  CHECK(j["behaviour"] == "corrected");
  CHECK(j["drained_writes"].get<int>() > 0);
  Names named = named_below("cache-study");
  named.merge(named_below("A configuration in cache-study"));
  for (const char* of_several : {"configurations", "window", "table6", "energy_pj", "compat", "corrected"})
    CHECK(named.erase(of_several) == 1);
  named.merge(named_below("Counts in cache-study"));
  named.insert("behaviour");
  CHECK(keys_of(j) == named);
}

TEST_CASE("bad input of the register-cache study") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("c.yaml", config);
  desk.write("a.sass", listing("k"));
  refuse(desk, {"--rfcsim-config", "none.yaml"}, {"none.yaml"});
  refuse(desk, {"--rfcsim-config", "c.yaml", "--reuse-flags", "none.sass"}, {"none.sass: cannot open"});
  desk.write("other.sass", listing("other"));
  refuse(desk, {"--reuse-flags", "other.sass"}, {"other.sass: no function 'k'", "among other"});
  desk.write("bad.yaml", changed(config, "alloc: 2", "alloc: 9"));
  refuse(desk, {"--rfcsim-config", "bad.yaml"},
         {"bad.yaml:6: policy.alloc: '9'", "0 (read), 1 (write), 2 (compiler_aided), 3 (look_ahead)"});
  desk.write("read.yaml", changed(config, "alloc: 2", "alloc: 0"));
  refuse(desk, {"--rfcsim-config", "read.yaml"}, {"read.yaml: allocation 'read'", "null allocator"});
  desk.write("ways.yaml", changed(config, "assoc: 2", "assoc: 3"));
  refuse(desk, {"--rfcsim-config", "ways.yaml"}, {"ways.yaml: ways 3"});
  desk.write("key.yaml", changed(config, "assoc: 2", "assoc: 2\nasoc: 2"));
  refuse(desk, {"--rfcsim-config", "key.yaml"}, {"key.yaml:3: asoc: unknown key"});
  refuse(desk, {"--trace", "u"}, {"several traces"});
  desk.refuse({"cache-study", "--trace", "nowhere"}, {"nowhere: cannot open", "expected"});
  desk.refuse({"cache-study"}, {"no trace; expected --trace"});
  refuse(desk, {"--ways", "3"}, {"'3' for --ways; expected a divisor of the 8 entries, or full"});
  refuse(desk, {"--ways", "0"}, {"'0' for --ways"});
  refuse(desk, {"--ways", "two"}, {"'two' for --ways"});
  refuse(desk, {"--allocation", "wirte"}, {"did you mean 'write'?", "read, write, read_write"});
  refuse(desk, {"--bank-bits", "48"}, {"bank width 48"});
  refuse(desk, {"--entries", "-1"}, {"--entries"});
  refuse(desk, {"--flags", "some"}, {"'some' for --flags", "auto, trace, synthetic, none"});
  refuse(desk, {"--behaviour", "right"}, {"'right' for --behaviour"});
  refuse(desk, {"--rfcsim-config", "c.yaml", "--ways", "2"}, {"--ways with --rfcsim-config"});
  refuse(desk, {"--reuse-flags", "a.sass", "--flags", "none"}, {"--flags none with --reuse-flags"});
  refuse(desk, {"--colour"}, {"colour"});
  desk.trace("cut", sound_lines(), "500");
  desk.refuse({"cache-study", "--trace", "cut", "--json", "x.json", "--csv", "x.csv"},
              {"cut/kernel-1.traceg:", "expected 500 lines"});
  desk.refuse(study({"--json", "no/such/x.json"}), {"no/such/x.json"});
  // RFC-sim ends itself, and so does the one run that was asked for.
  desk.write("t/kernel-1.traceg", header() + one_warp("0000 ffffffff 1 R4 HMMA.1688.F32 2 R1 R2 0\n"));
  refuse(desk, {"--rfcsim-config", "c.yaml"}, {"kernel-1.traceg:17: HMMA.1688.F32 with 3 register operands"});
  CHECK_THAT(desk.succeed({"cache-study", "--trace", "t"}).out, Catch::Contains("no compat numbers: "));
}

TEST_CASE("a register-cache study of a program counter with two instructions is refused by file and line") {
  const Desk desk;
  desk.trace("t", "0000 ffffffff 1 R1 FADD 1 R2 0\n0000 ffffffff 1 R1 FMUL 1 R2 0\n");
  refuse(desk, {},
         {"t/kernel-1.traceg:18: 'FMUL' at pc 0000, which had 'FADD' before; expected one instruction"});
  desk.trace("t", "0000 ffffffff 1 R1 FADD 1 R2 0\n0000 ffffffff 1 R1 FADD 1 R3 0\n");
  refuse(desk, {}, {"t/kernel-1.traceg:18: 'FADD' at pc 0000, which had other operands before"});
  // NVBit counts from 0 again in a function.
  desk.trace(
      "t",
      "0000 ffffffff 0 CALL.REL.NOINC 0 0\n0000 ffffffff 1 R1 FMUL 1 R2 0\n0000 ffffffff 1 R1 FADD 1 R2 0\n");
  desk.succeed(study({}));
}

}  // namespace cache_study_test
