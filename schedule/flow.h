#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/loop_instances.h"
#include "schedule/program.h"

/// Which instance computed the value that an instance reads.
namespace solway::schedule {

/// The reply words of transfers, one for each slot of each transfer, which both its issue and its
/// complete use; at the grain of iterations.
struct Replies {
  isl::union_map uses;      ///< { S[iteration] -> reply[slot] }
  isl::union_map time;      ///< { S[iteration] -> [time] }
  isl::union_map partners;  ///< { complete -> its issue }
};

/// A program in one order at the grain of elements, for exact flow.
///
/// An instance of a transfer is one element that it moves, [S[position] -> T[element]]. A virtual
/// statement before the program writes every element of every array that is no buffer; one after it
/// reads every element that the caller can see, outputs and placeholders, or that Program::seen
/// names. A value that is computed
/// inside the expression of S is an instance of its own, [S[i] -> inlined1[]], which runs directly
/// before its user and stores to a cell of its own.
struct ElementProgram {
  isl::union_map writes;  ///< { S[i] -> A[element] }
  /// By operand of the program as written: { S[i] -> A[element] }
  std::vector<isl::union_map> reads;
  isl::union_map landings;  ///< what a complete writes
  isl::union_map time;      ///< { S[i] -> [time] }
  /// The same by the values of loops, where it has been found.
  std::optional<LoopInstances> instances;
  isl::union_map groups;   ///< { S[i] -> G[group] } of declared reductions
  isl::union_set inits;    ///< the initialisations among them
  isl::union_set updates;  ///< the updates among them
  isl::union_set merges;   ///< those updates that combine partial results
  /// By operand: the updates whose accumulator it is.
  std::vector<isl::union_set> accumulating;
  isl::union_set issues;
  isl::union_set completes;
  isl::union_map partners;  ///< { complete -> its issue }
  Replies replies;
  std::set<std::string> replied = {};  ///< see replied_buffers.h
  isl::union_set copies;               ///< completes, and copies into other layouts
  /// { S[i] -> A[element] }: statements as written that store an element as they read it.
  isl::union_map passed;
  isl::union_set inlined;  ///< the cells of inlined values
  isl::union_map users;    ///< { an inlined instance -> the instance in whose expression it is }
  /// { S[i] -> O[i] }: the instance of the program as written that each computes, virtual ones
  /// included; nullopt: every instance is itself.
  std::optional<isl::union_map> origin;
};

/// `time` is { S[iteration] -> [time] } for all statements of `program`.
ElementProgram elementwise(const Program& program, const isl::union_map& time);

/// The array that an instance of a virtual statement stands for; nullopt for any other tuple.
std::optional<std::string> array_before_program(const std::string& tuple);
std::optional<std::string> array_after_program(const std::string& tuple);

/// { reader -> the last instance that wrote what it reads }, of accesses { S[i] -> A[element] } in
/// the order of `instances`, for each array by itself.
isl::union_map last_writers(const isl::union_map& reads, const isl::union_map& writes,
                            const LoopInstances& instances);
isl::union_map last_writers(const ElementProgram& program, const isl::union_map& reads);

/// Where the values come from.
struct Sources {
  std::vector<isl::union_map> direct;  ///< by operand: { reader -> last writer }
  /// The same followed through copies to what computed the value; readers that are no transfers.
  std::vector<isl::union_map> computed;
};

/// nullopt when a value passes through more than kMaxCopies copies.
std::optional<Sources> sources_of(const ElementProgram& program);
inline constexpr int kMaxCopies = 24;

/// The sources with each instance of a declared reduction replaced by its group: it stands for the
/// whole result. Holds where readers take the last of the chain.
isl::union_map by_group(const isl::union_map& sources, const ElementProgram& program);

}  // namespace solway::schedule
