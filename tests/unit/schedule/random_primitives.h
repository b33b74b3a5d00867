#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schedule/affine.h"
#include "schedule/fission.h"
#include "schedule/fuse.h"
#include "schedule/fuse_with.h"
#include "schedule/parallel.h"
#include "schedule/reorder.h"
#include "schedule/reverse.h"
#include "schedule/shift.h"
#include "schedule/skew.h"
#include "schedule/split.h"
#include "schedule/unroll.h"
#include "schedule/vectorize.h"

#include "tests/unit/schedule/hand_made.h"

/// Random order primitives, each applied twice: through the interface, and by plain arithmetic on
/// lists of loops. The second knows neither isl nor dependences; what it gives is enumerated.
namespace solway::schedule::testing {

/// Placements and, per loop, its value in each instance as a function.
struct PlainTree {
  using Value = std::function<std::int64_t(const Point&)>;

  std::map<LoopId, std::map<std::string, Value>> values;
  std::map<LoopId, LoopMark> marks;
  std::vector<Placement> placements;

  Placement& of(const std::string& statement) {
    return *std::find_if(placements.begin(), placements.end(),
                         [&](const Placement& p) { return p.statement == statement; });
  }
};

inline PlainTree tree_as_written(const PlainOrder& order) {
  PlainTree out;
  for (std::size_t k = 0; k < order.loops.size(); ++k) {
    for (const auto& [name, affine] : order.loops[k].value) {
      out.values[static_cast<LoopId>(k)][name] = [affine = affine](const Point& p) {
        return affine.at(p);
      };
    }
  }
  out.placements = order.placements;
  return out;
}

/// When instances run, as lists of child positions and loop values.
class TreeClock {
 public:
  explicit TreeClock(const PlainTree& tree) : tree_(tree) {
    Order shape;
    shape.placements = tree.placements;
    std::vector<std::pair<std::int64_t, LoopId>> way;
    collect(tree_of(shape), way);
  }

  Point time(const PlainInstance& i) const { return prefix(i, -1, true); }

  /// The time but for the value of loop `id`.
  Point without(const PlainInstance& i, LoopId id) const {
    Point out;
    for (const auto& [position, loop] : ways_.at(i.statement->name)) {
      out.push_back(position);
      if (loop < 0 || loop == id) continue;
      out.push_back(tree_.values.at(loop).at(i.statement->name)(i.iteration));
    }
    return out;
  }

  /// The time up to loop `id`, with its value or without; empty when the instance is not in it.
  Point prefix(const PlainInstance& i, LoopId id, bool with_value) const {
    Point out;
    bool found = id < 0;
    for (const auto& [position, loop] : ways_.at(i.statement->name)) {
      out.push_back(position);
      found = found || loop == id;
      const bool is_end = loop == id && id >= 0;
      if (loop >= 0 && (!is_end || with_value)) {
        out.push_back(tree_.values.at(loop).at(i.statement->name)(i.iteration));
      }
      if (is_end) break;
    }
    return found ? out : Point{};
  }

 private:
  void collect(const TreeNode& node, std::vector<std::pair<std::int64_t, LoopId>>& way) {
    std::int64_t position = 0;
    for (const TreeNode& child : node.children) {
      way.emplace_back(position++, child.loop);
      if (child.statement.empty()) {
        collect(child, way);
      } else {
        ways_.emplace(child.statement, way);
      }
      way.pop_back();
    }
  }

  const PlainTree& tree_;
  std::map<std::string, std::vector<std::pair<std::int64_t, LoopId>>> ways_;
};

/// The pairs that must keep their order, found once per program.
struct PlainConflicts {
  struct Pair {
    std::size_t first, last;
    bool may_turn;         ///< terms of one declared reduction
    bool only_overwrites;  ///< what the first reads
  };
  std::vector<PlainInstance> instances;
  std::vector<Pair> pairs;

  explicit PlainConflicts(const PlainProgram& program) : instances(instances_of(program)) {
    const PlainTree tree = tree_as_written(program.reference);
    const TreeClock clock(tree);
    std::vector<Point> times;
    for (const PlainInstance& i : instances) times.push_back(clock.time(i));
    for (std::size_t a = 0; a < instances.size(); ++a) {
      for (std::size_t b = 0; b < instances.size(); ++b) {
        if (!(times[a] < times[b]) || !conflict(instances[a], instances[b])) continue;
        pairs.push_back({a, b, reorderable(instances[a], instances[b]),
                         only_overwrites(instances[a], instances[b])});
      }
    }
  }

