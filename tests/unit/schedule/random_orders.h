#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schedule/order.h"
#include "schedule/program.h"

/// Small programs and orders as plain numbers, from which the isl objects are made and which are
/// enumerated instance by instance, so that the two can be compared.
namespace solway::schedule::testing {

using Point = std::vector<std::int64_t>;

/// floor((coefficients * iteration + constant) / divisor), or the remainder.
struct Affine {
  enum class Form : std::uint8_t { Plain, Quotient, Remainder };

  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;
  Form form = Form::Plain;
  std::int64_t divisor = 1;

  std::int64_t at(const Point& iteration) const {
    std::int64_t sum = constant;
    for (std::size_t k = 0; k < iteration.size(); ++k) sum += coefficients[k] * iteration[k];
    const std::int64_t remainder = ((sum % divisor) + divisor) % divisor;
    if (form == Form::Plain) return sum;
    return form == Form::Quotient ? (sum - remainder) / divisor : remainder;
  }

  std::string text() const {
    std::string sum = std::to_string(constant);
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      sum += " + " + std::to_string(coefficients[k]) + " d" + std::to_string(k);
    }
    if (form == Form::Plain) return sum;
    if (form == Form::Quotient) return "floor((" + sum + ")/" + std::to_string(divisor) + ")";
    return "((" + sum + ") mod " + std::to_string(divisor) + ")";
  }
};

struct PlainAccess {
  std::string array;
  std::vector<Affine> index;

  std::pair<std::string, Point> at(const Point& iteration) const {
    Point element;
    for (const Affine& a : index) element.push_back(a.at(iteration));
    return {array, element};
  }
};

struct PlainStatement {
  std::string name;
  StatementKind kind = StatementKind::Compute;
  std::vector<std::pair<std::int64_t, std::int64_t>> bounds;  ///< half-open
  PlainAccess write;
  std::vector<PlainAccess> reads;
  bool grouped = false;            ///< a declared reduction into what it writes
  std::vector<Affine> where = {};  ///< of its instances, each is at least 0

  bool runs_at(const Point& iteration) const {
    return std::all_of(where.begin(), where.end(),
                       [&](const Affine& a) { return a.at(iteration) >= 0; });
  }
};

struct PlainLoop {
  std::map<std::string, Affine> value;
  LoopMark mark = LoopMark::Serial;
};

struct PlainOrder {
  std::vector<PlainLoop> loops;
  std::vector<Placement> placements;
};

struct PlainProgram {
  std::vector<PlainStatement> statements;
  PlainOrder reference;
};

/// One execution of a statement.
struct PlainInstance {
  const PlainStatement* statement;
  Point iteration;
};

inline std::vector<PlainInstance> instances_of(const PlainProgram& program) {
  std::vector<PlainInstance> out;
  for (const PlainStatement& s : program.statements) {
    std::vector<Point> points{{}};
    for (const auto& [begin, end] : s.bounds) {
      std::vector<Point> longer;
      for (const Point& p : points) {
        for (std::int64_t v = begin; v < end; ++v) {
          longer.push_back(p);
          longer.back().push_back(v);
        }
      }
      points = std::move(longer);
    }
    for (Point& p : points) {
      if (s.runs_at(p)) out.push_back({&s, std::move(p)});
    }
  }
  return out;
}

/// When the instances run, found by walking the tree as a machine would.
struct Walk {
  std::vector<int> slot;  ///< per instance; equal: at the same time
  /// Instances in different iterations of one execution of a loop.
  std::map<LoopId, std::set<std::pair<std::size_t, std::size_t>>> crossing;
};

class Walker {
 public:
  Walker(const PlainOrder& order, const std::vector<PlainInstance>& instances)
      : order_(order), instances_(instances) {
    out_.slot.assign(instances.size(), -1);
  }

