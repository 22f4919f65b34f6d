#include <algorithm>
#include <sstream>

#include "subcore/base/text_stream.h"
#include "subcore/program/commands/documents.h"

namespace subcore {
namespace {

// A line of text for roff: hyphens can be copied, and no word is taken for a request.
std::string roff(const std::string& line) {
  std::string text = !line.empty() && (line[0] == '.' || line[0] == '\'') ? "\\&" : "";
  for (const char c : line) {
    if (c == '\\')
      text += "\\e";
    else if (c == '-')
      text += "\\-";
    else
      text += c;
  }
  return text;
}

std::string head(const std::string& name, const std::string& summary) {
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return ".TH " + roff(title) + " 1 \"\" \"subcore " SUBCORE_VERSION "\" \"User Commands\"\n" + ".SH NAME\n" +
         roff(name) + " \\- " + roff(summary) + '\n';
}

// The body of a page. Lines that begin with a blank stay as they are; the others form paragraphs.
std::string body(std::istream& lines) {
  std::string text;
  bool verbatim = false;
  for (std::string line; std::getline(lines, line);) {
    const bool stays = !line.empty() && line[0] == ' ';
    if (stays != verbatim) text += stays ? ".PP\n.nf\n" : ".fi\n";
    verbatim = stays;
    text += line.empty() ? ".PP\n" : roff(line) + '\n';
  }
  return text + (verbatim ? ".fi\n" : "");
}

std::string without_doubled_paragraphs(std::string text) {
  for (const char* doubled : {".PP\n.PP\n", ".SH DESCRIPTION\n.PP\n"}) {
    const std::string two = doubled;
    for (std::size_t at = text.find(two); at != std::string::npos; at = text.find(two))
      text.erase(at + two.size() - 4, 4);
  }
  const std::string last = ".PP\n";
  while (text.size() > last.size() && text.compare(text.size() - last.size(), last.size(), last) == 0)
    text.erase(text.size() - last.size());
  return text;
}

std::string entry(const CommandOption& o) {
  std::string text = ".TP\n";
  if (o.letter != 0) text += std::string("\\fB\\-") + o.letter + "\\fR, ";
  text += "\\fB" + roff("--" + o.name) + "\\fR";
  if (o.takes_value) text += " \\fIVALUE\\fR";
  return text + '\n' + roff(o.help) + (o.otherwise.empty() ? "" : " (default: " + roff(o.otherwise) + ")") +
         '\n';
}

}  // namespace

std::string man_page(const std::string& overview, const Commands& commands) {
  std::istringstream lines = text_stream(overview);
  std::string text = head("subcore", "transaction-level model of GPU sub-cores") +
                     without_doubled_paragraphs(".SH DESCRIPTION\n" + body(lines)) + ".SH SEE ALSO\n";
  for (const auto& c : commands)
    text += ".BR " + roff("subcore-" + c->name()) + (c == commands.back() ? " (1)\n" : " (1),\n");
  return text;
}

std::string man_page(const Command& command) {
  std::istringstream usage = text_stream(command.usage());
  std::string text = head("subcore-" + command.name(), command.summary()) + ".SH SYNOPSIS\n.nf\n";
  for (std::string line; std::getline(usage, line) && !line.empty();)
    text += roff(line.substr(line.find_first_not_of(' ') == 2 ? 2 : 0)) + '\n';
  text += ".fi\n" + without_doubled_paragraphs(".SH DESCRIPTION\n" + body(usage)) + ".SH OPTIONS\n";
  for (const CommandOption& o : command.options()) text += entry(o);
  if (!command.examples().empty()) text += ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : command.examples()) text += roff(line) + '\n';
  if (!command.examples().empty()) text += ".fi\n";
  return text + ".SH SEE ALSO\n.BR subcore (1)\n";
}

}  // namespace subcore
