#include "subcore/observers/packed_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>

namespace subcore {

PackedFile::PackedFile(std::filesystem::path file, std::filesystem::path aside, std::string what,
                       int gzip_level)
    : file_(std::move(file)), path_(aside.empty() ? file_ : std::move(aside)), what_(std::move(what)) {
  out_ = std::fopen(temporary(path_).c_str(), "wb");
  if (out_ == nullptr) fail(std::strerror(errno));
  const std::filesystem::path packing = file_.extension();
  if (packing != ".gz" && packing != ".xz") return;
  packer_ = std::make_unique<boost::iostreams::filtering_ostream>();
  if (packing == ".gz")
    packer_->push(boost::iostreams::gzip_compressor(gzip_level));
  else
    packer_->push(boost::iostreams::lzma_compressor());
  packer_->push(boost::iostreams::back_inserter(packed_));
}

PackedFile::~PackedFile() {
  if (out_ == nullptr) return;
  std::fclose(out_);
  discard();
}

void PackedFile::discard() {
  std::error_code ignored;
  std::filesystem::remove(temporary(path_), ignored);
}

void PackedFile::make_room(std::size_t bytes) {
  flush();
  text_.resize(std::max(2 * bytes, std::size_t{1} << 16));
}

void PackedFile::flush() {
  if (packer_) {
    packer_->write(text_.data(), static_cast<std::streamsize>(used_));
    write_out(packed_.data(), packed_.size());
    packed_.clear();
  } else {
    write_out(text_.data(), used_);
  }
  used_ = 0;
}

void PackedFile::write_out(const char* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, out_) != count) fail(std::strerror(errno));
}

void PackedFile::fail(const std::string& reason) const {
  throw std::runtime_error(file_.string() + ": cannot write " + what_ + ": " + reason);
}

void PackedFile::close() {
  flush();
  if (packer_) {
    packer_->reset();  // the end of the packed stream
    write_out(packed_.data(), packed_.size());
  }
  // A full disk often shows only here, when the last bytes go out.
  if (std::fclose(std::exchange(out_, nullptr)) != 0) {
    const std::string reason = std::strerror(errno);
    discard();
    fail(reason);
  }
  std::error_code error;
  std::filesystem::rename(temporary(path_), path_, error);
  if (error) fail(error.message());
}

}  // namespace subcore
