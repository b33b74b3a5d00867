#pragma once

#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "dsl/reducer.h"
#include "dsl/tensor.h"

namespace solway::schedule {

/// What an instance of a statement does.
///
///   Compute   stores its value
///   Init      stores the identity of a declared reduction
///   Update    combines its values into the accumulators, its first operands
///   Issue     starts a transfer; Complete ends it (a wait in the loop IR)
enum class StatementKind : std::uint8_t { Compute, Init, Update, Issue, Complete };

/// One array that an instance reads.
struct Operand {
  isl::map relation;  ///< { S[iteration] -> T[element] }, only where the read happens
  /// { S[iteration] -> T[element] } everywhere: what the index expression says.
  isl::multi_pw_aff index;
  dsl::Expr read;  ///< the user's read; null for the accumulator and for transfers
  /// Whose operand it is: 0 the statement's own, k + 1 that of Statement::inlined[k].
  std::size_t owner = 0;
  /// Its number among the operands of the statement that the user wrote; nullopt: as it stands.
  std::optional<std::size_t> place = std::nullopt;
  /// Whether the element follows from the instance. Otherwise it depends on data: the relation
  /// holds all that it may be, and the index only says the first of them.
  bool is_exact = true;
};

/// An instance of another statement that is computed inside an expression.
struct Inlined {
  isl::map origin;        ///< { S[iteration] -> P[iteration] }, only where its value is used
  std::size_t owner = 0;  ///< who uses it, as Operand::owner
  std::size_t place = 0;  ///< which operand of the owner it stands for, as Operand::place
};

/// Get fills a buffer from main memory, Put stores it back.
enum class CopyDirection : std::uint8_t { Get, Put };

/// What an instance of a transfer moves: elements of a tensor T, to or from a buffer B, that are a
/// box, or whose rows are boxes. The issue and the complete of one transfer have equal copies, but
/// for the name of the tuple S.
struct Copy {
  std::string transfer;  ///< "BB_get": what issue and complete have in common
  std::string buffer;
  CopyDirection direction = CopyDirection::Get;
  isl::map elements;             ///< { S[position] -> T[element] }: exactly what moves
  isl::map storage;              ///< { [S[position] -> T[element]] -> B[cell] } of these elements
  isl::multi_pw_aff first;       ///< { S[position] -> T[element] }: the lowest corner
  isl::multi_pw_aff count;       ///< { S[position] -> [n0, n1, ...] }: elements per dimension of T
  isl::multi_pw_aff near_first;  ///< { S[position] -> B[cell] } of the lowest corner
  /// Of elements that are no box, and that `first` and `count` are the box around: the dimensions
  /// of the buffer, without slots, that tell apart rows of which each is one (transfer_rows.h).
  std::vector<int> rows = {};
};

/// One array that an instance stores to. An instance evaluates all its values before it stores any.
struct Write {
  isl::map relation;  ///< { S[iteration] -> T[element] }
  /// The same on the whole space, as an expression.
  isl::multi_pw_aff index;
  dsl::Expr value;  ///< what is stored or combined; null for transfers
};

/// A set of instances with one body.
struct Statement {
  std::string name;  ///< the isl tuple
  StatementKind kind = StatementKind::Compute;
  std::string stage;            ///< the tensor that the user scheduled; a transfer: its user
  std::vector<dsl::Axis> axes;  ///< dimension k of the domain; a transfer: of its position's loops
  isl::set domain;              ///< { S[iteration] }
  std::vector<Write> writes;    ///< to different arrays; a tuple has one per value
  /// In order of appearance; first an update's accumulators, one per write.
  std::vector<Operand> reads;
  std::optional<ReduceOp> reduce;  ///< of an Update of a declared reduction
  /// Of an Update with a combine function of the user's.
  std::shared_ptr<const dsl::Combiner> combiner;
  /// { S[iteration] -> G[group] } for Init and Update of a declared reduction.
  std::optional<isl::map> group;
  std::optional<Copy> copy;  ///< of an Issue or a Complete
  /// { S[iteration] -> O[iteration] }: the instance of the program as written that it computes, of
  /// a transfer nothing. nullopt: itself. Empty: none, a part of a reduction that was split up, or
  /// a copy into another layout.
  std::optional<isl::map> origin;
  std::vector<Inlined> inlined;  ///< each after its owner
  SourceLoc where;

  bool is_transfer() const {
    return kind == StatementKind::Issue || kind == StatementKind::Complete;
  }
  isl::union_map written() const;  ///< { S[iteration] -> T[element] } of all writes
  bool writes_to(const std::string& array) const;
  bool reads_from(const std::string& array) const;
  /// Whether it only copies a tensor to another place: a value passes through it. A stage that
  /// compute_at placed where nothing is needed computes no instance that was written either.
  bool is_layout_copy() const {
    return kind == StatementKind::Compute && origin && origin->is_empty() && reads.size() == 1 &&
           writes.size() == 1 && reads[0].read != nullptr && reads[0].read == writes[0].value;
  }
  /// Whether it moves what two tiles of a buffer have in common to its place in the second one.
  bool is_slide() const;
  /// Whether it computes nothing, but gives a buffer its elements or takes them from it.
  bool serves_buffer() const { return is_transfer() || is_slide(); }
  std::string served_buffer() const;  ///< its name, of such a statement
  /// Whether it combines partial results of a reduction.
  bool is_merge() const { return kind == StatementKind::Update && origin && origin->is_empty(); }
};

/// Throws UnsupportedError when `s` reads `array` at an element that depends on data: nobody may
/// change where its elements lie. `request` is what the user asked for.
void require_exact_reads(const Statement& s, const std::string& array, const std::string& request,
                         const SourceLoc& where);

}  // namespace solway::schedule
