#include <optional>

#include "codegen/athread/detail/cpe_stmts.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "support/dtype.h"
#include "support/error.h"

namespace solway::codegen {

void CpeStmts::exchange(const ir::Exchange& n) {
  constexpr std::int64_t kMessageBytes = 32;
  const int elem_bytes = size_bytes(n.buffer->type);
  const auto is_multiple = [&](const ir::Expr& elems) {
    return divisor_of(elems, ranges_) * elem_bytes % kMessageBytes == 0;
  };
  const bool is_whole = options_.near_alignment_bytes % kMessageBytes == 0 &&
                        is_multiple(ir::flat_index(*n.buffer, n.indices)) &&
                        is_multiple(ir::index(n.part_elems)) && is_multiple(n.num_elems);
  constexpr std::int64_t kWordBytes = 4;
  const auto is_of_words = [&](const ir::Expr& elems) {
    return divisor_of(elems, ranges_) * elem_bytes % kWordBytes == 0;
  };
  if (dialect_.paths() == CorePaths::Copies &&
      !(is_of_words(ir::flat_index(*n.buffer, n.indices)) && is_of_words(n.num_elems))) {
    throw UnsupportedError({n.where, "cores do not pass on '" + n.buffer->name + "'",
                            "copies from core to core move multiples of 4 bytes from multiples of "
                            "4 bytes, and its regions are not such",
                            "choose tiles of an even number of elements"});
  }
  out.comment("the " + std::string(n.line == ir::MeshLine::Row ? "row" : "column") +
              " passes on its parts of " + n.buffer->name);
  const std::string bytes = exprs_.print(ir::mul(n.num_elems, ir::index(elem_bytes)));
  out.line(exchanges.name_of(n.line, is_whole) + "((char *)&" +
           exprs_.element(*n.buffer, n.indices) + ", " + bytes + ", " +
           std::to_string(n.part_elems * elem_bytes) + ", " + exprs_.print(n.part) + ", " +
           std::to_string(n.parts) + ");");
}

}  // namespace solway::codegen
