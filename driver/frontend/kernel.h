#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/build.h"
#include "driver/frontend/schedule.h"

namespace solway {

/// Elements in the caller's memory: anything contiguous converts, of const elements for inputs.
class ArrayRef {
 public:
  template <typename Element>
  ArrayRef(std::span<Element> elements)  // NOLINT(google-explicit-constructor)
      : data_(const_cast<std::remove_const_t<Element>*>(elements.data())),
        count_(static_cast<std::int64_t>(elements.size())),
        type_(dtype_of<std::remove_const_t<Element>>()),
        is_const_(std::is_const_v<Element>) {}
  template <typename Element>
  ArrayRef(std::vector<Element>& elements)  // NOLINT(google-explicit-constructor)
      : ArrayRef(std::span<Element>(elements)) {}
  template <typename Element>
  ArrayRef(const std::vector<Element>& elements)  // NOLINT(google-explicit-constructor)
      : ArrayRef(std::span<const Element>(elements)) {}

  void* data() const { return data_; }
  std::int64_t count() const { return count_; }
  DType type() const { return type_; }
  bool is_const() const { return is_const_; }

 private:
  template <typename Element>
  static constexpr DType dtype_of() {
    if constexpr (std::same_as<Element, double>) {
      return DType::Float64;
    } else if constexpr (std::same_as<Element, float>) {
      return DType::Float32;
    } else if constexpr (std::same_as<Element, std::int64_t>) {
      return DType::Int64;
    } else if constexpr (std::same_as<Element, std::int32_t>) {
      return DType::Int32;
    } else {
      static_assert(std::same_as<Element, std::int8_t>, "tensors hold no such elements");
      return DType::Int8;
    }
  }

  void* data_;
  std::int64_t count_;
  DType type_;
  bool is_const_;
};

/// A schedule compiled for one target.
class Kernel {
 public:
  /// Runs on one array per argument, in order; outputs are written in place. Throws
  /// ArgumentMismatchError for another number of arrays, of elements, or another type.
  void operator()(const std::vector<ArrayRef>& arrays, Line line = Line::current()) const;
  /// Generated files by name.
  std::map<std::string, std::string> source() const { return code_.sources(); }
  /// What was asked for and done otherwise, each with the reason.
  const Remarks& report() const { return code_.remarks(); }

 private:
  friend Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
                      const driver::BuildOptions& options, Line line);
  Kernel(driver::CompiledKernel code, std::vector<Tensor> args)
      : code_(std::move(code)), args_(std::move(args)) {}

  driver::CompiledKernel code_;
  std::vector<Tensor> args_;
};

/// Compiles `schedule` with `args`, every placeholder and every output, as parameters in order.
///
///   Kernel k = build(s, {A, B, C}, {.target = "c", .name = "matmul"});
///   k({a, b, c});
Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
             const driver::BuildOptions& options = {}, Line line = Line::current());

}  // namespace solway
