# Makes Doxygen's comments of plain ones, each line in its place: "///" ahead of a declaration, "///<" behind one. The heading
# of a file is about the file, and, unless that has a comment of its own, about the class that the file is named after, too
# (cache_table.h: CacheTable), or else about its first class.

# The name of the class that the line begins to define, in small letters; "" if it does not.
function defined(line) {
  if (line !~ /^(class|struct|enum class) [A-Za-z0-9_]+[^;]*$/) return ""
  sub(/^(enum )?(class|struct) /, "", line)
  match(line, /^[A-Za-z0-9_]+/)
  return tolower(substr(line, 1, RLENGTH))
}

BEGIN {
  subject = ARGV[1]
  gsub(/.*\/|\.h$|_/, "", subject)
  while ((getline line < ARGV[1]) > 0) named = named || defined(line) == subject
  close(ARGV[1])
}
FNR == 1 { in_heading = /^\/\// }
in_heading && !/^\/\// {
  in_heading = 0
  sub(/^/, "@file */ ")
}
in_heading { sub(/^\/\/ ?/, ""); heading = heading "@newline " $0; print (FNR == 1 ? "/** " : "") $0; next }
/^[ \t]*\/\// { sub(/\/\//, "///"); commented = 1; print; next }
defined($0) != "" && (!named || defined($0) == subject) {
  if (!commented && heading != "") $0 = "/** " heading " */ " $0
  heading = ""
}
/[;,{}(] +\/\/ / { sub(/\/\/ /, "///< ") }
{ print; if (!/^template/) commented = 0 }
