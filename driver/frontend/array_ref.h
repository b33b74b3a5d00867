#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "support/dtype.h"

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
  /// Elements of float16 or bfloat16, as the bits that they are stored as.
  ArrayRef(std::span<std::uint16_t> bits, DType type)
      : data_(bits.data()), count_(static_cast<std::int64_t>(bits.size())), type_(type) {}

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
    } else if constexpr (std::same_as<Element, std::int16_t>) {
      return DType::Int16;
    } else if constexpr (std::same_as<Element, std::uint8_t>) {
      return DType::UInt8;
    } else if constexpr (std::same_as<Element, bool>) {
      return DType::Bool;
    } else {
      static_assert(std::same_as<Element, std::int8_t>, "tensors hold no such elements");
      return DType::Int8;
    }
  }

  void* data_;
  std::int64_t count_;
  DType type_;
  bool is_const_ = false;
};

}  // namespace solway
