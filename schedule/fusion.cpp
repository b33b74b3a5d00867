#include "schedule/fusion.h"

#include <algorithm>

#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// Whether two functions agree on `domain`.
bool agree(const isl::pw_aff& a, const isl::pw_aff& b, const isl::set& domain) {
  return a.plain_is_equal(b) || a.ne_set(b).intersect(domain).is_empty();
}

}  // namespace

std::optional<std::vector<Digit>> digits_between(const Fusion& fusion, std::int64_t begin,
                                                 std::int64_t end) {
  std::vector<Digit> out;
  std::int64_t unit = 1;  // of the present coordinate in the number
  for (std::size_t k = fusion.size(); k-- > 0;) {
    const std::int64_t extent = fusion[k].extent;
    const bool is_outermost = k == 0;
    std::int64_t next = 0;
    // A loop without iterations counts nothing.
    if (extent < 1 || __builtin_mul_overflow(unit, extent, &next)) return std::nullopt;
    const bool ends_below = end != 0 && end <= unit;
    const bool begins_above = !is_outermost && begin >= next;
    // A step inside of the coordinate leaves whole steps, or nothing is outside of it.
    const auto divides = [&](std::int64_t step) {
      return step % unit == 0 && (is_outermost || next % step == 0);
    };
    if (!ends_below && !begins_above) {
      Digit digit{k, 1, 0, extent, std::max<std::int64_t>(1, unit / begin)};
      if (begin > unit) {
        if (!divides(begin)) return std::nullopt;
        digit.step = begin / unit;
        digit.extent = (extent + digit.step - 1) / digit.step;
      } else if (unit % begin != 0) {
        return std::nullopt;
      }
      if (end != 0 && end < next) {
        if (!divides(end) || end % std::max(begin, unit) != 0) return std::nullopt;
        digit.wrap = end / std::max(begin, unit);
        digit.extent = std::min(digit.extent, digit.wrap);
      }
      out.insert(out.begin(), digit);
    }
    unit = next;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

std::optional<std::vector<Digit>> digits_of(const Order& order, const Loop& loop) {
  if (loop.fused.fusion < 0) return std::nullopt;
  const Fusion& fusion = order.fusions[static_cast<std::size_t>(loop.fused.fusion)];
  return digits_between(fusion, loop.fused.step, loop.fused.step * loop.fused.wrap);
}

isl::pw_aff value_of(const Digit& digit, const isl::pw_aff& coordinate) {
  isl::pw_aff out = coordinate;
  if (digit.step != 1) out = out.scale_down(static_cast<long>(digit.step)).floor();
  if (digit.wrap != 0) out = out.mod(static_cast<long>(digit.wrap));
  return out;
}

isl::pw_aff number_of(const std::vector<Digit>& digits, const std::vector<isl::pw_aff>& values) {
  isl::pw_aff out;
  for (std::size_t k = 0; k < digits.size(); ++k) {
    const isl::pw_aff one = values[k].scale(static_cast<long>(digits[k].weight));
    out = out.is_null() ? one : out.add(one);
  }
  return out;
}

std::optional<isl::pw_aff> number_of(const Fusion& fusion, const std::vector<Digit>& digits,
                                     const std::string& statement) {
  std::vector<isl::pw_aff> values;
  for (const Digit& digit : digits) {
    const auto& known = fusion[digit.coordinate].value;
    const auto value = known.find(statement);
    if (value == known.end()) return std::nullopt;
    values.push_back(value_of(digit, value->second));
  }
  return number_of(digits, values);
}

std::optional<FusedLoops> fused_loops(const Order& order, const std::vector<LoopId>& loops) {
  const FusedDigits* last = nullptr;
  for (const LoopId id : loops) {
    const FusedDigits& own = order.loop(id).fused;
    if (own.fusion < 0) return std::nullopt;
    const bool goes_on = last == nullptr || (own.fusion == last->fusion && last->wrap != 0 &&
                                             last->step * last->wrap == own.step);
    if (!goes_on) return std::nullopt;
    last = &own;
  }
  if (last == nullptr) return std::nullopt;
  const auto digits = digits_between(order.fusions[static_cast<std::size_t>(last->fusion)],
                                     order.loop(loops.front()).fused.step, last->step * last->wrap);
  if (!digits) return std::nullopt;
  return FusedLoops{loops, last->fusion, *digits};
}

isl::pw_aff value_of(const Order& order, const FusedLoops& fused, LoopId loop,
                     const isl::pw_aff& number) {
  const FusedDigits& own = order.loop(loop).fused;
  const std::int64_t step = own.step / order.loop(fused.loops.front()).fused.step;
  isl::pw_aff out = number;
  if (step != 1) out = out.scale_down(static_cast<long>(step)).floor();
  if (loop != fused.loops.back()) out = out.mod(static_cast<long>(own.wrap));
  return out.add_constant(static_cast<long>(own.origin));
}

bool counts(const Order& order, const FusedLoops& fused, const std::string& statement,
            const isl::set& domain) {
  const Fusion& fusion = order.fusions[static_cast<std::size_t>(fused.fusion)];
  for (std::size_t k = 0; k < fused.digits.size(); ++k) {
    const Digit& digit = fused.digits[k];
    const auto& known = fusion[digit.coordinate].value;
    const auto value = known.find(statement);
    if (value == known.end()) return false;
    if (!value->second.space().domain().is_equal(domain.space())) return false;
    if (k == 0) continue;
    const isl::set values = domain.apply(value_of(digit, value->second).as_map());
    const isl::set extent = isl_ext::bound(isl::set::universe(values.space()), 0, 0, digit.extent);
    if (!values.is_subset(extent)) return false;
  }
  const isl::pw_aff number = *number_of(fusion, fused.digits, statement);
  return std::all_of(fused.loops.begin(), fused.loops.end(), [&](LoopId id) {
    return agree(order.loop(id).value.at(statement), value_of(order, fused, id, number), domain);
  });
}

void copy_coordinates(Order& order, const std::string& from, const std::string& to,
                      const isl::multi_pw_aff& instance) {
  for (Fusion& fusion : order.fusions) {
    for (Coordinate& coordinate : fusion) {
      const auto known = coordinate.value.find(from);
      if (known == coordinate.value.end()) continue;
      coordinate.value.insert_or_assign(to, known->second.pullback(instance));
    }
  }
}

void join_coordinates(Order& order, const Loop& to, const Loop& from) {
  const FusedDigits &a = to.fused, &b = from.fused;
  if (a.fusion < 0 || b.fusion < 0 || a.fusion == b.fusion) return;
  if (a.step != b.step || a.wrap != b.wrap || a.origin != b.origin) return;
  Fusion& fusion = order.fusions[static_cast<std::size_t>(a.fusion)];
  const Fusion& other = order.fusions[static_cast<std::size_t>(b.fusion)];
  if (fusion.size() != other.size()) return;
  for (std::size_t k = 1; k < fusion.size(); ++k) {
    if (fusion[k].extent != other[k].extent) return;
  }
  for (std::size_t k = 0; k < fusion.size(); ++k) {
    fusion[k].extent = std::max(fusion[k].extent, other[k].extent);
    for (const auto& [name, value] : from.value) {
      const auto known = other[k].value.find(name);
      if (known != other[k].value.end()) fusion[k].value.insert_or_assign(name, known->second);
    }
  }
}

}  // namespace solway::schedule
