#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lowering/ir/type.h"
#include "support/dtype.h"

namespace solway::ir {

/// Memory that a kernel reads or writes: a dense row-major array. Two buffers are the same iff they
/// are the same node; names are unique within a kernel.
///
///   CC: float32[1, 128] in ldm align 64
///   acc: float32[6, vscale*4] in register   vectors whose length is known at run time
///   A: float32[<= 4096, 64]              an argument whose first extent is known at run time
struct BufferNode {
  std::string name;
  DType type = DType::Float32;
  std::vector<std::int64_t> shape;  ///< empty: one element
  std::string scope = "main";   ///< or a managed memory of the target: "ldm", "panel", "register"
  int alignment_bytes = 0;      ///< of the first element; 0: the element's own
  bool is_upper_bound = false;  ///< there may be fewer elements than the shape says
  bool is_scalable = false;     ///< the last extent counts the lanes of scalable vectors

  std::int64_t num_elements() const;
  std::int64_t size_bytes() const;
  /// Distance in elements between neighbours of each dimension; the last is 1.
  std::vector<std::int64_t> strides_elems() const;
};
using Buffer = std::shared_ptr<const BufferNode>;

/// Requires an identifier as name, sizes >= 0 and an alignment that is 0 or a power of two.
Buffer make_buffer(std::string name, DType type, std::vector<std::int64_t> shape,
                   std::string scope = "main", int alignment_bytes = 0);

/// Vectors of `lanes` in the given extents. With scalable lanes, the sizes and strides of the
/// buffer are those of a vector scale of 1.
Buffer make_vectors(std::string name, DType type, std::vector<std::int64_t> extents,
                    const Lanes& lanes, std::string scope);

/// The same memory, of which there may be less.
Buffer as_upper_bound(const Buffer& buffer);

/// True for a letter or '_' followed by letters, digits and '_', except words that print as
/// literals ("true", "inf_f32", ...). Names of buffers, variables and kernels are such.
bool is_identifier(const std::string& name);

}  // namespace solway::ir