  /// Whether every pair keeps its order and no marked loop races.
  bool hold_in(const PlainTree& tree) const {
    const TreeClock clock(tree);
    std::vector<Point> times;
    for (const PlainInstance& i : instances) times.push_back(clock.time(i));
    for (const Pair& p : pairs) {
      if (!p.may_turn && !(times[p.first] < times[p.last])) return false;
      for (const auto& [id, mark] : tree.marks) {
        if (mark == LoopMark::Unrolled || (mark == LoopMark::Vectorized && p.may_turn)) continue;
        if (mark == LoopMark::Vectorized && p.only_overwrites &&
            clock.without(instances[p.first], id) == clock.without(instances[p.last], id)) {
          continue;
        }
        const Point outer = clock.prefix(instances[p.first], id, false);
        if (outer.empty() || outer != clock.prefix(instances[p.last], id, false)) continue;
        if (clock.prefix(instances[p.first], id, true) !=
            clock.prefix(instances[p.last], id, true)) {
          return false;
        }
      }
    }
    return true;
  }
};

/// Draws one primitive, changes `tree` by plain arithmetic, and returns what the interface makes.
class PrimitiveDrawer {
 public:
  PrimitiveDrawer(Generator& generator, const State& state, PlainTree& tree)
      : generator_(generator), state_(state), tree_(tree), next_(state.order.next_loop) {
    stage_ = tree.placements[pick(tree.placements.size())].statement;
    loops_ = state.stage_loops.at(stage_);
  }

  std::string what;  ///< the primitive

  State draw() {
    if (loops_.empty()) return state_;
    const LoopId loop = loops_[pick(loops_.size())];
    switch (generator_.pick(0, 13)) {
      case 0:
        return split(loop, generator_.pick(1, 4));
      case 1:
        return fuse(pick(loops_.size()));
      case 2:
      case 3:
        return reorder();
      case 4:
        return skew(loop, loops_[pick(loops_.size())], std::vector{-2, -1, 1, 2}[pick(4)]);
      case 5:
        return shift(loop, generator_.pick(-3, 4));
      case 6:
        return reverse(loop);
      case 7:
        return affine_of_one(loop);
      case 8:
        return affine_of_two(loop, loops_[pick(loops_.size())]);
      case 9:
        return fission(loop);
      case 10:
      case 11:
        return fuse_with();
      default:
        return mark(loop, std::vector{LoopMark::Parallel, LoopMark::Vectorized,
                                      LoopMark::Unrolled}[pick(3)]);
    }
  }

 private:
  using Value = PlainTree::Value;
  using Path = std::vector<LoopId>;

  std::size_t pick(std::size_t count) {
    return static_cast<std::size_t>(generator_.pick(0, static_cast<int>(count)));
  }
  static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
  }
  const Loop& now(LoopId id) const { return state_.order.loop(id); }

  /// Puts `by` where `id` stands in every path.
  void replace(LoopId id, const Path& by) {
    for (Placement& p : tree_.placements) {
      const auto at = std::find(p.path.begin(), p.path.end(), id);
      if (at == p.path.end()) continue;
      p.path.insert(p.path.erase(at), by.begin(), by.end());
    }
  }

  void change(LoopId id, const std::function<Value(const std::string&, const Value&)>& change) {
    for (auto& [name, value] : tree_.values[id]) value = change(name, value);
  }

  State split(LoopId id, std::int64_t factor) {
    what = "split " + now(id).name + " by " + std::to_string(factor);
    const std::int64_t begin = now(id).begin;
    for (const auto& [name, value] : tree_.values[id]) {
      tree_.values[next_][name] = [=, v = value](const Point& p) {
        return floor_div(v(p) - begin, factor);
      };
      tree_.values[next_ + 1][name] = [=, v = value](const Point& p) {
        return v(p) - begin - floor_div(v(p) - begin, factor) * factor;
      };
    }
    replace(id, {next_, next_ + 1});
    return schedule::split(state_, stage_, id, factor, kWhere,
                           generator_.chance(30) ? TailStrategy::Cut : TailStrategy::Guard)
        .state;
  }

  State fuse(std::size_t first) {
    if (first + 1 >= loops_.size()) return state_;
    const LoopId a = loops_[first], b = loops_[first + 1];
    what = "fuse " + now(a).name + " " + now(b).name;
    const std::int64_t from_a = now(a).begin, from_b = now(b).begin, width = now(b).extent();
    for (const auto& [name, value] : tree_.values[a]) {
      const auto inner = tree_.values[b].find(name);
      if (inner == tree_.values[b].end()) continue;
      tree_.values[next_][name] = [=, v = value, w = inner->second](const Point& p) {
        return (v(p) - from_a) * width + w(p) - from_b;
      };
    }
    replace(a, {next_});
    replace(b, {});
    return schedule::fuse(state_, stage_, {a, b}, kWhere).state;
  }

