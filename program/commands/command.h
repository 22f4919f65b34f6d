// A command of the program: its name, its help, the options that it takes, and its work.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace boost::program_options {
class options_description;
}

namespace subcore {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An option in the table of a command.
struct CommandOption {
  std::string name;  // "json", for --json
  char letter = 0;   // 'j', for -j; 0 if it has none
  std::string help;
  std::string otherwise;           // the default value; empty if there is none
  std::vector<std::string> words;  // words that the option takes; empty: other values
  bool takes_value = false, is_repeated = false;
};

class Command;
using Commands = std::vector<std::unique_ptr<Command>>;

class Command {
 public:
  virtual ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  const std::string& name() const { return name_; }
  const std::string& summary() const { return summary_; }
  const std::string& usage() const { return usage_; }
  // Whole command lines, "subcore run ...", that work in the folder of the sources, each after the lines
  // before it.
  const std::vector<std::string>& examples() const { return examples_; }
  std::vector<CommandOption> options() const;  // in the order of the help, with --help
  std::size_t most_arguments() const { return most_arguments_; }
  // The option whose values arguments are like; empty: arguments are files.
  const std::string& arguments_like() const { return arguments_like_; }
  std::string help_text() const;
  bool wants_help() const { return help_; }

  // Reads the words behind the command's name. Throws UsageError for words that the command does not take.
  // `all`: the commands that may have such an option.
  void parse(const std::vector<std::string>& words, const Commands& all);
  // Does the command's work, after parse(). Returns the program's exit code.
  virtual int run() = 0;

 protected:
  // `summary`: the line in the list of commands. `usage`: some lines at the beginning of the command's own
  // help.
  Command(std::string name, std::string summary, std::string usage);

  // Adds an option. `names` has the long name and, after a comma, the short one: "json,j". The value of `to`
  // is the default. The next three differ in how often the option may come, and in whether it has a value.
  void option(const char* names, std::string& to, const char* help);               // once
  void option(const char* names, std::vector<std::string>& to, const char* help);  // any number of times
  void option(const char* names, bool& to, const char* help);                      // without a value
  void json_option(std::string& to);
  void example(std::string line) { examples_.push_back(std::move(line)); }
  // The words that a value of this option can be, for completion. The command checks values itself.
  void words(const char* option, std::vector<std::string> all) { words_[option] = std::move(all); }
  // Lets the command take words that belong to no option; without this call it takes none. If there are more
  // than `at_most`, the message expects `instead`. The words are files, unless `like` names an option with
  // the same values.
  void take_arguments(std::size_t at_most, const char* instead, const char* like = "");

  const std::vector<std::string>& arguments() const { return arguments_; }
  bool given(const std::string& option) const { return given_.count(option) != 0; }  // the option's long name

 private:
  bool takes(const std::string& option) const;    // `option` as it is written: "--json", "-j"
  std::vector<std::string> option_names() const;  // "--json"
  [[noreturn]] void refuse_option(const std::string& option, const Commands& all) const;

  std::string name_, summary_, usage_;
  std::vector<std::string> examples_;
  std::map<std::string, std::vector<std::string>> words_;
  std::unique_ptr<boost::program_options::options_description> options_;
  std::size_t most_arguments_ = 0;
  std::string instead_ = "no argument", arguments_like_;
  std::vector<std::string> arguments_;
  std::set<std::string> given_;
  bool help_ = false;
};

// All commands of the program, in the order of the help.
Commands all_commands();

// The number in `text`. The option library would take -1 for a very large number.
std::uint64_t whole_number(const char* option, const std::string& text, std::uint64_t otherwise);

}  // namespace subcore
