#include "tests/program/program.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace subcore::test {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<pid_t> children_of(pid_t parent) {
  const std::string name = std::to_string(parent);
  std::istringstream in(content_of("/proc/" + name + "/task/" + name + "/children"));
  std::vector<pid_t> all;
  for (pid_t child = 0; in >> child;) all.push_back(child);
  return all;
}

bool is_dead(pid_t process) {
  const std::string stat = content_of("/proc/" + std::to_string(process) + "/stat");
  const std::size_t state = stat.rfind(") ");
  return state == std::string::npos || stat[state + 2] == 'Z' || stat[state + 2] == 'X';
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

Strings lines_in(const std::string& text) {
  Strings all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

fs::path Desk::write(const std::string& name, const std::string& content) const {
  fs::create_directories((path() / name).parent_path());
  return work_.write(name, content);
}

std::string Desk::trace(const std::string& folder, const std::string& lines, const std::string& count) const {
  write(folder + "/kernelslist.g", "kernel-1.traceg\n");
  write(folder + "/kernel-1.traceg", header() + one_warp(lines, count));
  return folder;
}

std::set<std::string> Desk::files() const {
  std::set<std::string> names;
  for (const auto& e : fs::recursive_directory_iterator(path()))
    names.insert(e.path().lexically_relative(path()).string());
  return names;
}

std::string program() {
  const char* other = std::getenv("SUBCORE");
  return other != nullptr ? other : SUBCORE_PROGRAM;
}

pid_t Desk::start(const Strings& arguments, const std::string& shell) const {
  const std::string script = shell + "; exec \"$0\" \"$@\"";
  Strings words;
  if (!shell.empty()) words = {"/bin/sh", "-c", script};
  words.emplace_back(program());
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string out = (streams_.path() / "out").string(), err = (streams_.path() / "err").string();
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    const int to[] = {open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
                      open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600)};
    setpgid(0, 0);
    if (chdir(path().c_str()) != 0 || dup2(to[0], 1) < 0 || dup2(to[1], 2) < 0) _exit(120);
    execv(argv[0], argv.data());
    _exit(121);
  }
  return child;
}

std::string Desk::output() const {
  return content_of(streams_.path() / "out");
}

Outcome Desk::finish(pid_t child) const {
  int status = 0;
  waitpid(child, &status, 0);
  Outcome o;
  if (WIFEXITED(status)) o.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) o.signal = WTERMSIG(status);
  o.out = content_of(streams_.path() / "out");
  o.err = content_of(streams_.path() / "err");
  return o;
}

Outcome Desk::succeed(const Strings& arguments) const {
  Outcome o = run(arguments);
  INFO(o.err);
  REQUIRE(o.signal == 0);
  REQUIRE(o.code == 0);
  REQUIRE(o.err.empty());
  return o;
}

void Desk::refuse(const Strings& arguments, const Strings& words, const std::string& shell) const {
  const std::set<std::string> before = files();
  const Outcome o = run(arguments, shell);
  std::string command;
  for (const std::string& a : arguments) command += " " + a;
  INFO("subcore" << command << "\n" << o.err);
  CHECK(o.signal == 0);
  CHECK(o.code == 1);
  CHECK(o.out.empty());
  CHECK(lines_of(o.err) == 1);
  CHECK(o.err.rfind("subcore: error: ", 0) == 0);
  for (const std::string& w : words) CHECK_THAT(o.err, Catch::Contains(w));
  // Files that are named as partial may be left.
  std::set<std::string> whole = before;
  for (const std::string& f : files())
    if (f.find(".partial.") == std::string::npos) whole.insert(f);
  CHECK(whole == before);
}

Strings with(Strings arguments, const Strings& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Strings everything(Strings arguments) {
  for (const char* a : {"--results", "some/where/results", "--json", "result.json"})
    arguments.emplace_back(a);
  if (arguments.front() == "run" && std::find(arguments.begin(), arguments.end(), "--vcd") == arguments.end())
    arguments.insert(arguments.end(), {"--vcd", "wave.vcd", "--pipeline", "pipeline.log.gz"});
  return arguments;
}

std::string sound_lines() {
  std::string lines;
  for (int i = 0; i < 20; ++i) {
    lines +=
        "0000 ffffffff 1 R1 MOV 0 0 \n"
        "0010 ffffffff 1 R2 IADD3 2 R1 R3 0 \n"
        "0020 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4 \n"
        "0030 0000ffff 1 R7 FFMA 3 R6 R2 R1 0 \n"
        "0040 ffffffff 0 STG.E.SYS 2 R4 R7 4 1 0x7f400010a000 4 \n";
  }
  return lines + "0050 ffffffff 0 EXIT 0 0 \n";
}

std::string many_lines() {
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += sound_lines().substr(0, sound_lines().find("0050"));
  return lines;
}

std::string stale_lines() {
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines +=
        "0000 ffffffff 1 R1 IADD3 2 R2 R3 0 \n"
        "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4 \n"
        "0020 ffffffff 1 R6 FADD 2 R2 R1 0 \n";
  }
  return lines + "0030 ffffffff 0 EXIT 0 0 \n";
}

const Strings stale_settings{"-s", "sub_core.collector.stale_invalidate=false", "-s",
                             "sub_core.collector.cache_results=false"};

const Strings slow_memory{"-s", "memory.miss_latency=90000",          "-s", "memory.cache_kilobytes=0",
                          "-s", "sub_core.execution.int.latency=9000"};

}  // namespace subcore::test
