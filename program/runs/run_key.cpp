#include "subcore/program/runs/run_key.h"

#include <cstring>
#include <exception>
#include <map>
#include <string_view>
#include <system_error>

#include <dlfcn.h>
#include <link.h>

#include "subcore/model/trace/sidecar.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/runs/interrupt.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// The build id, by which the linker names the object's content; empty if the object has none.
std::string_view build_id(const dl_phdr_info& object) {
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const std::uint64_t align = segment.p_align == 8 ? 8 : 4;
    const auto padded = [&](std::uint64_t size) { return (size + align - 1) / align * align; };
    const auto* const begin = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    for (std::uint64_t at = 0; at + sizeof(ElfW(Nhdr)) <= segment.p_memsz;) {
      ElfW(Nhdr) head;
      std::memcpy(&head, begin + at, sizeof head);
      const std::uint64_t name = at + sizeof head, content = name + padded(head.n_namesz);
      if (head.n_type == NT_GNU_BUILD_ID &&
          std::string_view(begin + name, head.n_namesz) == std::string_view("GNU", 4))
        return {begin + content, head.n_descsz};
      at = content + padded(head.n_descsz);
    }
  }
  return {};
}

fs::path folder_of_system_libraries() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&std::strerror), &info) == 0) return {};
  return fs::canonical(info.dli_fname).parent_path();
}

struct ProgramHash {
  Hash hash;
  fs::path system = folder_of_system_libraries();
  std::exception_ptr failure;

  void add(const dl_phdr_info& object) {
    const std::string name = object.dlpi_name;
    fs::path file = "/proc/self/exe";  // the first object, which has no name
    if (!name.empty()) {
      std::error_code error;
      file = fs::canonical(name, error);
      if (error == std::errc::no_such_file_or_directory) return;  // an object of the kernel
      if (error) throw fs::filesystem_error("cannot find", name, error);
      const bool is_ours = file.filename().string().find("subcore") != std::string::npos;
      const fs::path folder = file.parent_path();
      if (!is_ours && (folder == system || file.filename().string().compare(0, 3, "ld-") == 0)) return;
    }
    const std::string_view id = build_id(object);
    if (id.empty())
      hash.add_file(file, throw_if_interrupted);
    else
      hash.add(id);
  }
};

}  // namespace

std::string program_hash() {
  ProgramHash program;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* data) {
        auto& p = *static_cast<ProgramHash*>(data);
        try {
          p.add(*object);
        } catch (...) {  // no exception may pass a function of C
          p.failure = std::current_exception();
        }
        return p.failure ? 1 : 0;
      },
      &program);
  if (program.failure) std::rethrow_exception(program.failure);
  return program.hash.text();
}

const std::string& PlatformHashes::of_table(const std::string& preset) {
  std::string& hash = of_tables_[preset];
  if (hash.empty()) hash = Hash().add(tables_.text_of(preset)).text();
  return hash;
}

std::string PlatformHashes::of(const PlatformParameters& platform) {
  PlatformParameters decisive = platform;
  decisive.description.clear();  // a description changes no result
  Hash hash;
  hash.add(resolved_yaml(decisive)).add(of_table(platform.energy.preset));
  for (const std::string& preset : tables_.shipped()) hash.add(of_table(preset));
  if (platform.passes.near_bits.source == NearBitsSource::of_file)
    hash.add_file(platform.passes.near_file, throw_if_interrupted);
  return hash.text();
}

std::string trace_hash(const TraceProgram& trace) {
  Hash hash;
  hash.add(trace.selection).add(std::to_string(trace.skipped_commands.size()));
  for (const std::string& c : trace.skipped_commands) hash.add(c);
  hash.add(trace.sample);
  for (const KernelPart& p : trace.parts)
    for (const std::uint64_t n : {p.first, p.end, p.tail, p.wave}) hash.add(std::to_string(n));
  std::map<fs::path, std::string> kernels;  // by file, because a list may name one several times
  for (const fs::path& kernel : trace.kernels) {
    std::string& of_kernel = kernels[kernel];
    if (of_kernel.empty()) {
      Hash files;
      for (const fs::path& file : {kernel, find_sidecar(kernel)}) {
        files.add(file.extension().string());  // the extension says how the file is unpacked
        if (!file.empty()) files.add_file(file, throw_if_interrupted);
      }
      of_kernel = files.text();
    }
    hash.add(of_kernel);
  }
  return hash.text();
}

}  // namespace subcore
