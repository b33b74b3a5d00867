#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "schedule/order.h"

/// Fused loops as the coordinates that they were before. What is affine in these, as the place of
/// a tile is, has floors and remainders in the fused loop.
namespace solway::schedule {

/// floor(coordinate / step) mod wrap, one digit of a fusion's number; without mod where wrap is 0.
struct Digit {
  std::size_t coordinate = 0;
  std::int64_t step = 1;
  std::int64_t wrap = 0;
  std::int64_t extent = 0;  ///< 0 <= digit < extent
  std::int64_t weight = 1;  ///< in the number that the digits are of
};

/// The digits of floor(number / begin) mod (end / begin), outermost first; end 0: without mod.
/// nullopt where begin or end lies inside of a coordinate that it does not divide.
std::optional<std::vector<Digit>> digits_between(const Fusion& fusion, std::int64_t begin,
                                                 std::int64_t end);

/// The digits that a loop counts; nullopt when it is not made of fused ones, or not of whole
/// digits.
std::optional<std::vector<Digit>> digits_of(const Order& order, const Loop& loop);

/// The value of a digit, given that of its coordinate.
isl::pw_aff value_of(const Digit& digit, const isl::pw_aff& coordinate);

/// The number that has `digits`, one or more, of the values `values`.
isl::pw_aff number_of(const std::vector<Digit>& digits, const std::vector<isl::pw_aff>& values);

/// { S[iteration] -> [number] } of the digits in the instances of a statement; nullopt when a
/// coordinate has no value there.
std::optional<isl::pw_aff> number_of(const Fusion& fusion, const std::vector<Digit>& digits,
                                     const std::string& statement);

/// Loops that together count the digits of one number, each going on where the one before ends.
struct FusedLoops {
  std::vector<LoopId> loops;  ///< the least step first
  int fusion = -1;
  std::vector<Digit> digits;  ///< of the number
};

/// Loops, the least step first, as digits of one number; nullopt when they do not count one, or not
/// one of whole digits.
std::optional<FusedLoops> fused_loops(const Order& order, const std::vector<LoopId>& loops);

/// The value of one of the loops, given the number that they count.
isl::pw_aff value_of(const Order& order, const FusedLoops& fused, LoopId loop,
                     const isl::pw_aff& number);

/// Whether the digits say in which iteration of the loops each instance of a statement in `domain`
/// stands, each digit within its extent, so that no two ways of writing them are one number.
bool counts(const Order& order, const FusedLoops& fused, const std::string& statement,
            const isl::set& domain);

/// Gives statement `to`, of which `instance` { to[..] -> from[..] } says whose work it does, the
/// coordinates of `from`.
void copy_coordinates(Order& order, const std::string& from, const std::string& to,
                      const isl::multi_pw_aff& instance);

/// Gives the statements of `from` their coordinates in the fusion of `to`, which is to run them,
/// where both loops count the same.
void join_coordinates(Order& order, const Loop& to, const Loop& from);

}  // namespace solway::schedule
