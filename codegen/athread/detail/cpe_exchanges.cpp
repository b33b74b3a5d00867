#include <optional>

#include "codegen/athread/detail/cpe_stmts.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "support/dtype.h"
#include "support/error.h"
#include "support/message_parts.h"

namespace solway::codegen {

void CpeStmts::exchange(const ir::Exchange& n) {
  const int elem_bytes = size_bytes(n.buffer->type);
  const auto are_of = [&](std::int64_t bytes) {
    const auto is_multiple = [&](const ir::Expr& elems) {
      return divisor_of(elems, ranges_) * elem_bytes % bytes == 0;
    };
    return options_.near_alignment_bytes % bytes == 0 &&
           is_multiple(ir::flat_index(*n.buffer, n.indices)) &&
           is_multiple(ir::index(n.part_elems)) && is_multiple(n.num_elems);
  };
  const PartGrain grain = are_of(kMessageBytes) ? PartGrain::Messages
                          : are_of(kWordBytes)  ? PartGrain::Words
                                                : PartGrain::Bytes;
  if (dialect_.paths() == CorePaths::Copies && grain == PartGrain::Bytes) {
    throw UnsupportedError({n.where, "cores do not pass on '" + n.buffer->name + "'",
                            "copies from core to core move multiples of 4 bytes from multiples of "
                            "4 bytes, and its regions are not such",
                            "choose tiles of an even number of elements"});
  }
  out.comment("the " + std::string(n.line == ir::MeshLine::Row ? "row" : "column") +
              " passes on its parts of " + n.buffer->name);
  const std::string bytes = exprs_.print(ir::mul(n.num_elems, ir::index(elem_bytes)));
  out.line(exchanges.name_of(n.line, grain) + "((char *)&" + exprs_.element(*n.buffer, n.indices) +
           ", " + bytes + ", " + std::to_string(n.part_elems * elem_bytes) + ", " +
           exprs_.print(n.part) + ", " + std::to_string(n.parts) + ");");
}

}  // namespace solway::codegen
