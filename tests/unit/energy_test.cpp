#include <catch2/catch.hpp>

#include "config_text.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/power/energy_model.h"
#include "subcore/power/energy_table.h"

namespace energy_test {

using namespace subcore;
using Catch::Contains;
using Catch::StartsWith;
using subcore::test::error_of;
using subcore::test::TemporaryFolder;

namespace {

EnergyCoefficients coefficients(const std::string& platform, const std::vector<std::string>& overrides = {}) {
  return energy_coefficients(load_platform(find_platform(platform), overrides));
}

using Texts = std::vector<std::string>;

Texts texts(const std::vector<EnergyCoefficients::Note>& notes) {
  Texts all;
  for (const auto& note : notes) all.push_back(note.text);
  return all;
}

// A complete table with the first occurrence of `from` replaced.
std::string table_error(const std::string& from, const std::string& to) {
  std::string text =
      "preset: mine\n"
      "source: a test\n"
      "events:\n"
      "  bank_rd: {by: bank_kilobytes, points: {32: 2}, formula: {constant: 1, slope: 0.5}}\n"
      "  bank_wr: 4\n"
      "  xbar_rd: {by: read_crossbar, points: {2x2: 3}, formula: {per_input: 1, per_output: 2}}\n"
      "  xbar_wr: {only: ccu, by: write_crossbar, points: {1x2: 3}}\n"
      "  arb: 0\n  buf_rd: 1\n  buf_wr: 1\n  tag_search: 0\n  tag_wr: 0\n  fwd_rd: 0\n  fwd_wr: 0\n"
      "  cache_rd: 1\n  cache_wr: 1\n  cache_search: 0\n  cache_path: 0\n  cache_out: 0\n"
      "hardware:\n"
      "  node_nm: 22\n  voltage: 0.8\n  data: {area_um2: 0.1, leakage_nw: 20}\n";
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  TemporaryFolder folder;
  PlatformParameters p;
  p.energy.preset = folder.write("t.yaml", text).string();
  std::string message = error_of([&] { energy_coefficients(p); });
  const std::string prefix = folder.path().string() + '/';
  if (message.find(prefix) == 0) message.erase(0, prefix.size());
  return message;
}

}  // namespace

TEST_CASE("the default table gives the computed points of each shipped platform") {
  // pJ in the order of EnergyEvent, from CACTI.
  using Pj = std::array<double, energy_event_count>;
  const auto pj = [](const std::string& platform) {
    const EnergyCoefficients c = coefficients(platform);
    Pj all{};
    for (std::size_t e = 0; e < all.size(); ++e) all[e] = c.pj[e];
    return all;
  };
  CHECK(pj("baseline") == Pj{24.7, 37.9, 54.9, 0, 0.013, 5.8, 6.0, 0, 0, 0, 0});
  CHECK(pj("malekeh") == Pj{24.7, 37.9, 54.9, 39.1, 0.013, 5.8, 6.1, 0.10, 0.05, 0, 0});
  CHECK(pj("malekeh_private") == Pj{24.7, 37.9, 132.8, 114.2, 0.029, 5.8, 6.1, 0.10, 0.05, 0, 0});
  CHECK(pj("bow") == Pj{24.7, 37.9, 132.8, 114.2, 0.029, 5.9, 6.4, 0.13, 0.05, 5.9, 6.4});
  CHECK(pj("bow_wr") == pj("bow"));
  CHECK(texts(coefficients("bow").scaled) == Texts{"tag_wr: 12 entries held at 8 entries"});
  CHECK(pj("traditional") == pj("malekeh"));
  for (const char* name : {"baseline", "malekeh", "malekeh_private", "traditional"})
    CHECK(coefficients(name).scaled.empty());
  const auto c = coefficients("malekeh");
  CHECK(c.preset == "cacti22");
  CHECK_THAT(c.source, Contains("CACTI"));
  CHECK(c[EnergyEvent::bank_wr] == 37.9);
}

TEST_CASE("structures between the points are scaled, and said so") {
  const auto c = coefficients("malekeh", {"sub_core.collector.count=16", "sub_core.collector.entries=16",
                                          "sub_core.register_file.bank_kilobytes=64"});
  CHECK(c[EnergyEvent::bank_rd] == Approx(22.0 + 0.10 * 64));
  CHECK(c[EnergyEvent::bank_wr] == Approx(21.0 + 0.53 * 64));
  CHECK(c[EnergyEvent::xbar_rd] == Approx(3.4 + 12.75 * 2 + 12.99 * 16));
  CHECK(c[EnergyEvent::xbar_wr] == Approx(3.4 + 12.75 * 1 + 12.99 * 16));
  CHECK(c[EnergyEvent::arb] == 0.074);
  CHECK(c[EnergyEvent::buf_rd] == Approx(5.64 + 0.0184 * 16));
  CHECK(c[EnergyEvent::buf_wr] == Approx(5.44 + 0.085 * 16));
  CHECK(c[EnergyEvent::tag_search] == Approx(0.026 + 0.0088 * 16));
  CHECK(c[EnergyEvent::tag_wr] == 0.05);
  CHECK(texts(c.scaled) ==
        Texts{"bank_rd: 64 KB by formula", "bank_wr: 64 KB by formula", "xbar_rd: 2x16 by formula",
              "xbar_wr: 1x16 by formula", "buf_rd: 16 entries by formula", "buf_wr: 16 entries by formula",
              "tag_search: 16 entries by formula", "tag_wr: 16 entries held at 8 entries"});
  // Between two points without a formula: along the line.
  const auto five = coefficients("malekeh", {"sub_core.collector.count=5"});
  CHECK(five[EnergyEvent::arb] == Approx(0.021));
  CHECK_THAT(texts(five.scaled),
             Catch::VectorContains(std::string("arb: 5 collectors between 2 collectors and 8 collectors")));
  // An ocu's slots, not its unused entries, size its buffer.
  const auto ocu = coefficients("baseline", {"sub_core.collector.slots=12"});
  CHECK(ocu[EnergyEvent::buf_wr] == 6.4);
  CHECK(ocu[EnergyEvent::tag_search] == 0);
  // More banks make a wider crossbar. 8x8 is a point of its own.
  const auto wide =
      coefficients("baseline", {"sub_core.register_file.banks=8", "sub_core.collector.count=8"});
  CHECK(wide[EnergyEvent::xbar_rd] == 209.3);
  CHECK(wide.scaled.empty());
}

TEST_CASE("scaling formulae stay close to the computed points") {
  for (const auto& [banks, collectors, pj] :
       {std::tuple{2, 3, 67.9}, std::tuple{4, 4, 106.4}, std::tuple{2, 7, 119.8}})
    CHECK(coefficients("baseline",
                       {"sub_core.register_file.banks=" + std::to_string(banks),
                        "sub_core.collector.count=" + std::to_string(collectors)})[EnergyEvent::xbar_rd] ==
          Approx(pj).margin(0.1));
}

TEST_CASE("the other presets") {
  const auto with = [](const std::string& platform, const std::string& preset) {
    return coefficients(platform, {"energy.preset=" + preset});
  };
  const auto bow = with("malekeh", "bow_table4");
  CHECK(bow[EnergyEvent::bank_rd] == 185.26);
  CHECK(bow[EnergyEvent::bank_wr] == 185.26);
  CHECK(bow[EnergyEvent::buf_rd] == 2.72);
  CHECK(bow[EnergyEvent::xbar_rd] == 0);
  CHECK_THAT(texts(bow.scaled), Catch::VectorContains(std::string("bank_rd: 32 KB held at 64 KB")));

  const auto rfc = with("malekeh", "rfcsim_table3");
  CHECK(rfc[EnergyEvent::bank_rd] == Approx(524.0).margin(0.1));
  CHECK(rfc[EnergyEvent::bank_wr] == Approx(487.8).margin(0.1));
  CHECK(rfc[EnergyEvent::buf_rd] == Approx(345.8).margin(0.1));
  CHECK(rfc[EnergyEvent::buf_wr] == Approx(352.0).margin(0.1));
  CHECK(rfc.scaled.empty());
  // A collector of any kind has a buffer, and the same entries cost the same.
  const auto plain = coefficients("baseline", {"energy.preset=rfcsim_table3", "sub_core.collector.slots=8"});
  CHECK(plain[EnergyEvent::buf_rd] == rfc[EnergyEvent::buf_rd]);
  CHECK(plain[EnergyEvent::buf_wr] == rfc[EnergyEvent::buf_wr]);
  CHECK(with("baseline", "rfcsim_table3")[EnergyEvent::buf_rd] == Approx(4 * (35.3369 + 43.2275)));

  const auto watch = with("malekeh", "accelwattch_sm75");
  CHECK(watch[EnergyEvent::bank_rd] == 80.0);
  CHECK(watch[EnergyEvent::bank_wr] == 68.4);
  EnergyCoefficients rest = watch;
  rest[EnergyEvent::bank_rd] = rest[EnergyEvent::bank_wr] = 0;
  CHECK(rest.pj == PerEnergyEvent<double>());
  for (const std::string& name : shipped_names("power/tables")) CHECK(with("malekeh", name).preset == name);
  CHECK(shipped_names("power/tables").size() == 5);
  CHECK_THAT(error_of([&] { with("malekeh", "cacti23"); }), StartsWith("energy.preset: 'cacti23'") &&
                                                                Contains("did you mean 'cacti22'?") &&
                                                                Contains("bow_table4"));
}

TEST_CASE("AccelWattch's register file in parts costs the baseline what it costs as a whole") {
  const auto with = [](const std::string& platform, std::vector<std::string> more = {}) {
    more.emplace_back("energy.preset=accelwattch_parts");
    return coefficients(platform, more);
  };
  const auto sum = [](const EnergyCoefficients& c, std::initializer_list<EnergyEvent> events) {
    double pj = 0;
    for (const EnergyEvent e : events) pj += c[e];
    return pj;
  };
  using E = EnergyEvent;
  const auto whole = coefficients("baseline", {"energy.preset=accelwattch_sm75"});
  const auto parts = with("baseline");
  CHECK(parts.scaled.empty());
  CHECK(sum(parts, {E::bank_rd, E::arb, E::xbar_rd, E::buf_wr, E::buf_rd}) ==
        Approx(whole[E::bank_rd]).margin(0.001));
  CHECK(sum(parts, {E::bank_wr, E::xbar_wr, E::tag_search, E::tag_wr}) ==
        Approx(whole[E::bank_wr]).margin(0.001));
  // Parts are in the proportions of the configuration: array, crossbar, collector, arbiter.
  CHECK(parts[E::xbar_rd] / parts[E::bank_rd] == Approx(152.4 / 242.1).epsilon(1e-4));
  CHECK((parts[E::buf_rd] + parts[E::buf_wr]) / parts[E::bank_rd] == Approx(3.08 / 242.1).epsilon(1e-4));
  CHECK(parts[E::arb] / parts[E::bank_rd] == Approx(0.257 / 242.1).epsilon(1e-4));
  // Other structures are scaled as by CACTI.
  const auto cacti = coefficients("bow"), bow = with("bow"), small = coefficients("baseline");
  CHECK(bow[E::xbar_rd] / parts[E::xbar_rd] == Approx(cacti[E::xbar_rd] / small[E::xbar_rd]));
  CHECK(bow[E::xbar_wr] / parts[E::xbar_rd] == Approx(cacti[E::xbar_wr] / small[E::xbar_rd]));
  CHECK(bow[E::fwd_wr] / parts[E::buf_wr] == Approx(cacti[E::fwd_wr] / small[E::buf_wr]));
  CHECK(with("rfc")[E::cache_path] == Approx(with("malekeh")[E::xbar_wr]).epsilon(1e-4));
}

TEST_CASE("the crossbar factor scales wires and nothing else") {
  using E = EnergyEvent;
  for (const char* platform : {"malekeh", "bow", "ltrf"}) {
    CAPTURE(platform);
    const auto whole = coefficients(platform),
               scaled = coefficients(platform, {"energy.crossbar_factor=0.25"});
    for (std::size_t i = 0; i < energy_event_count; ++i) {
      const auto e = static_cast<E>(i);
      const bool wires = e == E::xbar_rd || e == E::xbar_wr || e == E::cache_path || e == E::cache_out;
      CHECK(scaled[e] == whole[e] * (wires ? 0.25 : 1.0));
    }
  }
  CHECK(coefficients("malekeh", {"energy.crossbar_factor=0"})[E::xbar_rd] == 0);
  CHECK_THAT(error_of([] { coefficients("malekeh", {"energy.crossbar_factor=-1"}); }),
             Contains("energy.crossbar_factor"));
}

TEST_CASE("the issue stage costs something where it is asked for") {
  using E = EnergyEvent;
  for (const char* platform : {"baseline", "malekeh", "v100/baseline"}) {
    CAPTURE(platform);
    for (auto i = static_cast<std::size_t>(EnergyEvent::ibuf_wr); i < energy_event_count; ++i)
      CHECK(coefficients(platform).pj[i] == 0);
  }
  const auto socgpu = coefficients("v100/socgpu"), in_order = coefficients("v100/war");
  // 112 bits of a buffer of 8 entries, 76 of one of 2.
  CHECK(socgpu[E::ibuf_wr] == Approx(112 * (5.44 + 0.085 * 8) / 1024).margin(0.001));
  CHECK(in_order[E::ibuf_rd] == Approx(76 * (5.64 + 0.0184 * 2) / 1024).margin(0.001));
  // 32, 3 x 8 and 2 x 8 (half as wide) tags looked for, 8 bits written; 64 bits read; 9 bits written.
  CHECK(socgpu[E::dep_wr] ==
        Approx(0.026 + 0.0088 * 32 + 3 * (0.026 + 0.0088 * 8) + 2 * (0.026 + 0.0044 * 8) + 8 * 6.12 / 1024)
            .margin(0.001));
  CHECK(socgpu[E::dep_rd] == Approx(64 * (5.64 + 0.0184 * 8) / 1024).margin(0.001));
  CHECK(socgpu[E::dep_clr] == Approx(9 * 6.12 / 1024).margin(0.001));
  CHECK(in_order[E::scoreboard] == 0.992);
  CHECK(socgpu.scaled.empty());
  // An in-order stage has no matrix, so no coefficients of a matrix are named as scaled.
  CHECK(in_order.scaled.empty());
  CHECK(in_order[E::dep_wr] == 0);
  CHECK(socgpu[E::scoreboard] == 0);
  // A table need not have these events.
  const auto none = coefficients("socgpu", {"energy.preset=bow_table4"});
  for (auto i = static_cast<std::size_t>(EnergyEvent::ibuf_wr); i < energy_event_count; ++i)
    CHECK(none.pj[i] == 0);
}

TEST_CASE("the energy of all events is the sum of counts times coefficients") {
  EnergyCoefficients c;
  c[EnergyEvent::bank_rd] = 2.5;
  c[EnergyEvent::arb] = 0.25;
  EnergyCounts n;
  n[EnergyEvent::bank_rd] = 4;
  n[EnergyEvent::bank_wr] = 3;  // costs nothing
  n[EnergyEvent::arb] = 8;
  CHECK(total_pj(c, n) == 4 * 2.5 + 8 * 0.25);
}

TEST_CASE("an event that a user adds is the last in the table, and its name is taken from then on") {
  EnergyEvents& events = EnergyEvents::table();
  const std::size_t before = events.size();
  CHECK(events.add("probe_rd", EnergyOwner::crossbar) == before);
  REQUIRE(events.size() == before + 1);
  CHECK(events[before].name == "probe_rd");
  CHECK(events[before].owner == EnergyOwner::crossbar);
  CHECK(events.find("probe_rd").value_or(0) == before);
  CHECK(EnergyCounts().size() == before + 1);
  CHECK_THROWS_AS(events.add("probe_rd", EnergyOwner::bank), std::logic_error);
  CHECK(events.size() == before + 1);
}

TEST_CASE("the paper's average event mix gives Malekeh 0.717 of the baseline") {
  const auto set = [](EnergyCounts& n, EnergyEvent e, std::uint64_t count) {
    n[static_cast<std::size_t>(e)] = count;
  };
  const std::uint64_t reads = 1000000, writes = 450000;
  const auto cached = static_cast<std::uint64_t>(0.43 * 450000);
  const auto mix = [&](std::uint64_t misses, std::uint64_t lookups, std::uint64_t results) {
    EnergyCounts n{};
    set(n, EnergyEvent::bank_rd, misses);
    set(n, EnergyEvent::xbar_rd, misses);
    set(n, EnergyEvent::arb, misses);
    set(n, EnergyEvent::buf_wr, misses + results);
    set(n, EnergyEvent::buf_rd, reads);
    set(n, EnergyEvent::bank_wr, writes);
    set(n, EnergyEvent::tag_search, lookups + results);
    set(n, EnergyEvent::tag_wr, results);
    set(n, EnergyEvent::xbar_wr, results);
    return n;
  };
  const double baseline = total_pj(coefficients("baseline"), mix(reads, 0, 0));
  const double malekeh = total_pj(coefficients("malekeh"), mix(reads - 464000, reads, cached));
  CHECK(malekeh / baseline == Approx(0.717).margin(0.002));
  CHECK(total_pj(coefficients("baseline"), EnergyCounts{}) == 0);
}

TEST_CASE("a malformed energy table is an error at its line") {
  CHECK(table_error("", "") == "(no error)");
  CHECK_THAT(table_error("  arb:", "  arbiter:"), StartsWith("t.yaml:8: events.arbiter: unknown event;"));
  CHECK_THAT(table_error("bank_wr: 4", "bank_wr: -4"),
             StartsWith("t.yaml:5: events.bank_wr: -4 is negative"));
  CHECK_THAT(table_error("32: 2", "32: -2"),
             StartsWith("t.yaml:4: events.bank_rd.points.32: -2 is negative"));
  CHECK_THAT(table_error("constant: 1", "constant: -1"),
             Contains("bank_rd.formula.constant: -1 is negative"));
  CHECK_THAT(table_error("bank_wr: 4", "bank_wr: four"), Contains("'four' is not a number"));
  CHECK_THAT(table_error("bank_wr: 4", "bank_wr: [4]"), Contains("a list is not a number"));
  CHECK_THAT(table_error("bank_wr: 4", "bank_wr: nan"), Contains("'nan' is not a number"));
  CHECK_THAT(table_error("source: a test\n", ""), Contains("t.yaml:1: source: is missing"));
  CHECK_THAT(table_error("preset: mine", "presets: mine"),
             StartsWith("t.yaml:1: presets: unknown key; did you mean 'preset'?"));
  CHECK_THAT(table_error("by: bank_kilobytes", "by: banks"),
             Contains("bank_rd.by: 'banks' is unknown; expected one of nothing, bank_kilobytes") &&
                 Contains("or a key of platform files"));
  CHECK_THAT(table_error("by: bank_kilobytes", "by: bank_kilobyte"),
             Contains("is unknown; did you mean 'bank_kilobytes'? expected one of nothing"));
  CHECK_THAT(table_error("by: bank_kilobytes", "by: sub_core.register_file.bnaks"),
             StartsWith("t.yaml:4: events.bank_rd.by: 'sub_core.register_file.bnaks' is not a number of a"));
  CHECK_THAT(table_error("preset: mine", "extends: cacti23\npreset: mine"),
             StartsWith("t.yaml:1: extends: 'cacti23'") && Contains("did you mean 'cacti22'?"));
  CHECK_THAT(table_error("preset: mine", "extends: t.yaml\npreset: mine"),
             StartsWith("t.yaml:1: extends: ") && Contains("extends itself"));
  const TemporaryFolder folder;
  for (unsigned n = 0; n <= 100; ++n)
    folder.write(std::to_string(n) + ".yaml",
                 "preset: p\nextends: " + (n < 100 ? std::to_string(n + 1) + ".yaml" : "cacti22") + '\n');
  CHECK(read_energy_table(folder.path() / "2.yaml").preset == "p");
  CHECK_THAT(error_of([&] { read_energy_table(folder.path() / "1.yaml"); }),
             Contains("100.yaml:2: extends: ") &&
                 Contains("is file 101 in a row that extend each other; expected at most 100"));
  CHECK_THAT(table_error("by: bank_kilobytes, ", ""), Contains("has no 'by'"));
  CHECK_THAT(table_error(", points: {32: 2}", ""), Contains("has no points"));
  CHECK_THAT(table_error("points: {32: 2}", "points: {2x2: 2}"), Contains("points.2x2: is not a size"));
  CHECK_THAT(table_error("points: {2x2: 3}", "points: {2: 3}"),
             Contains("expected inputs x outputs, like 2x8"));
  CHECK_THAT(table_error("slope: 0.5", "per_input: 0.5"),
             Contains("per_input: unknown key; expected one of constant, slope"));
  CHECK_THAT(table_error("per_output: 2", "slope: 2"),
             Contains("slope: unknown key; expected one of constant, per_input, per_output"));
  CHECK_THAT(table_error("only: ccu", "only: cuu"),
             Contains("'cuu' is unknown; did you mean 'ccu'? expected one of ocu, ccu, boc"));
  CHECK_THAT(table_error("only: ccu", "only: [ccu, cob]"), Contains("'cob' is unknown; expected one of ocu"));
  CHECK(table_error("only: ccu", "only: [ccu, boc]") == "(no error)");
  CHECK_THAT(table_error("only: ccu", "onyl: ccu"), Contains("events.xbar_wr.onyl: unknown key"));
  CHECK_THAT(table_error("  data: {", "  date: {"),
             Contains("t.yaml:23: hardware.date: unknown key; did you mean 'data'?"));
  CHECK_THAT(table_error("node_nm: 22", "node_nm: 0"), Contains("hardware.node_nm: is 0; expected more"));
  CHECK_THAT(table_error("node_nm: 22", "node_nm: 22\n  cell_um2: 0"),
             Contains("hardware.cell_um2: is 0; expected more"));
  CHECK_THAT(table_error("  voltage: 0.8\n", ""), Contains("hardware.voltage: is missing"));
  CHECK_THAT(table_error(", leakage_nw: 20", ""), Contains("hardware.data.leakage_nw: is missing"));
  CHECK_THAT(table_error("leakage_nw: 20", "leakage_nw: -1"),
             Contains("hardware.data.leakage_nw: -1 is negative"));
  CHECK_THAT(table_error("  buf_rd: 1", "  arb: 1"), StartsWith("t.yaml:9: events.arb: duplicate key"));
}

TEST_CASE("a table may extend another, and goes by any number of the platform") {
  TemporaryFolder folder;
  const auto with = [&](const std::string& text) {
    return coefficients("malekeh", {"energy.preset=" + folder.write("mine.yaml", text).string()});
  };
  const auto c = with(
      "extends: cacti22\npreset: mine\nevents:\n  arb: 7\n"
      "  tag_wr: {by: sub_core.register_file.banks, points: {1: 10, 3: 30}}\n"
      "  buf_rd: {by: energy.crossbar_factor, points: {5: 3}}\n");
  const auto cacti = coefficients("malekeh");
  CHECK(c.preset == "mine");
  CHECK(c.source == cacti.source);
  CHECK(c[EnergyEvent::arb] == 7);
  CHECK(c[EnergyEvent::tag_wr] == 20);  // 2 banks
  CHECK(c[EnergyEvent::bank_rd] == cacti[EnergyEvent::bank_rd]);
  CHECK(c.hardware.node_nm == cacti.hardware.node_nm);
  CHECK(texts(c.scaled)[1] == "tag_wr: 2 between 1 and 3");
  // A table that another one extends is found beside it.
  folder.write("base.yaml", "extends: cacti22\npreset: base\nevents: {arb: 8}\n");
  CHECK(with("extends: base.yaml\npreset: mine\n")[EnergyEvent::arb] == 8);
}

TEST_CASE("an event that is not in the table costs nothing, and its name is kept for a note") {
  TemporaryFolder folder;
  const auto c = coefficients(
      "malekeh", {"energy.preset=" +
                  folder.write("t.yaml", "preset: old\nsource: a test\nevents: {bank_rd: 1}\n").string()});
  CHECK(c[EnergyEvent::bank_rd] == 1);
  CHECK(c[EnergyEvent::arb] == 0);
  CHECK_THAT(texts(c.unknown), Catch::VectorContains(std::string("arb: not in table old, charged 0 pJ")));
  // Events of a part that the platform does not have need no word.
  for (const std::string& text : texts(c.unknown)) CHECK(text.find("fwd_") == std::string::npos);
}

TEST_CASE("an energy table is looked for beside the platform file that names it") {
  TemporaryFolder folder;
  folder.write("mine.yaml", "extends: cacti22\npreset: mine\nevents: {arb: 7}\n");
  const auto file = folder.write("p.yaml", "extends: malekeh.yaml\nenergy: {preset: mine.yaml}\n");
  CHECK(energy_coefficients(load_platform(file))[EnergyEvent::arb] == 7);
  CHECK(energy_coefficients(load_platform(file, {"energy.preset=cacti22"}))[EnergyEvent::arb] == 0.013);
}

TEST_CASE("an operand cache is charged by the entries of all warps that may be active") {
  const EnergyCoefficients rfc = coefficients("rfc");  // 2 x 6
  CHECK(rfc[EnergyEvent::cache_rd] == 5.9);
  CHECK(rfc[EnergyEvent::cache_wr] == 6.4);
  CHECK(rfc[EnergyEvent::cache_search] == 0.13);
  CHECK(rfc[EnergyEvent::cache_path] == 39.1);
  CHECK(rfc[EnergyEvent::cache_out] == 39.1);                      // to two collectors
  const EnergyCoefficients levels = coefficients("software_rfc");  // 2 x (3 + 1)
  CHECK(levels[EnergyEvent::cache_rd] == 5.8);
  CHECK(levels[EnergyEvent::cache_wr] == 6.1);
  const EnergyCoefficients study = coefficients("register_cache");  // 8 x 8
  CHECK(study[EnergyEvent::cache_rd] == 7.0);
  CHECK(study[EnergyEvent::cache_wr] == 11.0);
  CHECK(coefficients("rfc", {"sub_core.collector.count=8"})[EnergyEvent::cache_out] == 114.2);
  CHECK(coefficients("ltrf", {"sub_core.operand_cache.transfer_energy_pj=10"})[EnergyEvent::cache_out] ==
        39.1 + 10);
  CHECK(coefficients("ltrf", {"energy.preset=accelwattch_parts"})[EnergyEvent::cache_out] == Approx(21.826));
  CHECK(coefficients("ltrf", {"energy.preset=bow_table4"})[EnergyEvent::cache_out] == 0);
  CHECK(coefficients("register_cache", {"energy.preset=rfcsim_table3"})[EnergyEvent::cache_rd] ==
        Approx(8 * 23.4685));  // 2-way
  const EnergyCoefficients none = coefficients("malekeh");
  for (const EnergyEvent e : {EnergyEvent::cache_rd, EnergyEvent::cache_wr, EnergyEvent::cache_search,
                              EnergyEvent::cache_path, EnergyEvent::cache_out})
    CHECK(none[e] == 0);
}

TEST_CASE("operand storage per SM counts collector buffers and caches") {
  const auto kilobytes = [](const char* name, const std::vector<std::string>& set = {}) {
    const PlatformParameters p = load_platform(find_platform(name), set);
    return static_cast<double>(p.operand_storage_bytes()) / 1024;
  };
  CHECK(kilobytes("baseline") == 6);  // 4 x 2 x 6 operands of 128 bytes
  CHECK(kilobytes("socgpu") == 6);
  CHECK(kilobytes("monolithic_baseline") == 6);  // 8 x 6
  CHECK(kilobytes("malekeh") == 8);              // 4 x 2 x 8: the paper's 2 KB more
  CHECK(kilobytes("malekeh_socgpu") == 8);
  CHECK(kilobytes("traditional") == 8);
  CHECK(kilobytes("malekeh_private") == 32);  // 4 x 8 x 8
  CHECK(kilobytes("bow_tensor") == 96);       // malekeh_private has a third of that, as the paper says
  // BOW, section V: 36 KB are added to 32 collectors of three operands; half the size adds 12 KB.
  const double collectors =
      kilobytes("baseline", {"sub_core.collector.count=8", "sub_core.collector.slots=3"});
  CHECK(collectors == 12);
  CHECK(kilobytes("bow") - collectors == 36);
  CHECK(kilobytes("bow_wr_hints") - collectors == 36);
  CHECK(kilobytes("bow_wr_half") - collectors == 12);
  CHECK(kilobytes("rfc") == 12);  // 6 KB, and 6 registers of 8 active warps
  CHECK(kilobytes("rfc_monolithic") == 12);
  CHECK(kilobytes("software_rfc") == 10);    // 3 + 1 registers of 8 warps
  CHECK(kilobytes("ltrf") == 22);            // 16 registers of 8 warps
  CHECK(kilobytes("register_cache") == 38);  // 8 registers of 32 warps
  // 4 fixed windows of 8 operands, with a reuse cache of 3 slots x 2 banks, without a cache, and with a cache
  // of 10 near operands.
  const auto window = [&](const std::string& reuse, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"sub_core.collector.slots=8", "sub_core.collector.reuse=" + reuse});
    return kilobytes("nvidia_turing", more);
  };
  CHECK(window("flags") == 7);
  CHECK(window("none") == 4);
  CHECK(window("near_bits", {"sub_core.collector.reuse_entries=10", "passes.near_bits=threshold"}) == 9);
}

}  // namespace energy_test
