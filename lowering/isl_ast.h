#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/state.h"

namespace solway::lowering {

/// Expressions of the rows of a transfer (Copy::rows), in terms of the iterators and of the
/// identifiers row_name() too, which stand for the indices of a row.
struct RowExprs {
  std::vector<isl::ast_expr> begins, ends;  ///< of the index along each dimension of Copy::rows
  std::vector<isl::ast_expr> first;         ///< TransferRows::first
  std::vector<isl::ast_expr> count;         ///< TransferRows::count
  std::vector<isl::ast_expr> near_first;    ///< TransferRows::near_first
  /// Where all rows together are a box; nullopt: nowhere.
  std::optional<isl::ast_expr> whole;
};

/// Expressions of one user node of the AST, in terms of the AST's iterators. A loop of one
/// iteration that runs along a dimension of the statement is the identifier unit_loop_name(), which
/// keeps the name of an axis in the indices; isl itself would fold the only value.
struct InstanceExprs {
  const schedule::Statement* statement = nullptr;
  isl::set instances;  ///< { S[iteration] } that run there
  /// Where the instance runs, when the loops around it also run where it does not.
  std::optional<isl::ast_expr> guard;
  // Of all but transfers.
  std::vector<isl::ast_expr> iteration;            ///< the value of each axis of the statement
  std::vector<std::vector<isl::ast_expr>> writes;  ///< per write, the element, per dimension
  std::vector<std::vector<isl::ast_expr>> reads;   ///< per operand, per dimension
  // Of an issue.
  std::vector<isl::ast_expr> first;       ///< Copy::first
  std::vector<isl::ast_expr> count;       ///< Copy::count; of a complete: only with panels
  std::vector<isl::ast_expr> near_first;  ///< Copy::near_first; of a complete: the slot alone
  std::optional<RowExprs> rows = {};      ///< of both, where the elements are no box
};

/// The loops that isl makes of a schedule.
struct Ast {
  isl::ast_node root;
  std::map<std::string, InstanceExprs> instances;  ///< by the annotation of the user node
};

/// The loop whose band stands under a mark.
schedule::LoopId loop_of_mark(const isl::id& mark);

/// The identifier of a loop of one iteration in the expressions of instances.
std::string unit_loop_name(schedule::LoopId id);

/// The identifier of the index along dimension `k` of Copy::rows.
std::string row_name(std::size_t k);

/// Whether a statement that runs in the first or last iterations of a loop only may stand before or
/// behind the loop: the code is shorter, but where cores share out the loop, all of them run it.
enum class Statements : std::uint8_t { BesideLoops, InLoops };

/// Generates the AST of a schedule. Each band becomes one loop (never split in pieces), but for
/// what statements with a delay do before its begin and after its end; the loops of band `id` stand
/// under a mark node named "loop_<id>". A statement whose instances isl cannot tell apart in its
/// loops runs in those of widened_domains, under a guard.
Ast make_ast(const schedule::State& state, Statements statements = Statements::BesideLoops);

}  // namespace solway::lowering
