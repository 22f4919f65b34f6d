// A trace folder's kernelslist.g, beside three kernels. Its first line is also tried as a value of --kernel
// and as the path of another trace, below that folder.
#include "subcore/model/trace/trace.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

std::filesystem::path make_folder() {
  const std::string kernel = project_file("tests/traces/off_lanes/kernel-1.traceg");
  for (const char* name : {"list/kernel-1.traceg", "list/kernel-2.traceg", "list/a/kernel-3.traceg"})
    write(name, kernel);
  return scratch() / "list";
}

}  // namespace

void kernel_list(std::string_view input) {
  static const std::filesystem::path folder = make_folder();
  write("list/kernelslist.g", input);
  TraceProgram program;
  if (!accepts([&] { program = open_trace(folder); })) return;
  binary_version_of(program);
  const std::string line(input.substr(0, input.find_first_of(std::string_view("\n\0", 2))));
  accepts([&] { keep_kernels(program, line); });
  accepts([&] { trace_path(line); });
  const std::filesystem::path named = (folder / line).lexically_normal();
  if (named.string().rfind(folder.string() + '/', 0) != 0) return;  // the machine's own files are no input
  accepts([&] { open_traces({{named, ""}, {folder, "given"}}); });
}

}  // namespace subcore::fuzz
