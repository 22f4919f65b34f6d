#include <set>

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>

#include "subcore/program/commands/documents.h"
#include "subcore/program/commands/platforms.h"

namespace subcore {
namespace {

using WordList = std::vector<std::string>;

// "KEY=" for every parameter, and "KEY=WORD" for parameters whose values are words.
WordList settings() {
  PlatformParameters defaults;
  std::set<std::string> all;  // several choices can have a key
  for (const Parameter& p : parameter_list(defaults)) {
    if (const auto* const choice = std::get_if<Words>(&p.value))
      for (const std::string_view word : choice->words) all.insert(p.key + '=' + std::string(word));
    else
      all.insert(p.key + '=');
  }
  return {all.begin(), all.end()};
}

WordList names_of(const std::vector<ShippedFile>& files) {
  WordList names;
  for (const ShippedFile& f : files) names.push_back(f.name);
  return names;
}

std::string joined(const WordList& words) {
  return boost::algorithm::join(words, " ");
}

std::string quoted_for_shell(const std::string& text) {
  return "'" + boost::algorithm::replace_all_copy(text, "'", "'\\''") + "'";
}

// The values of an option. An option with one of these three names takes the same values in every command.
std::string values_of(const CommandOption& o, const char* platforms, const char* machines,
                      const char* settings, const std::string& others) {
  return o.name == "platform" ? platforms : o.name == "gpu" ? machines : o.name == "set" ? settings : others;
}

constexpr const char* bash_begin = R"(# Completion of subcore in bash, made by `subcore completion bash`.
_subcore() {
  local -i at=COMP_CWORD
  local value=${COMP_WORDS[at]} key='' words=''
  COMPREPLY=()
  # Bash takes each = for a word of its own.
  if [[ $value == = ]]; then value=''; else at=at-1; fi
  if [[ $at -gt 0 && ${COMP_WORDS[at]} == = ]]; then
    at=at-1
    if [[ ${COMP_WORDS[at]} != -* ]]; then
      key=${COMP_WORDS[at]}=
      at=at-1
      if [[ ${COMP_WORDS[at]} == = ]]; then at=at-1; fi
    fi
  fi
)";

// A platform may begin with a machine's name and a slash.
constexpr const char* bash_platforms = R"(  local machine=${value%%/*}
  if [[ $value == */* && " $machines " == *" $machine "* ]]; then
    platforms="$machine/${platforms// / $machine/}"
  else
    platforms+=" ${machines// // }/"
  fi
)";
constexpr const char* zsh_platforms = R"zsh(  local machine=${PREFIX%%/*}
  if [[ $PREFIX == */* && -n ${(M)machines:#$machine} ]]; then
    compadd -- $machine/${^systems}
  else
    local -a prefixes=(${^machines}/)
    _alternative "platforms:platform:($systems)" "machines:machine:compadd -S '' -a prefixes" 'files:file:_files'
  fi
}
)zsh";

constexpr const char* bash_end = R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$key$value")
  COMPREPLY=("${COMPREPLY[@]#"$key"}")
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then compopt -o nospace 2>/dev/null; fi
}
# Where there is no such word, a file.
complete -o default -F _subcore subcore
)";

std::string bash_script(const Commands& commands) {
  std::string text = bash_begin;
  text += "  local platforms='" + joined(names_of(shipped_systems())) + "'\n  local machines='" +
          joined(names_of(shipped_machines())) + "'\n  local settings='" + joined(settings()) + "'\n";
  text += bash_platforms;
  WordList names{"--help", "--version"};
  for (const auto& c : commands) names.push_back(c->name());
  text +=
      "  if [[ $at -eq 0 ]]; then set -- command; else set -- \"${COMP_WORDS[1]} ${COMP_WORDS[at]}\"; fi\n";
  text += "  case $1 in\n    command) words='" + joined(names) + "' ;;\n";
  for (const auto& c : commands) {
    WordList options;
    for (const CommandOption& o : c->options()) {
      options.push_back("--" + o.name);
      if (!o.takes_value) continue;
      text += "    '" + c->name() + " --" + o.name + '\'';
      if (o.letter != 0) text += " | '" + c->name() + " -" + o.letter + '\'';
      text += ") words=" +
              values_of(o, "$platforms", "$machines", "$settings", quoted_for_shell(joined(o.words))) +
              " ;;\n";
    }
    text += "    '" + c->name() + " '*)\n      if [[ $value == -* ]]; then words='" + joined(options) + "'";
    if (c->arguments_like() == "platform") text += "; else words=$platforms";
    text += "; fi\n      ;;\n";
  }
  return text + bash_end;
}

// The text `help` in brackets. Brackets and colons in it are escaped.
std::string described(const std::string& help) {
  std::string text = "[";
  for (const char c : help)
    text += (c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + std::string(1, c);
  return text + ']';
}

std::string zsh_values(const CommandOption& o) {
  if (!o.takes_value) return "";
  return ':' + o.name + ':' +
         values_of(o, "_subcore_platforms", "_subcore_machines", "_subcore_settings",
                   o.words.empty() ? "_files" : '(' + joined(o.words) + ')');
}

std::string zsh_script(const Commands& commands) {
  std::string text =
      "#compdef subcore\n# Completion of subcore in zsh, made by `subcore completion zsh`.\n"
      "_subcore_platforms() {\n  local -a systems=(" +
      joined(names_of(shipped_systems())) + ")\n  local -a machines=(" +
      joined(names_of(shipped_machines())) + ")\n" + zsh_platforms +
      "_subcore_machines() {\n  _alternative 'machines:machine:(" + joined(names_of(shipped_machines())) +
      ")' 'files:file:_files'\n}\n_subcore_settings() {\n";
  WordList open, whole;
  for (const std::string& s : settings()) (s.back() == '=' ? open : whole).push_back(s);
  text += "  compadd -S '' -- " + joined(open) + "\n  compadd -- " + joined(whole) + "\n}\n";
  text += "_subcore() {\n  local -a commands=(\n";
  for (const auto& c : commands) text += "    " + quoted_for_shell(c->name() + ':' + c->summary()) + '\n';
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const auto& c : commands) {
    text += "    " + c->name() + ")\n      _arguments";
    for (const CommandOption& o : c->options()) {
      const std::string end = described(o.help) + zsh_values(o);
      const std::string both = "--" + o.name + (o.letter != 0 ? std::string(" -") + o.letter : "");
      const std::string begin = o.is_repeated ? "*" : '(' + both + ')';
      text += " \\\n        " + quoted_for_shell(begin + "--" + o.name + (o.takes_value ? "=" : "") + end);
      if (o.letter != 0) text += " \\\n        " + quoted_for_shell(begin + '-' + o.letter + end);
    }
    if (c->most_arguments() > 0)
      text += std::string(" \\\n        '*:argument:") +
              (c->arguments_like() == "platform" ? "_subcore_platforms'" : "_files'");
    text += "\n      ;;\n";
  }
  return text + "  esac\n}\n_subcore \"$@\"\n";
}

}  // namespace

std::string completion_script(const std::string& shell, const Commands& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  throw UsageError("completion for '" + shell + "'; expected bash or zsh");
}

}  // namespace subcore
