#include "schedule/position.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "schedule/loop_paths.h"

namespace solway::schedule {

Position::Position(const State& state, std::vector<LoopId> loops,
                   const std::set<std::string>& statements)
    : state_(state), loops_(std::move(loops)) {
  std::vector<LoopId> done;
  for (const LoopId id : loops_) {
    if (contains(done, id)) continue;
    const int fusion = state_.order.loop(id).fused.fusion;
    std::vector<Part> parts{{{{id}, -1, {}}, 0}};
    if (fusion >= 0) {
      std::vector<LoopId> together;
      for (const LoopId other : loops_) {
        if (state_.order.loop(other).fused.fusion == fusion) together.push_back(other);
      }
      parts = parts_of_fusion(together, statements);
    }
    for (Part& part : parts) {
      done.insert(done.end(), part.fused.loops.begin(), part.fused.loops.end());
      part.first = num_coordinates_;
      num_coordinates_ += part.size();
      parts_.push_back(std::move(part));
    }
  }
}

std::optional<std::size_t> Position::coordinate_of(LoopId loop) const {
  for (const Part& part : parts_) {
    if (part.is_plain() && part.fused.loops.front() == loop) return part.first;
  }
  return std::nullopt;
}

const Fusion& Position::fusion_of(const Part& part) const {
  return state_.order.fusions[static_cast<std::size_t>(part.fused.fusion)];
}

/// The loops of one fusion: those that go on where others end count one number.
std::vector<Position::Part> Position::parts_of_fusion(
    const std::vector<LoopId>& loops, const std::set<std::string>& statements) const {
  const auto digits = [&](LoopId id) { return state_.order.loop(id).fused; };
  std::vector<LoopId> sorted = loops;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](LoopId a, LoopId b) { return digits(a).step < digits(b).step; });
  std::vector<std::vector<LoopId>> chains;
  for (const LoopId id : sorted) {
    const FusedDigits last = chains.empty() ? FusedDigits{} : digits(chains.back().back());
    const bool goes_on =
        !chains.empty() && last.wrap != 0 && last.step * last.wrap == digits(id).step;
    if (!goes_on) chains.emplace_back();
    chains.back().push_back(id);
  }
  const auto part_of = [&](const std::vector<LoopId>& chain) -> std::optional<Part> {
    const auto fused = fused_loops(state_.order, chain);
    if (!fused) return std::nullopt;
    for (const std::string& statement : statements) {
      const isl::set& domain = state_.program->statement(statement).domain;
      if (!counts(state_.order, *fused, statement, domain)) return std::nullopt;
    }
    return Part{*fused, 0};
  };
  std::vector<Part> out;
  for (const std::vector<LoopId>& chain : chains) {
    if (auto part = part_of(chain)) {
      out.push_back(std::move(*part));
      continue;
    }
    for (const LoopId id : chain) out.push_back(part_of({id}).value_or(Part{{{id}, -1, {}}, 0}));
  }
  return out;
}

isl::multi_pw_aff Position::of(const std::string& statement) const {
  isl::multi_pw_aff out;
  const auto append = [&](const isl::pw_aff& value) {
    const isl::multi_pw_aff one = value.to_multi_pw_aff();
    out = out.is_null() ? one : out.flat_range_product(one);
  };
  for (const Part& part : parts_) {
    if (part.is_plain()) append(state_.order.loop(part.fused.loops.front()).value.at(statement));
    for (const Digit& digit : part.fused.digits) {
      append(value_of(digit, fusion_of(part)[digit.coordinate].value.at(statement)));
    }
  }
  if (!out.is_null()) return out;
  const isl::space space = state_.program->statement(statement).domain.space();
  return isl::multi_pw_aff::zero(space.add_unnamed_tuple(0));
}

void Position::give_values(Order& order, const std::string& statement,
                           const isl::multi_pw_aff& at) const {
  std::map<std::pair<int, std::size_t>, isl::pw_aff> given;  // by fusion and coordinate
  for (const Part& part : parts_) {
    const auto coordinate = [&](std::size_t k) { return at.at(static_cast<int>(part.first + k)); };
    if (part.is_plain()) {
      order.loops.at(part.fused.loops.front()).value.insert_or_assign(statement, coordinate(0));
      continue;
    }
    std::vector<isl::pw_aff> values;
    Fusion& fusion = order.fusions[static_cast<std::size_t>(part.fused.fusion)];
    for (std::size_t k = 0; k < part.fused.digits.size(); ++k) {
      const Digit& digit = part.fused.digits[k];
      values.push_back(coordinate(k));
      // Of a coordinate of which the loops count some digits, the others are 0.
      const isl::pw_aff share = values.back().scale(static_cast<long>(digit.step));
      const auto [own, is_first] =
          given.emplace(std::pair{part.fused.fusion, digit.coordinate}, share);
      if (!is_first) own->second = own->second.add(share);
      fusion[digit.coordinate].value.insert_or_assign(statement, own->second);
    }
    const isl::pw_aff number = number_of(part.fused.digits, values);
    for (const LoopId id : part.fused.loops) {
      order.loops.at(id).value.insert_or_assign(statement, value_of(order, part.fused, id, number));
    }
  }
}

std::vector<dsl::Axis> Position::axes() const {
  std::vector<dsl::Axis> out;
  // The name of a loop may hold dots, which make_axis does not allow.
  const auto append = [&](const std::string& name, dsl::AxisKind kind, std::int64_t begin,
                          std::int64_t end, const SourceLoc& where) {
    dsl::AxisNode axis;
    axis.name = name;
    axis.kind = kind;
    axis.begin = begin;
    axis.end = end;
    axis.where = where;
    out.push_back(std::make_shared<dsl::AxisNode>(std::move(axis)));
  };
  for (const Part& part : parts_) {
    const Loop& loop = state_.order.loop(part.fused.loops.front());
    if (part.is_plain()) append(loop.name, loop.kind, loop.begin, loop.end, loop.where);
    for (const Digit& digit : part.fused.digits) {
      const Coordinate& coordinate = fusion_of(part)[digit.coordinate];
      append(coordinate.name, coordinate.kind, 0, digit.extent, loop.where);
    }
  }
  return out;
}

}  // namespace solway::schedule