  Walk run(const TreeNode& root) {
    std::vector<std::size_t> all(instances_.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    visit_children(root, all);
    return std::move(out_);
  }

 private:
  static bool holds(const TreeNode& node, const std::string& statement) {
    if (node.statement == statement) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const TreeNode& child) { return holds(child, statement); });
  }

  void visit_children(const TreeNode& node, const std::vector<std::size_t>& active) {
    for (const TreeNode& child : node.children) {
      std::vector<std::size_t> below;
      for (const std::size_t k : active) {
        if (holds(child, instances_[k].statement->name)) below.push_back(k);
      }
      visit(child, below);
    }
  }

  void visit(const TreeNode& node, const std::vector<std::size_t>& active) {
    if (!node.statement.empty()) {
      for (const std::size_t k : active) out_.slot[k] = next_slot_;
      ++next_slot_;
      return;
    }
    std::map<std::int64_t, std::vector<std::size_t>> by_value;
    const PlainLoop& loop = order_.loops[static_cast<std::size_t>(node.loop)];
    for (const std::size_t k : active) {
      const PlainInstance& instance = instances_[k];
      by_value[loop.value.at(instance.statement->name).at(instance.iteration)].push_back(k);
    }
    for (const auto& [value, here] : by_value) {
      for (const auto& [other, there] : by_value) {
        if (value == other) continue;
        for (const std::size_t a : here) {
          for (const std::size_t b : there) out_.crossing[node.loop].insert({a, b});
        }
      }
      visit_children(node, here);
    }
  }

  const PlainOrder& order_;
  const std::vector<PlainInstance>& instances_;
  Walk out_;
  int next_slot_ = 0;
};

inline bool reads(const PlainInstance& x, const std::pair<std::string, Point>& element) {
  return std::any_of(x.statement->reads.begin(), x.statement->reads.end(),
                     [&](const PlainAccess& r) { return r.at(x.iteration) == element; });
}

inline bool conflict(const PlainInstance& a, const PlainInstance& b) {
  const auto written_a = a.statement->write.at(a.iteration);
  const auto written_b = b.statement->write.at(b.iteration);
  return written_a == written_b || reads(a, written_b) || reads(b, written_a);
}

/// Whether all that two instances of one plain statement share is what b overwrites and a reads.
inline bool only_overwrites(const PlainInstance& a, const PlainInstance& b) {
  const auto written_a = a.statement->write.at(a.iteration);
  return a.statement == b.statement && a.statement->kind == StatementKind::Compute &&
         !reads(b, written_a) && written_a != b.statement->write.at(b.iteration);
}

/// Whether both are updates of one declared reduction of one element.
inline bool reorderable(const PlainInstance& a, const PlainInstance& b) {
  const auto is_update = [](const PlainInstance& x) {
    return x.statement->grouped && x.statement->kind == StatementKind::Update;
  };
  return is_update(a) && is_update(b) &&
         a.statement->write.at(a.iteration) == b.statement->write.at(b.iteration);
}

// The same as isl objects.

inline std::string tuple_text(const std::string& name, std::size_t dims) {
  std::string out = name + "[";
  for (std::size_t k = 0; k < dims; ++k) out += (k == 0 ? "d" : ", d") + std::to_string(k);
  return out + "]";
}

inline isl::multi_pw_aff index_of(const isl::ctx& ctx, const PlainStatement& s,
                                  const PlainAccess& access) {
  std::string text = "{ " + tuple_text(s.name, s.bounds.size()) + " -> " + access.array + "[";
  for (std::size_t k = 0; k < access.index.size(); ++k) {
    text += (k == 0 ? "(" : ", (") + access.index[k].text() + ")";
  }
  return isl::multi_pw_aff(ctx, text + "] }");
}

inline isl::set domain_of(const isl::ctx& ctx, const PlainStatement& s) {
  std::string text = "{ " + tuple_text(s.name, s.bounds.size()) + " : true";
  for (std::size_t k = 0; k < s.bounds.size(); ++k) {
    text += " and " + std::to_string(s.bounds[k].first) + " <= d" + std::to_string(k) + " < " +
            std::to_string(s.bounds[k].second);
  }
  for (const Affine& a : s.where) text += " and " + a.text() + " >= 0";
  return isl::set(ctx, text + " }");
}

