#include "memory_planner/reference_groups.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "memory_planner/access_dims.h"
#include "schedule/references.h"
#include "schedule/region.h"
#include "support/isl_ext.h"

namespace solway::memory_planner {
namespace {

using schedule::Access;
using schedule::Operand;
using schedule::State;
using Offset = std::vector<std::int64_t>;

/// How much a distance may change between iterations and still count as one: a floor moves it.
constexpr std::int64_t kSpread = 3;

/// References whose distances are the same in all iterations.
struct Family {
  Access first;
  std::vector<int> references;
  std::vector<Offset> offsets;  ///< from the first one, per dimension of the tensor
};

std::size_t at(int k) { return static_cast<std::size_t>(k); }

struct Bounds {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

std::optional<Bounds> bounds_of(const isl::set& values, int dim) {
  const auto low = isl_ext::try_dim_min(values, dim);
  const auto high = isl_ext::try_dim_max(values, dim);
  return low && high ? std::optional(Bounds{*low, *high}) : std::nullopt;
}

/// The offset of two accesses of one statement; nullopt where it changes.
std::optional<Offset> offset_within(const State& state, const Access& from, const Access& to) {
  const isl::set& domain = state.program->statement(from.statement).domain;
  Offset out;
  for (int dim = 0; dim < static_cast<int>(from.index.size()); ++dim) {
    const isl::pw_aff between = to.index.at(dim).sub(from.index.at(dim));
    const auto bounds = bounds_of(between.as_map().intersect_domain(domain).range(), 0);
    if (!bounds || bounds->high - bounds->low > kSpread) return std::nullopt;
    out.push_back(bounds->low);
  }
  return out;
}

/// That of accesses of two statements, which the same loops move: where what they touch begins.
std::optional<Offset> offset_across(const State& state, const std::string& stage,
                                    const Access& from, const Access& to) {
  const std::vector<schedule::LoopId>& loops = state.stage_loops.at(stage);
  const std::vector<DimModel> a = access_dims(state, {from}, loops);
  const std::vector<DimModel> b = access_dims(state, {to}, loops);
  Offset out;
  for (std::size_t dim = 0; dim < a.size(); ++dim) {
    if (a[dim].terms != b[dim].terms) return std::nullopt;
    const auto first = bounds_of(from.relation.range(), static_cast<int>(dim));
    const auto second = bounds_of(to.relation.range(), static_cast<int>(dim));
    if (!first || !second) return std::nullopt;
    out.push_back(second->low - first->low);
  }
  return out;
}

std::int64_t distance(const Offset& a, const Offset& b) {
  std::int64_t out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, std::abs(a[k] - b[k]));
  return out;
}

/// An edge of the tree that joins the nearest members of a family first.
struct Joint {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t distance = 0;
};

std::vector<Joint> nearest_first(const std::vector<Offset>& offsets) {
  std::vector<Joint> out;
  std::vector<Joint> nearest;  // of each that is not joined yet
  for (std::size_t k = 1; k < offsets.size(); ++k) {
    nearest.push_back({0, k, distance(offsets[0], offsets[k])});
  }
  while (!nearest.empty()) {
    const auto next =
        std::min_element(nearest.begin(), nearest.end(),
                         [](const Joint& a, const Joint& b) { return a.distance < b.distance; });
    const Joint joint = *next;
    nearest.erase(next);
    out.push_back(joint);
    for (Joint& other : nearest) {
      const std::int64_t by_new = distance(offsets[joint.to], offsets[other.to]);
      if (by_new < other.distance) other = {joint.to, other.to, by_new};
    }
  }
  return out;
}

/// The distance from which on members of a family are in different groups.
std::int64_t far_distance(const std::vector<Joint>& joints) {
  std::vector<std::int64_t> all;
  for (const Joint& joint : joints) all.push_back(std::max<std::int64_t>(1, joint.distance));
  all.push_back(1);
  std::sort(all.begin(), all.end());
  std::int64_t out = std::numeric_limits<std::int64_t>::max();
  double most = kFarTimes;
  for (std::size_t k = 1; k < all.size(); ++k) {
    const double times = static_cast<double>(all[k]) / static_cast<double>(all[k - 1]);
    if (times < most) continue;
    most = times;
    out = all[k];
  }
  return out;
}

std::vector<std::vector<int>> groups_of(const Family& family) {
  const std::vector<Joint> joints = nearest_first(family.offsets);
  const std::int64_t far = far_distance(joints);
  std::vector<std::size_t> group(family.references.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (const Joint& joint : joints) {
    if (joint.distance >= far) continue;
    const std::size_t from = group[joint.from];
    const std::size_t to = group[joint.to];
    std::replace(group.begin(), group.end(), to, from);
  }
  std::vector<std::vector<int>> out;
  for (std::size_t k = 0; k < group.size(); ++k) {
    std::vector<int> own;
    for (std::size_t m = 0; m < group.size(); ++m) {
      if (group[m] == k) own.push_back(family.references[m]);
    }
    if (!own.empty()) out.push_back(std::move(own));
  }
  return out;
}

/// The families of all references; nullopt where an element depends on data, or something reads
/// the tensor that is no reference.
std::optional<std::vector<Family>> families_of(const State& state, const std::string& stage,
                                               const std::string& tensor, std::size_t count) {
  std::vector<Family> out;
  for (int number = 0; number < static_cast<int>(count); ++number) {
    const std::vector<Access> accesses =
        schedule::accesses_of(state, stage, tensor, schedule::AccessKind::Reads, {{number}});
    if (accesses.empty()) return std::nullopt;
    const Access& access = accesses.front();
    const Operand& operand = state.program->statement(access.statement).reads[access.slot];
    if (!operand.is_exact) return std::nullopt;
    bool is_found = false;
    for (Family& family : out) {
      const auto offset = family.first.statement == access.statement
                              ? offset_within(state, family.first, access)
                              : offset_across(state, stage, family.first, access);
      if (!offset) continue;
      family.references.push_back(number);
      family.offsets.push_back(*offset);
      is_found = true;
      break;
    }
    if (!is_found) out.push_back({access, {number}, {Offset(access.index.size(), 0)}});
  }
  return out;
}

}  // namespace

std::vector<std::vector<int>> reference_groups(const State& state, const std::string& stage,
                                               const std::string& tensor) {
  const std::size_t count = schedule::references_of(state, stage, tensor).size();
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  if (count < 2) return {all};
  const auto families = families_of(state, stage, tensor, count);
  if (!families) return {all};
  std::vector<std::vector<int>> near, apart;
  for (const Family& family : *families) {
    std::vector<std::vector<int>> groups = groups_of(family);
    std::move(groups.begin(), groups.end(), std::back_inserter(near));
    apart.push_back(family.references);
  }
  std::vector<std::vector<int>>& out = near.size() <= at(kMostGroups) ? near : apart;
  if (out.size() > at(kMostGroups)) return {all};
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace solway::memory_planner
