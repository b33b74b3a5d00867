#pragma once

#include <isl/cpp.h>

namespace solway::schedule {

/// The instances of statements by the values of the loops around them, where their time takes
/// quotients and remainders of their own indices. Both tell the same instances apart; by the values
/// of loops their time is affine, and so are most of their accesses: isl finds flow several times
/// as fast.
///
///   before: time { S[x] -> [0, floor(x / 4), x mod 4] : 0 <= x < 32 },  access { S[x] -> A[x mod
///   4] } after:  time { S[o, i] -> [0, o, i] },   access { S[o, i] -> A[i] : 0 <= o < 8 and 0 <= i
///   < 4 }
///
/// Statements of which two instances run at one time, or whose time is described in pieces, keep
/// their indices; so do transfers, which have those of loops.
class LoopInstances {
 public:
  /// `time` is { S[i] -> [t] }.
  explicit LoopInstances(const isl::union_map& time);

  /// { S[l] -> [t] }
  const isl::union_map& time() const { return time_; }
  /// { S[l] -> A[element] } of { S[i] -> A[element] }, of instances that have a time.
  isl::union_map accesses(const isl::union_map& written) const;
  /// { S[i] -> T[j] } of { S[l] -> T[m] }.
  isl::union_map pairs_as_written(const isl::union_map& pairs) const;

 private:
  isl::union_map time_;
  isl::union_map to_loops_;    ///< { S[i] -> S[l] }
  isl::union_set boxes_;       ///< { S[l] }: the ranges of the loops
  bool is_as_written_ = true;  ///< l is i
};

}  // namespace solway::schedule