  State reorder() {
    Path chosen = loops_;
    std::shuffle(chosen.begin(), chosen.end(), generator_.random());
    chosen.resize(1 + pick(chosen.size()));
    what = "reorder";
    for (const LoopId id : chosen) what += " " + now(id).name;
    Path after = loops_;
    arrange(after, chosen);
    // What shares some of the loops has them in the order that the stage has.
    for (Placement& p : tree_.placements) arrange(p.path, after);
    return schedule::reorder(state_, stage_, chosen, kWhere);
  }

  /// Puts those of `path` that are in `order` into the places that they hold, in that order.
  static void arrange(Path& path, const Path& order) {
    Path present;
    for (const LoopId id : order) {
      if (std::count(path.begin(), path.end(), id) != 0) present.push_back(id);
    }
    std::size_t next = 0;
    for (LoopId& id : path) {
      if (std::count(order.begin(), order.end(), id) != 0) id = present[next++];
    }
  }

  State skew(LoopId id, LoopId by, std::int64_t factor) {
    what = "skew " + now(id).name + " by " + std::to_string(factor) + " " + now(by).name;
    change(id, [&](const std::string& name, const Value& value) {
      const auto along = tree_.values[by].find(name);
      if (along == tree_.values[by].end() || id == by) return value;
      return Value(
          [=, v = value, w = along->second](const Point& p) { return v(p) + factor * w(p); });
    });
    return schedule::skew(state_, stage_, id, by, factor, kWhere);
  }

  State shift(LoopId id, std::int64_t distance) {
    what = "shift " + now(id).name + " by " + std::to_string(distance);
    change(id, [&](const std::string&, const Value& value) {
      return Value([=, v = value](const Point& p) { return v(p) + distance; });
    });
    return schedule::shift(state_, stage_, id, distance, kWhere);
  }

  State reverse(LoopId id) {
    what = "reverse " + now(id).name;
    const std::int64_t mirror = now(id).begin + now(id).end - 1;
    change(id, [&](const std::string&, const Value& value) {
      return Value([=, v = value](const Point& p) { return mirror - v(p); });
    });
    return schedule::reverse(state_, stage_, id, kWhere);
  }

  /// The name of a loop in a map.
  std::string word(LoopId id) const {
    std::string out = now(id).name;
    std::replace(out.begin(), out.end(), '.', '_');
    return out;
  }

  State affine_of_one(LoopId id) {
    const std::string i = word(id);
    const int kind = generator_.pick(0, 3);
    const std::string map = "{ [" + i + "] -> " +
                            std::vector<std::string>{"[-" + i + "]", "[2" + i + " + 1]",
                                                     "[" + i + " mod 2, floor(" + i +
                                                         "/2)]"}[static_cast<std::size_t>(kind)] +
                            " }";
    what = "affine " + map;
    for (const auto& [name, value] : tree_.values[id]) {
      tree_.values[next_][name] = [=, v = value](const Point& p) {
        return kind == 0 ? -v(p) : kind == 1 ? 2 * v(p) + 1 : v(p) - 2 * floor_div(v(p), 2);
      };
      if (kind != 2) continue;
      tree_.values[next_ + 1][name] = [v = value](const Point& p) { return floor_div(v(p), 2); };
    }
    replace(id, kind == 2 ? Path{next_, next_ + 1} : Path{next_});
    return schedule::affine(state_, stage_, map, {}, kWhere).state;
  }

