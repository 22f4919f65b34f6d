#include "subcore/program/commands/command.h"

#include <sstream>

#include <boost/program_options.hpp>

#include "subcore/base/spelling.h"
#include "subcore/base/text_stream.h"
#include "subcore/base/text_width.h"

namespace po = boost::program_options;

namespace subcore {

Command::Command(std::string name, std::string summary, std::string usage)
    : name_(std::move(name)),
      summary_(std::move(summary)),
      usage_(std::move(usage)),
      options_(std::make_unique<po::options_description>("options of " + name_)) {
  option("help,h", help_, "this text");
}

Command::~Command() = default;

void Command::option(const char* names, std::string& to, const char* help) {
  auto* const value = po::value(&to);
  if (!to.empty()) value->default_value(to);
  options_->add_options()(names, value, help);
}

void Command::option(const char* names, std::vector<std::string>& to, const char* help) {
  options_->add_options()(names, po::value(&to)->composing(), help);
}

void Command::option(const char* names, bool& to, const char* help) {
  options_->add_options()(names, po::bool_switch(&to), help);
}

void Command::json_option(std::string& to) {
  option("json,j", to, "write results as JSON to this file, - for standard output");
}

void Command::take_arguments(std::size_t at_most, const char* instead, const char* like) {
  most_arguments_ = at_most;
  instead_ = instead;
  arguments_like_ = like;
}

std::vector<CommandOption> Command::options() const {
  std::vector<CommandOption> all;
  for (const auto& o : options_->options()) {
    CommandOption option;
    option.name = o->long_name();
    const std::string shortest = o->canonical_display_name(po::command_line_style::allow_dash_for_short);
    if (shortest.size() == 2 && shortest[0] == '-') option.letter = shortest[1];
    option.help = o->description();
    option.takes_value = o->semantic()->max_tokens() != 0;
    option.is_repeated = o->semantic()->is_composing();
    boost::any value;
    if (option.takes_value && o->semantic()->apply_default(value))
      option.otherwise = boost::any_cast<std::string>(value);
    const auto words = words_.find(option.name);
    if (words != words_.end()) option.words = words->second;
    all.push_back(std::move(option));
  }
  return all;
}

namespace {

// Folds a text to the terminal's width. Lines that begin with a blank stay as they are; the others form
// paragraphs.
std::string within_terminal(const std::string& usage) {
  std::istringstream lines = text_stream(usage);
  std::string text, paragraph;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != ' ') {
      paragraph += line + ' ';
      continue;
    }
    text += folded(paragraph, 0, usual_width) + line + '\n';
    paragraph.clear();
  }
  return text + folded(paragraph, 0, usual_width);
}

}  // namespace

std::string Command::help_text() const {
  std::ostringstream text;
  text << within_terminal(usage_) << '\n';
  if (!examples_.empty()) text << "examples:\n";
  for (const std::string& line : examples_) text << "  " << line << '\n';
  if (!examples_.empty()) text << '\n';
  text << *options_;
  return text.str();
}

bool Command::takes(const std::string& option) const {
  const std::size_t dashes = option.find_first_not_of('-');
  if (dashes == 0 || dashes == std::string::npos) return false;
  return options_->find_nothrow(dashes == 2 ? option.substr(2) : option, false) != nullptr;
}

std::vector<std::string> Command::option_names() const {
  std::vector<std::string> names;
  for (const auto& o : options_->options())
    if (o->long_name() != "help") names.push_back("--" + o->long_name());
  return names;
}

void Command::refuse_option(const std::string& option, const Commands& all) const {
  std::vector<std::string> owners;
  for (const auto& c : all)
    if (c->takes(option)) owners.push_back(c->name());
  const std::vector<std::string> own = option_names();
  if (!owners.empty())
    throw UsageError(name_ + " does not take " + option + ", an option of " + listed(owners, " and ") +
                     "; expected " + (own.empty() ? "no option" : listed(own, ", ")));
  throw UsageError("unrecognised option '" + option + "';" + did_you_mean(option, own) +
                   " expected options as `subcore " + name_ + " --help` lists them");
}

void Command::parse(const std::vector<std::string>& words, const Commands& all) {
  try {
    const po::parsed_options parsed =
        po::command_line_parser(words)
            .options(*options_)
            .allow_unregistered()  // refused below, where their command is known
            .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
            .run();
    for (const auto& o : parsed.options) {
      const bool is_argument = o.position_key >= 0;
      if (o.unregistered) refuse_option((o.string_key[0] == '-' ? "" : "--") + o.string_key, all);
      for (const std::string& value : o.value) {
        if (is_argument) {
          if (value.empty()) throw UsageError("an empty argument; expected " + instead_);
          arguments_.push_back(value);
          continue;
        }
        if (value.empty()) throw UsageError("nothing for --" + o.string_key + "; expected a value");
        // The library takes the next word for the value, whatever it is.
        if (value == o.original_tokens.back() && (value.compare(0, 2, "--") == 0 || takes(value)))
          throw UsageError("nothing for --" + o.string_key + " before " + value + "; expected a value");
      }
      if (!is_argument) given_.insert(o.string_key);
    }
    po::variables_map map;
    po::store(parsed, map);
    po::notify(map);
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; expected options as `subcore " + name_ +
                     " --help` lists them");
  }
  if (arguments_.size() > most_arguments_)
    throw UsageError("unexpected argument '" + arguments_[most_arguments_] + "'; expected " + instead_);
}

std::uint64_t whole_number(const char* option, const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  if (text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("'" + text + "' for " + option + "; expected a whole number from 0");
  return std::stoull(text);
}

}  // namespace subcore