inline Order make_order(const isl::ctx& ctx, const PlainProgram& program, const PlainOrder& plain) {
  Order out;
  for (std::size_t k = 0; k < plain.loops.size(); ++k) {
    Loop loop;
    loop.name = "l" + std::to_string(k);
    loop.begin = -100;
    loop.end = 100;
    loop.mark = plain.loops[k].mark;
    for (const PlainStatement& s : program.statements) {
      const auto value = plain.loops[k].value.find(s.name);
      if (value == plain.loops[k].value.end()) continue;
      loop.value.emplace(s.name, isl::pw_aff(ctx, "{ " + tuple_text(s.name, s.bounds.size()) +
                                                      " -> [(" + value->second.text() + ")] }"));
    }
    out.add(std::move(loop));
  }
  out.placements = plain.placements;
  return out;
}

inline Program make_program(const PlainProgram& plain) {
  Program out;
  out.isl = std::make_shared<IslContext>();
  for (const PlainStatement& p : plain.statements) {
    Statement s;
    s.name = s.stage = p.name;
    s.kind = p.kind;
    for (std::size_t k = 0; k < p.bounds.size(); ++k) {
      s.axes.push_back(dsl::make_axis("d" + std::to_string(k), dsl::AxisKind::Spatial,
                                      p.bounds[k].first, p.bounds[k].second, {}));
    }
    s.domain = domain_of(out.ctx(), p);
    const isl::multi_pw_aff stored = index_of(out.ctx(), p, p.write);
    s.writes.push_back({stored.as_map().intersect_domain(s.domain), stored, nullptr});
    const isl::map& relation = s.writes[0].relation;
    if (p.kind == StatementKind::Update) s.reads.push_back({relation, stored, nullptr});
    for (const PlainAccess& read : p.reads) {
      const isl::multi_pw_aff index = index_of(out.ctx(), p, read);
      s.reads.push_back({index.as_map().intersect_domain(s.domain), index, nullptr});
    }
    if (p.grouped) s.group = relation.set_range_tuple("G_" + p.write.array);
    s.where = {"user.py", 7, ""};
    out.statements.emplace(p.name, std::move(s));
  }
  out.reference = time_of(out.ctx(), make_order(out.ctx(), plain, plain.reference), out.domains());
  return out;
}

