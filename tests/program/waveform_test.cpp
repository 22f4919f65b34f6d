#include <set>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

using namespace subcore::test;

namespace {

constexpr std::uint64_t period = 1000;  // ps, of the platforms' 1 ns clock

struct Vcd {
  std::string timescale;
  std::set<std::string> scopes;  // full paths that declare variables
  std::set<std::string> codes;
  std::vector<std::uint64_t> times;
  std::uint64_t changes = 0;  // after the initial values
};

// Reads as strictly as a viewer might.
Vcd read_vcd(const std::string& text) {
  Vcd v;
  std::istringstream in(text);
  std::string word;
  std::vector<std::string> path;
  std::map<std::string, unsigned> width;
  bool declared = false, initial = false;
  const auto skip_to_end = [&] {
    std::string all, w;
    while (in >> w && w != "$end") all += (all.empty() ? "" : " ") + w;
    REQUIRE(w == "$end");
    return all;
  };
  while (in >> word) {
    if (!declared) {
      if (word == "$scope") {
        std::string kind, name;
        in >> kind >> name;
        REQUIRE(kind == "module");
        path.push_back(name);
        skip_to_end();
      } else if (word == "$upscope") {
        REQUIRE_FALSE(path.empty());
        path.pop_back();
        skip_to_end();
      } else if (word == "$var") {
        std::string kind, code, name;
        unsigned bits = 0;
        in >> kind >> bits >> code >> name;
        REQUIRE(kind == "wire");
        REQUIRE(bits >= 1);
        REQUIRE(v.codes.insert(code).second);
        width[code] = bits;
        std::string full;
        for (const std::string& p : path) full += (full.empty() ? "" : ".") + p;
        v.scopes.insert(full);
        skip_to_end();
      } else if (word == "$enddefinitions") {
        REQUIRE(path.empty());
        skip_to_end();
        declared = true;
      } else {
        REQUIRE(word[0] == '$');
        const bool is_timescale = word == "$timescale";
        const std::string body = skip_to_end();
        if (is_timescale) v.timescale = body;
      }
    } else if (word[0] == '#') {
      v.times.push_back(std::stoull(word.substr(1)));
    } else if (word == "$dumpvars") {
      initial = true;
    } else if (word == "$end") {
      REQUIRE(initial);
      initial = false;
    } else {
      std::string code = word.substr(1);
      if (word[0] == 'b') {
        REQUIRE(code.find_first_not_of("01") == std::string::npos);
        const std::size_t digits = code.size();
        in >> code;
        REQUIRE(v.codes.count(code) == 1);
        REQUIRE(digits <= width[code]);
      } else {
        REQUIRE((word[0] == '0' || word[0] == '1'));
        REQUIRE(v.codes.count(code) == 1);
        REQUIRE(width[code] == 1);
      }
      REQUIRE_FALSE(v.times.empty());
      if (!initial) ++v.changes;
    }
  }
  REQUIRE(declared);
  for (std::size_t i = 1; i < v.times.size(); ++i) REQUIRE(v.times[i] > v.times[i - 1]);
  return v;
}

Vcd waveform(const Desk& desk, const std::string& platform, const Strings& more = {}) {
  Strings arguments{"run", "-p", platform, "-t", "t", "--vcd", "w.vcd"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  desk.succeed(arguments);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
  return read_vcd(desk.file("w.vcd"));
}

}  // namespace

TEST_CASE("a waveform is a well-formed VCD") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* platform : {"baseline", "malekeh"}) {
    const Vcd v = waveform(desk, platform);
    CHECK(v.timescale == "1ps");
    CHECK(v.codes.size() > 50);
    CHECK(v.changes > 100);
    CHECK(v.scopes.size() > 10);
    for (const std::uint64_t t : v.times) CHECK(t % period == 0);
  }
}

TEST_CASE("a waveform keeps to its window of cycles") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd all = waveform(desk, "baseline");
  const Vcd part = waveform(desk, "baseline", {"--vcd-from", "100", "--vcd-to", "600"});
  CHECK(part.codes == all.codes);
  CHECK(part.changes > 0);
  CHECK(part.changes < all.changes);
  REQUIRE(part.times.size() > 1);
  CHECK(part.times[0] == 0);  // the initial values
  CHECK(part.times[1] >= 100 * period);
  CHECK(part.times.back() <= 600 * period);
}

TEST_CASE("a waveform keeps to its scope") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Vcd v = waveform(desk, "malekeh", {"--vcd-scope", "sm_0.sub_core_0"});
  CHECK(v.changes > 0);
  CHECK_FALSE(v.scopes.empty());
  for (const std::string& s : v.scopes) CHECK(s.rfind("sm_0.sub_core_0.", 0) == 0);
  const Vcd one = waveform(desk, "malekeh", {"--vcd-scope", *v.scopes.begin()});
  CHECK(one.scopes == std::set<std::string>{*v.scopes.begin()});
}

TEST_CASE("a waveform changes no result") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "with", "--vcd", "w.vcd"});
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "-r", "without"});
  CHECK(desk.file("with/malekeh/t/stats.json") == desk.file("without/malekeh/t/stats.json"));
}

TEST_CASE("the same waveform twice") {
  const Desk desk;
  desk.trace("t", sound_lines());
  waveform(desk, "malekeh");
  const std::string first = desk.file("w.vcd");
  waveform(desk, "malekeh");
  CHECK(desk.file("w.vcd") == first);
}

TEST_CASE("a waveform is packed as its name says") {
  const Desk desk;
  desk.trace("t", sound_lines());
  waveform(desk, "malekeh");
  const std::string plain = desk.file("w.vcd");
  for (const std::string packing : {".gz", ".xz"}) {
    desk.succeed({"run", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd" + packing});
    const std::string packed = desk.file("w.vcd" + packing);
    CHECK(packed.size() < plain.size() / 2);
    std::istringstream in(packed);
    boost::iostreams::filtering_istream unpacked;
    if (packing == ".gz")
      unpacked.push(boost::iostreams::gzip_decompressor());
    else
      unpacked.push(boost::iostreams::lzma_decompressor());
    unpacked.push(in);
    std::ostringstream text;
    text << unpacked.rdbuf();
    CHECK(text.str() == plain);
  }
}

TEST_CASE("a waveform in a format that is not written") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* name : {"w.fst", "w.ghw", "w.vcd.bz2", "w.vcd.zst"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--vcd", name},
                {name, "expected .vcd, .vcd.gz or .vcd.xz"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nvcd: {file: w.fst}\n");
  desk.refuse({"run", "s.yaml"}, {"w.fst", "expected .vcd"});
}
