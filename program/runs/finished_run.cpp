#include "subcore/program/runs/finished_run.h"

#include <new>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/base/whole_file.h"
#include "subcore/program/runs/interrupt.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

// The hash of all that the record says, without the hash itself.
std::string hash_of(const Json& record) {
  return Hash().add(json_text(record, -1)).text();
}

void write_record(const fs::path& folder, FinishedRun run) {
  run.result.wall_seconds = 0;
  Json record = Json::object();
  record["program"] = run.key.program;
  record["platform"] = run.key.platform;
  record["trace"] = run.key.trace;
  record["files"] = run.files;
  record["result"] = Json::parse(to_json(run.result, true));
  record["hash"] = hash_of(record);
  write_whole_file(folder / finished_file, json_text(record));
}

void copy_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy_file(from, to, error);
  if (error) throw std::runtime_error("cannot write " + to.string() + ": " + error.message());
}

}  // namespace

void clear_run(const fs::path& folder) {
  remove_file(folder / finished_file);  // goes first: without the record the run counts as half-written
  for (const fs::path& entry : entries_of(folder))
    if (!is_folder(entry)) remove_file(entry);
}

void write_finished_run(const fs::path& folder, const RunKey& key, const RunResult& result) {
  FinishedRun run{key, {}, result};
  for (const fs::path& entry : entries_of(folder))
    if (is_file(entry))
      run.files[entry.filename().string()] = Hash().add_file(entry, throw_if_interrupted).text();
  write_record(folder, std::move(run));
}

std::optional<FinishedRun> read_finished_run(const fs::path& folder) {
  const std::optional<std::string> text = file_text(folder / finished_file);
  if (!text) return std::nullopt;
  try {
    Json record = Json::parse(*text);
    const std::string hash = record.at("hash");
    record.erase("hash");
    if (hash_of(record) != hash) return std::nullopt;  // a person has changed the record
    FinishedRun run;
    record.at("program").get_to(run.key.program);
    record.at("platform").get_to(run.key.platform);
    record.at("trace").get_to(run.key.trace);
    record.at("files").get_to(run.files);
    run.result = run_result_from_json(record.at("result").dump());
    return run;
  } catch (const std::bad_alloc&) {  // lack of memory says nothing about the file
    throw;
  } catch (const std::exception&) {  // a record of another version or program
    return std::nullopt;
  }
}

std::string identity(RunResult r) {
  r.wall_seconds = 0;
  r.ipc_normalised = r.energy_normalised = r.area_normalised = r.area_overhead = r.chip_area_overhead =
      std::nullopt;
  r.energy_by_preset_normalised.clear();
  r.spread.clear();
  r.notes.clear();
  r.cautions.clear();
  r.per_kernel.clear();  // the kernels of saved results are not read
  return to_json(r, true);
}

void require_whole_run(const fs::path& folder, const RunResult& result, const fs::path& record_file) {
  const auto refuse = [](const fs::path& file, const std::string& problem, const std::string& expected) {
    throw std::runtime_error(file.string() + ": " + problem + "; expected " + expected);
  };
  if (!is_folder(folder))
    refuse(folder, "is not there, although " + record_file.string() + " lists the run",
           "all files of a finished run");
  const std::optional<FinishedRun> run = read_finished_run(folder);
  if (!run) return;
  for (const auto& [file, hash] : run->files)
    if (!is_file(folder / file))
      refuse(folder / file,
             std::string("is not there, although ") + finished_file + " in its folder names it",
             "all files of a finished run");
  if (identity(run->result) != identity(result))
    refuse(record_file,
           "has another result of " + result.platform + " on " + result.trace + " than " +
               (folder / finished_file).string(),
           "results as they were written");
}

bool take_finished_run(FinishedRun run, const fs::path& from, const fs::path& to, const std::string& trace,
                       bool with_profile) {
  const bool has_profile = run.files.count(profile_file) != 0, is_renamed = trace != run.result.trace;
  if (with_profile && (!has_profile || is_renamed)) return false;  // the profile has the trace's old name
  if (!with_profile) run.files.erase(profile_file);
  for (const char* file : run_files)
    if (run.files.count(file) == 0) return false;
  if (from != to) clear_run(to);
  for (const auto& [file, hash] : run.files) {
    if (!is_plain_file(from / file)) return false;
    if (from != to) copy_into_place(from / file, to / file);
    if (Hash().add_file(to / file, throw_if_interrupted).text() != hash) return false;
  }
  if (from == to && !with_profile) remove_file(to / profile_file);
  run.result.trace = trace;
  write_record(to, std::move(run));
  return true;
}

}  // namespace subcore
