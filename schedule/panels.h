#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include <isl/cpp.h>

#include "schedule/region.h"
#include "schedule/state.h"

/// Buffers in which a dimension of the tensor is kept in panels: the rows or columns that an inner
/// loop works on lie together.
namespace solway::schedule {

/// The index along `dim` of an element whose number along the tensor's dimension is `place`,
/// counted from where the buffer begins.
isl::pw_aff index_along(const BufferDim& dim, const isl::pw_aff& place);

/// Indices along `dim` of a buffer that holds `count` elements along the tensor's dimension; those
/// of a last panel that is not full are counted.
std::int64_t extent_along(const BufferDim& dim, std::int64_t count);

/// Elements of the tensor from one that a buffer holds to the next along dimension `dim`.
std::int64_t stride_along(const Buffer& buffer, int dim);

/// Whether a buffer keeps a dimension of its tensor in panels.
bool has_panels(const Buffer& buffer);

/// Why loops do not divide a dimension into panels, in the user's words.
struct NoPanels {
  std::string what, why, fix;
};

/// A dimension of a buffer, and the loop that runs along it; -1 where several do.
struct PanelDim {
  BufferDim dim;
  LoopId loop = -1;
};

/// The dimensions of a buffer with one index per loop of `order`, outermost first: a loop that runs
/// alone along a dimension of the tensor counts its elements; of several, each counts one digit of
/// the element's number. Neighbours of which one goes on where the other ends are one dimension.
///
///   B[k, jo*64 + ji] for [jo, k, ji] -> {1, 64, 0}, {0, 1, 0}, {1, 1, 64}
std::variant<std::vector<PanelDim>, NoPanels> panels_of(const State& state,
                                                        const std::vector<Access>& accesses,
                                                        const std::vector<LoopId>& order);

/// Whether loops of one dimension stand apart in `order`, which then says how the dimension is kept
/// in panels. `loops_of_dim`: per dimension of the tensor, the loops that its index depends on.
bool asks_for_panels(const std::vector<std::set<LoopId>>& loops_of_dim,
                     const std::vector<LoopId>& order);

}  // namespace solway::schedule