// Drawing them.

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  int pick(int begin, int end) {
    return std::uniform_int_distribution<int>(begin, end - 1)(random_);
  }
  bool chance(int percent) { return pick(0, 100) < percent; }
  std::mt19937& random() { return random_; }

  /// Half of them with domains that are no boxes.
  PlainProgram program() {
    PlainProgram out = boxes();
    const bool restricted = chance(50);
    for (PlainStatement& s : out.statements) {
      if (!restricted || s.bounds.empty()) continue;
      Affine condition = axis(s.bounds.size(), 0, pick(-1, 4));
      for (std::int64_t& c : condition.coefficients) c = pick(-1, 2);
      if (chance(20)) {
        condition.form = Affine::Form::Remainder;
        condition.divisor = pick(2, 4);
        s.where.push_back(condition);  // which always holds, written so that isl must find out
        condition.form = Affine::Form::Quotient;
      }
      s.where.push_back(condition);
    }
    return out;
  }

  PlainProgram boxes() {
    switch (pick(0, 6)) {
      case 0:
        return stencil();
      case 1:
        return in_place();
      case 2:
        return pipeline();
      case 3:
        return scalar();
      case 4:
        return matmul();
      default:
        return anything();
    }
  }

  /// An order near the reference: often legal, often not.
  PlainOrder order(const PlainProgram& program) {
    PlainOrder out;
    out.loops.resize(4);
    std::vector<LoopId> pool{0, 1, 2, 3};
    if (chance(30)) std::shuffle(pool.begin(), pool.end(), random_);
    const bool permuted = chance(45), shared = chance(50);
    for (const PlainStatement& s : program.statements) {
      const std::size_t dims = s.bounds.size();
      std::vector<std::size_t> axes(dims);
      for (std::size_t k = 0; k < dims; ++k) axes[k] = k;
      if (permuted && chance(70)) std::shuffle(axes.begin(), axes.end(), random_);
      std::vector<LoopId> path;
      std::size_t depth = dims;
      if (chance(8) && depth > 0) --depth;
      const bool deeper = chance(12) && dims < 4 && dims > 0;
      for (std::size_t k = 0; k < depth; ++k) {
        path.push_back(pool[k]);
        loop(out, pool[k]).value[s.name] = value(dims, axes[k], deeper || chance(25));
      }
      if (deeper && depth == dims) {
        path.push_back(pool[dims]);
        loop(out, pool[dims]).value[s.name] = value(dims, axes[0], false);
      }
      out.placements.push_back({s.name, std::move(path)});
    }
    if (!shared && chance(50)) separate(out);
    if (chance(25)) std::shuffle(out.placements.begin(), out.placements.end(), random_);
    return out;
  }

  static Affine axis(std::size_t dims, std::size_t k, std::int64_t shift = 0) {
    Affine out;
    out.coefficients.assign(dims, 0);
    if (dims > 0) out.coefficients[k] = 1;
    out.constant = shift;
    return out;
  }

 private:
  static PlainLoop& loop(PlainOrder& order, LoopId id) {
    return order.loops[static_cast<std::size_t>(id)];
  }

  /// Gives each statement loops of its own.
  static void separate(PlainOrder& order) {
    PlainOrder out;
    for (const Placement& p : order.placements) {
      std::vector<LoopId> path;
      for (const LoopId id : p.path) {
        path.push_back(static_cast<LoopId>(out.loops.size()));
        out.loops.emplace_back().value[p.statement] = loop(order, id).value.at(p.statement);
      }
      out.placements.push_back({p.statement, std::move(path)});
    }
    order = std::move(out);
  }

  /// The value of axis `k`, sometimes shifted, reversed, skewed, or a part of it.
  Affine value(std::size_t dims, std::size_t k, bool bent) {
    Affine out = axis(dims, k);
    if (!bent) return out;
    switch (pick(0, 6)) {
      case 0:
        out.coefficients[k] = -1;
        break;
      case 1:
      case 2:
        out.constant = pick(-2, 3);
        break;
      case 3:
        out.coefficients[static_cast<std::size_t>(pick(0, static_cast<int>(dims)))] += pick(-1, 3);
        break;
      case 4:
        out.form = Affine::Form::Quotient;
        out.divisor = pick(2, 4);
        break;
      default:
        out.form = Affine::Form::Remainder;
        out.divisor = pick(2, 6);
        break;
    }
    return out;
  }

  /// All statements in one nest of the loops 0, 1, ..., or each in its own.
  PlainProgram with_reference(std::vector<PlainStatement> statements, bool together) {
    PlainProgram out;
    for (const PlainStatement& s : statements) {
      std::vector<LoopId> path;
      for (std::size_t k = 0; k < s.bounds.size(); ++k) {
        const std::size_t id = together ? k : out.reference.loops.size();
        if (id >= out.reference.loops.size()) out.reference.loops.resize(id + 1);
        out.reference.loops[id].value[s.name] = axis(s.bounds.size(), k);
        path.push_back(static_cast<LoopId>(id));
      }
      out.reference.placements.push_back({s.name, std::move(path)});
    }
    out.statements = std::move(statements);
    return out;
  }

  PlainProgram stencil() {
    const std::int64_t steps = pick(2, 5), width = pick(2, 6);
    PlainStatement s{"H", StatementKind::Compute, {{1, steps}, {1, width}}, {}, {}, false};
    s.write = {"H", {axis(2, 0), axis(2, 1)}};
    for (const int shift : {-1, 0, 1}) {
      if (chance(60)) s.reads.push_back({"H", {axis(2, 0, -1), axis(2, 1, shift)}});
    }
    return with_reference({s}, true);
  }

  PlainProgram in_place() {
    const std::size_t dims = chance(50) ? 1 : 2;
    PlainStatement s{"A", StatementKind::Compute, {}, {"A", {}}, {}, false};
    for (std::size_t k = 0; k < dims; ++k) {
      s.bounds.push_back({0, pick(1, 5)});
      s.write.index.push_back(axis(dims, k));
    }
    for (int reads = pick(1, 3); reads > 0; --reads) {
      PlainAccess read{"A", {}};
      for (std::size_t k = 0; k < dims; ++k) read.index.push_back(axis(dims, k, pick(-1, 2)));
      s.reads.push_back(read);
    }
    return with_reference({s}, true);
  }

  PlainProgram pipeline() {
    const std::size_t dims = chance(60) ? 1 : 2;
    PlainStatement p{"P", StatementKind::Compute, {}, {"P", {}}, {}, false};
    PlainStatement c{"C", StatementKind::Compute, {}, {"C", {}}, {{"P", {}}}, false};
    for (std::size_t k = 0; k < dims; ++k) {
      const std::int64_t extent = pick(2, 5);
      p.bounds.push_back({0, extent + 1});
      c.bounds.push_back({0, extent});
      p.write.index.push_back(axis(dims, k));
      c.write.index.push_back(axis(dims, k));
      c.reads[0].index.push_back(axis(dims, k, pick(-1, 2)));
    }
    return with_reference({p, c}, chance(30));
  }

  PlainProgram scalar() {
    const std::int64_t extent = pick(1, 5);
    PlainStatement s{"S", StatementKind::Compute, {{0, extent}}, {"s", {}}, {}, false};
    PlainStatement t{"T", StatementKind::Compute, {{0, extent}}, {"B", {axis(1, 0)}}, {}, false};
    t.reads.push_back({"s", {}});
    if (chance(50)) s.reads.push_back({"B", {axis(1, 0, pick(-1, 2))}});
    PlainStatement last{"L", StatementKind::Compute, {}, {"o", {}}, {{"s", {}}}, false};
    std::vector<PlainStatement> all{s, t};
    if (chance(40)) all.push_back(last);
    return with_reference(all, true);
  }

  PlainProgram matmul() {
    const std::int64_t m = pick(1, 4), n = pick(1, 4), depth = pick(1, 4);
    PlainStatement init{"I", StatementKind::Init, {{0, m}, {0, n}}, {}, {}, true};
    init.write = {"C", {axis(2, 0), axis(2, 1)}};
    PlainStatement update{"U", StatementKind::Update, {{0, m}, {0, n}, {0, depth}}, {}, {}, true};
    update.write = {"C", {axis(3, 0), axis(3, 1)}};
    update.reads = {update.write, {"A", {axis(3, 0), axis(3, 2)}}, {"B", {axis(3, 2), axis(3, 1)}}};
    update.grouped = chance(80);
    PlainStatement use{"D", StatementKind::Compute, {{0, m}, {0, n}}, {}, {init.write}, false};
    use.write = {"D", {axis(2, 0), axis(2, 1)}};
    std::vector<PlainStatement> all{init, update};
    if (chance(50)) all.push_back(use);
    return with_reference(all, chance(50));
  }

  PlainProgram anything() {
    std::vector<PlainStatement> all;
    const std::array<std::size_t, 2> ranks{static_cast<std::size_t>(pick(0, 3)), 1};
    const auto access = [&](std::size_t dims) {
      const int array = pick(0, 2);
      PlainAccess out{array == 0 ? "X" : "Y", {}};
      for (std::size_t d = 0; d < ranks[static_cast<std::size_t>(array)]; ++d) {
        Affine index = axis(dims, 0, pick(-1, 2));
        for (std::int64_t& c : index.coefficients) c = pick(-1, 2);
        out.index.push_back(index);
      }
      return out;
    };
    for (int count = pick(1, 4), k = 0; k < count; ++k) {
      PlainStatement s;
      s.name = "S" + std::to_string(k);
      const auto dims = static_cast<std::size_t>(pick(0, 3));
      for (std::size_t d = 0; d < dims; ++d) s.bounds.push_back({0, pick(d == 0 ? 0 : 1, 4)});
      s.write = access(dims);
      for (int reads = pick(0, 3); reads > 0; --reads) s.reads.push_back(access(dims));
      if (chance(25)) {
        s.kind = StatementKind::Update;
        s.reads.insert(s.reads.begin(), s.write);
        s.grouped = chance(70);
      }
      all.push_back(std::move(s));
    }
    return with_reference(all, chance(60));
  }

  std::mt19937 random_;
};

}  // namespace solway::schedule::testing
