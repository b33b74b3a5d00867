#include "lowering/ir/buffer.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "lowering/ir/detail/invariant.h"

namespace solway::ir {

std::int64_t BufferNode::num_elements() const {
  std::int64_t n = 1;
  for (const std::int64_t size : shape) n *= size;
  return n;
}

std::int64_t BufferNode::size_bytes() const { return num_elements() * solway::size_bytes(type); }

std::vector<std::int64_t> BufferNode::strides_elems() const {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

bool is_identifier(const std::string& name) {
  static constexpr const char* kLiterals[] = {"true",    "false",   "inf_f32",
                                              "inf_f64", "nan_f32", "nan_f64"};
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  const bool word = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 128) || c == '_';
  });
  return word && std::none_of(std::begin(kLiterals), std::end(kLiterals),
                              [&](const char* literal) { return name == literal; });
}

Buffer make_buffer(std::string name, DType type, std::vector<std::int64_t> shape, std::string scope,
                   int alignment_bytes) {
  if (!is_identifier(name)) detail::fail("buffer '" + name + "'", "its name is no identifier");
  if (!is_identifier(scope)) detail::fail("buffer '" + name + "'", "its scope is no identifier");
  for (const std::int64_t size : shape) {
    if (size < 0) detail::fail("buffer '" + name + "'", "size " + std::to_string(size));
  }
  if (alignment_bytes < 0 || (alignment_bytes & (alignment_bytes - 1)) != 0) {
    detail::fail("buffer '" + name + "'",
                 "alignment of " + std::to_string(alignment_bytes) + " bytes");
  }
  auto node = std::make_shared<BufferNode>();
  node->name = std::move(name);
  node->type = type;
  node->shape = std::move(shape);
  node->scope = std::move(scope);
  node->alignment_bytes = alignment_bytes;
  return node;
}

Buffer make_vectors(std::string name, DType type, std::vector<std::int64_t> extents,
                    const Lanes& lanes, std::string scope) {
  extents.push_back(lanes.count);
  const Buffer fixed = make_buffer(std::move(name), type, std::move(extents), std::move(scope));
  auto node = std::make_shared<BufferNode>(*fixed);
  node->is_scalable = lanes.scalable;
  return node;
}

Buffer as_upper_bound(const Buffer& buffer) {
  auto node = std::make_shared<BufferNode>(*buffer);
  node->is_upper_bound = true;
  return node;
}

}  // namespace solway::ir
