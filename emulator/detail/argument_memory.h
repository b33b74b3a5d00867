#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "support/error.h"

#include <sys/mman.h>
#include <unistd.h>

namespace solway::emulator::detail {

/// Shared memory that holds all arguments, each at the start of a page, with a page between.
class ArgumentMemory {
 public:
  explicit ArgumentMemory(std::span<const Argument> arguments) {
    for (const Argument& argument : arguments) {
      offsets_.push_back(bytes_);
      bytes_ += (argument.bytes + kPage - 1) / kPage * kPage + kPage;
    }
    descriptor_ = memfd_create("solway-arguments", MFD_CLOEXEC);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0) fail();
    if (bytes_ == 0) return;
    void* const data = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (data == MAP_FAILED) fail();
    data_ = static_cast<char*>(data);
  }
  ~ArgumentMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  ArgumentMemory(const ArgumentMemory&) = delete;
  ArgumentMemory& operator=(const ArgumentMemory&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t offset(std::size_t index) const { return offsets_[index]; }
  char* at(std::size_t index) { return data_ + offsets_[index]; }

 private:
  static constexpr std::size_t kPage = 4096;

  [[noreturn]] void fail() {
    const std::string why = std::strerror(errno);
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = -1;
    throw InternalError({{}, "no shared memory for the arguments", why, ""});
  }

  int descriptor_ = -1;
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::size_t> offsets_;
};

}  // namespace solway::emulator::detail