  /// { [a, b] -> [p a + q b, r a + s b] } with determinant 1 or -1.
  State affine_of_two(LoopId a, LoopId b) {
    if (a == b) return state_;
    const std::vector<std::vector<std::int64_t>> all{{0, 1, 1, 0},  {1, 1, 0, 1},  {1, 1, 1, 0},
                                                     {1, -1, 0, 1}, {2, 1, 1, 0},  {-1, 0, 0, 1},
                                                     {1, 2, 0, -1}, {-1, 1, 1, 0}, {1, 1, 1, 2}};
    const std::vector<std::int64_t> m = all[pick(all.size())];
    const auto sum = [&](std::int64_t p, std::int64_t q) {
      return std::to_string(p) + word(a) + " + " + std::to_string(q) + word(b);
    };
    const std::string map = "{ [" + word(a) + ", " + word(b) + "] -> [" + sum(m[0], m[1]) + ", " +
                            sum(m[2], m[3]) + "] }";
    what = "affine " + map;
    for (Placement& p : tree_.placements) {
      const bool has_a = std::count(p.path.begin(), p.path.end(), a) != 0;
      const bool has_b = std::count(p.path.begin(), p.path.end(), b) != 0;
      if (!has_a && !has_b) continue;
      const Value zero = [](const Point&) { return std::int64_t{0}; };
      const Value va = has_a ? tree_.values[a].at(p.statement) : zero;
      const Value vb = has_b ? tree_.values[b].at(p.statement) : zero;
      Path present;
      for (std::size_t k = 0; k < 2; ++k) {
        const std::int64_t ca = m[2 * k], cb = m[2 * k + 1];
        const bool stands = (has_a && has_b) || (has_a && ca != 0) || (has_b && cb != 0);
        if (!stands) continue;
        present.push_back(next_ + static_cast<LoopId>(k));
        tree_.values[present.back()][p.statement] = [=](const Point& at) {
          return ca * va(at) + cb * vb(at);
        };
      }
      Path path;
      bool is_first = true;
      const bool one_by_one = present.size() == static_cast<std::size_t>(has_a + has_b);
      std::size_t next = 0;
      for (const LoopId id : p.path) {
        if (id != a && id != b) {
          path.push_back(id);
        } else if (one_by_one) {
          path.push_back(present[next++]);
        } else if (std::exchange(is_first, false)) {
          path.insert(path.end(), present.begin(), present.end());
        }
      }
      p.path = std::move(path);
    }
    return schedule::affine(state_, stage_, map, {}, kWhere).state;
  }

  State fission(LoopId id) {
    what = "fission " + now(id).name;
    LoopId next = next_;
    std::size_t units = 0;
    for (const Placement& p : tree_.placements) {
      units += static_cast<std::size_t>(std::count(p.path.begin(), p.path.end(), id));
    }
    for (Placement& p : tree_.placements) {
      const auto at = std::find(p.path.begin(), p.path.end(), id);
      if (at == p.path.end() || units < 2) continue;
      tree_.values[next][p.statement] = tree_.values[id].at(p.statement);
      if (tree_.marks.count(id) != 0) tree_.marks[next] = tree_.marks.at(id);
      *at = next++;
    }
    return schedule::fission(state_, stage_, id, kWhere).state;
  }

  State fuse_with() {
    const std::string other = tree_.placements[pick(tree_.placements.size())].statement;
    const Path theirs = tree_.of(other).path;
    const Path mine = tree_.of(stage_).path;
    if (other == stage_ || theirs.empty()) return state_;
    const std::size_t count = 1 + pick(theirs.size());
    const LoopId axis = theirs[count - 1];
    what = "fuse " + stage_ + " with " + other + " to " + now(axis).name;
    for (std::size_t k = 0; k < std::min(count, mine.size()); ++k) {
      if (mine[k] == theirs[k]) continue;
      tree_.values[theirs[k]][stage_] = tree_.values[mine[k]].at(stage_);
      tree_.of(stage_).path[k] = theirs[k];
    }
    const auto index = [&](const std::string& name) {
      const auto& all = state_.program->stages;
      return std::find_if(all.begin(), all.end(),
                          [&](const dsl::Tensor& t) { return t->name == name; }) -
             all.begin();
    };
    const Placement moved = tree_.of(stage_);
    auto& all = tree_.placements;
    all.erase(all.begin() + (&tree_.of(stage_) - all.data()));
    all.insert(
        all.begin() + (&tree_.of(other) - all.data()) + (index(stage_) < index(other) ? 0 : 1),
        moved);
    return schedule::fuse_with(state_, stage_, other, axis, kWhere);
  }

  State mark(LoopId id, LoopMark mark) {
    what = "mark " + std::to_string(static_cast<int>(mark)) + " " + now(id).name;
    tree_.marks[id] = mark;
    return mark == LoopMark::Parallel     ? parallel(state_, stage_, id, kWhere)
           : mark == LoopMark::Vectorized ? vectorize(state_, stage_, id, kWhere)
                                          : unroll(state_, stage_, id, kWhere);
  }

  inline static const SourceLoc kWhere{"user.py", 9, ""};

  Generator& generator_;
  const State& state_;
  PlainTree& tree_;
  LoopId next_;
  std::string stage_;
  Path loops_;
};

}  // namespace solway::schedule::testing
