#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driver/frontend/expr.h"
#include "driver/frontend/size.h"
#include "schedule/order.h"

namespace solway {

class Schedule;
class Stage;

/// A loop of a schedule, as primitives return it. It may stand in the index expressions of a
/// buffer's region. It belongs to its schedule, which must outlive it.
class Loop : public Axis {
 public:
  const std::string& stage() const { return stage_; }
  schedule::LoopId id() const { return id_; }

 private:
  friend class Schedule;
  friend class Stage;
  Loop(dsl::Axis axis, const Schedule* owner, std::string stage, schedule::LoopId id)
      : Axis(std::move(axis)), owner_(owner), stage_(std::move(stage)), id_(id) {}

  const Schedule* owner_;
  std::string stage_;
  schedule::LoopId id_;
};

/// What names a loop of a stage: the loop, an axis of the expression, or its name.
class AxisLike {
 public:
  // Conversions are implicit, so that calls read as in Python.
  AxisLike(const Loop& loop) : value_(loop) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const Axis& axis) : value_(axis) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const char* name) : value_(name) {}         // NOLINT(google-explicit-constructor)
  AxisLike(const std::string& name) : value_(name) {}  // NOLINT(google-explicit-constructor)

 private:
  friend class Schedule;
  friend class Stage;
  std::variant<Loop, Axis, std::string> value_;
};

/// One thing that varies inside a buffer: a loop, or an index expression of axes.
class RegionElement {
 public:
  // Conversions are implicit, so that regions are lists of what the user has in hand.
  // NOLINTBEGIN(google-explicit-constructor)
  RegionElement(const Loop& loop) : value_(AxisLike(loop)) {}
  RegionElement(const Axis& axis) : value_(AxisLike(axis)) {}
  RegionElement(const char* name) : value_(AxisLike(name)) {}
  RegionElement(const Expr& index) : value_(index) {}
  // NOLINTEND(google-explicit-constructor)

 private:
  friend class Schedule;
  std::variant<AxisLike, Expr> value_;
};
using RegionLike = std::vector<RegionElement>;

}  // namespace solway
