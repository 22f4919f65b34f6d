#include "scenarios/waveform.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>

#include "model/bits.h"

namespace subcore {
namespace {

// Identifier codes of printable characters, shortest first.
std::string identifier(unsigned n) {
  std::string code;
  do {
    code += static_cast<char>('!' + n % 94);
    n /= 94;
  } while (n != 0);
  return code;
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// sm_1 is within sm_1 and sm_1.sub_core_0 within sm_1; sm_10 is not.
bool within(const std::string& path, const std::string& scope) {
  return scope.empty() || path == scope || path.compare(0, scope.size() + 1, scope + ".") == 0;
}

}  // namespace

Waveform::Waveform(Gpu& gpu, const WaveformOptions& options) : options_(options) {
  temporary_ = temporary(options_.aside.empty() ? options_.file : options_.aside);
  out_ = std::fopen(temporary_.c_str(), "wb");
  if (out_ == nullptr) {
    fail(std::strerror(errno));
  }
  const std::filesystem::path packing = options_.file.extension();
  if (packing == ".gz" || packing == ".xz") {
    packer_ = std::make_unique<boost::iostreams::filtering_ostream>();
    if (packing == ".gz")
      packer_->push(boost::iostreams::gzip_compressor());
    else
      packer_->push(boost::iostreams::lzma_compressor());
    packer_->push(boost::iostreams::back_inserter(packed_));
  }
  // Time in picoseconds: every clock period of interest is a whole number of them.
  period_ = static_cast<std::uint64_t>(gpu.period().to_seconds() * 1e12 + 0.5);
  declare(gpu);
}

Waveform::~Waveform() {
  if (out_ == nullptr) return;
  std::fclose(out_);  // not closed properly: the run failed
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void Waveform::add(Group& group, std::vector<Signal> signals, const std::string& path) {
  if (signals.empty() || !within(path, options_.scope)) return;
  const std::vector<std::string> scopes = split(path);
  std::size_t same = 0;
  while (same < open_scopes_.size() && same < scopes.size() && open_scopes_[same] == scopes[same]) ++same;
  for (; open_scopes_.size() > same; open_scopes_.pop_back()) put("$upscope $end\n");
  for (; open_scopes_.size() < scopes.size(); open_scopes_.push_back(scopes[open_scopes_.size()])) {
    put("$scope module " + scopes[open_scopes_.size()] + " $end\n");
  }
  for (Signal& s : signals) {
    Variable v{identifier(next_code_++), std::min(s.bits, 64u), std::move(s.value), 0};
    put("$var wire " + std::to_string(v.bits) + " " + v.code + " " + s.name +
        (v.bits > 1 ? " [" + std::to_string(v.bits - 1) + ":0]" : "") + " $end\n");
    group.variables.push_back(std::move(v));
  }
}

void Waveform::declare(Gpu& gpu) {
  put("$version subcore $end\n$timescale 1ps $end\n");
  for (auto& sm : gpu.sms) {
    auto group = std::make_unique<Group>();
    group->owner = this;
    const std::string path = sm.basename();
    for (Module* m : sm.modules()) add(*group, m->signals(), path + "." + m->basename());
    for (auto& s : sm.sub_cores) {
      for (Module* m : s.modules())
        add(*group, m->signals(), path + "." + s.basename() + "." + m->basename());
    }
    // The controller changes between cycles; its lines follow the first SM.
    if (gpu.sthld_controller && &sm == &gpu.sms[0])
      add(*group, gpu.sthld_controller->signals(), gpu.sthld_controller->basename());
    if (group->variables.empty()) continue;
    sm.conductor.observe(*group);
    groups_.push_back(std::move(group));
  }
  if (groups_.empty()) {
    std::fclose(out_);
    out_ = nullptr;
    std::filesystem::remove(temporary_);
    throw std::runtime_error("waveform scope '" + options_.scope +
                             "': no module has that path; expected e.g. sm_0.sub_core_0");
  }
  for (; !open_scopes_.empty(); open_scopes_.pop_back()) put("$upscope $end\n");
  put("$enddefinitions $end\n#0\n$dumpvars\n");
  for (auto& g : groups_) {
    for (Variable& v : g->variables) write(v);
  }
  put("$end\n");
  last_time_ = 0;
}

void Waveform::write(const Variable& v) {
  if (v.bits == 1) {
    buffer_ += (v.last & 1u) != 0 ? '1' : '0';
    buffer_ += v.code;
    buffer_ += '\n';
    return;
  }
  buffer_ += 'b';
  const unsigned top = v.last == 0 ? 0 : bits::highest(v.last);
  for (unsigned b = top + 1; b-- > 0;) buffer_ += bits::has(v.last, b) ? '1' : '0';
  buffer_ += ' ';
  buffer_ += v.code;
  buffer_ += '\n';
}

// After a change one more cycle is looked at, so that a pulse ends although the model goes to sleep.
bool Waveform::sample(Group& group, Cycle cycle) {
  if (cycle < options_.from || cycle > options_.to) return false;
  bool changed = false;
  for (Variable& v : group.variables) {
    std::uint64_t now = v.value(cycle);
    if (v.bits < 64) now &= bits::below(v.bits);
    if (now == v.last) continue;
    v.last = now;
    changed = true;
    if (cycle != last_time_) {
      put("#" + std::to_string(cycle * period_) + "\n");
      last_time_ = cycle;
    }
    write(v);
  }
  if (buffer_.size() > 1u << 20) flush();
  return changed;
}

void Waveform::flush() {
  if (!packer_) {
    write_out(buffer_);
    return;
  }
  packer_->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  buffer_.clear();
  write_out(packed_);
}

void Waveform::write_out(std::string& bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), out_) != bytes.size()) fail(std::strerror(errno));
  bytes.clear();
}

void Waveform::fail(const std::string& reason) const {
  throw std::runtime_error(options_.file.string() + ": cannot write the waveform: " + reason);
}

void Waveform::close() {
  flush();
  if (packer_) {
    packer_->reset();  // the end of the packed stream
    write_out(packed_);
  }
  std::FILE* const out = std::exchange(out_, nullptr);
  // A full disk often shows only here, when the last bytes go out.
  if (std::fclose(out) != 0) {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
    fail(reason);
  }
  std::error_code error;
  std::filesystem::rename(temporary_, options_.aside.empty() ? options_.file : options_.aside, error);
  if (error) fail(error.message());
}

}  // namespace subcore
