#include "lowering/keep_in_registers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/buffer_names.h"
#include "lowering/ir/fold.h"
#include "lowering/ir/linear.h"
#include "lowering/ir/mutator.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"

namespace solway::lowering {
namespace {

using ir::Expr;
using ir::Stmt;

/// Elements of a buffer that accesses of a nest name.
struct Place {
  std::vector<Expr> indices;
  ir::Linear position;
  std::int64_t count = 1;  ///< of them, from `position` on, at most
  Expr active;             ///< how many, where that is not all and not known
  bool is_loaded = false;
  bool is_stored = false;
  std::int64_t kept_at = 0;  ///< element of the buffer of registers
};

/// The places of one buffer.
struct Accesses {
  ir::Buffer buffer;
  ir::Lanes lanes{0, false};  ///< of every access; 1: scalars
  std::vector<Place> places;
  bool can_be_kept = true;
};

bool is_vector(const ir::Lanes& lanes) { return lanes != ir::Lanes{}; }

/// What a nest of loops and stores accesses.
class Survey final : public ir::Visitor {
 public:
  explicit Survey(const ir::For& nest) {
    vars_.insert(nest.var);
    walk(nest.body);
  }

  bool is_nest = true;
  bool combines_lanes = false;
  std::map<std::string, Accesses> accesses;  ///< by buffer

 private:
  void visit(const ir::For& s) override {
    const auto extent = ir::try_constant(ir::simplify(ir::sub(s.end, s.begin)));
    const bool is_plain = s.for_kind == ir::ForKind::Serial && extent && *extent >= 1;
    is_nest = is_nest && is_plain;
    vars_.insert(s.var);
    Visitor::visit(s);
  }
  void visit(const ir::If& /*s*/) override { is_nest = false; }
  void visit(const ir::Let& /*s*/) override { is_nest = false; }
  void visit(const ir::Allocate& /*s*/) override { is_nest = false; }
  void visit(const ir::TransferIssue& /*s*/) override { is_nest = false; }
  void visit(const ir::TransferWait& /*s*/) override { is_nest = false; }
  void visit(const ir::Barrier& /*s*/) override { is_nest = false; }
  void visit(const ir::Call& /*s*/) override { is_nest = false; }

  void visit(const ir::ReduceLanes& e) override {
    combines_lanes = true;
    Visitor::visit(e);
  }
  void visit(const ir::Load& e) override {
    note(e.buffer, e.indices, {}, 1, {}).is_loaded = true;
    Visitor::visit(e);
  }
  void visit(const ir::VectorLoad& e) override {
    Place& place = note(e.buffer, e.indices, e.type.lanes, e.stride_elems, e.active);
    place.is_loaded = true;
    if (e.first > 0) accesses[e.buffer->name].can_be_kept = false;
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    note(s.buffer, s.indices, {}, 1, {}).is_stored = true;
    Visitor::visit(s);
  }
  void visit(const ir::VectorStore& s) override {
    note(s.buffer, s.indices, s.value.type().lanes, s.stride_elems, s.active).is_stored = true;
    Visitor::visit(s);
  }

  Place& note(const ir::Buffer& buffer, const std::vector<Expr>& indices, const ir::Lanes& lanes,
              std::int64_t stride, const Expr& active) {
    Accesses& of = accesses[buffer->name];
    if (of.lanes.count == 0) {
      of.buffer = buffer;
      of.lanes = lanes;
      of.can_be_kept = buffer->scope != "register";
    }
    const auto moves = [&](const Expr& index) {
      const auto mentions = [&](const std::string& var) { return ir::mentions(index, var); };
      return ir::has_load(index) || std::any_of(vars_.begin(), vars_.end(), mentions);
    };
    const auto known = active.defined() ? ir::try_constant(active) : lanes.count;
    const bool is_fixed = known ? *known > 0 : !moves(active);
    const bool is_counted = is_fixed && !(active.defined() && lanes.scalable);
    if (lanes != of.lanes || (is_vector(lanes) && stride != 1) || !is_counted ||
        std::any_of(indices.begin(), indices.end(), moves)) {
      of.can_be_kept = false;
    }
    if (!of.can_be_kept) return dropped_;
    const ir::Linear position = ir::linear_of(ir::flat_index(*buffer, indices));
    const std::int64_t count = std::min<std::int64_t>(known.value_or(lanes.count), lanes.count);
    const Expr of_call = known ? Expr() : active;
    for (Place& place : of.places) {
      const ir::Linear difference = position - place.position;
      const std::int64_t between = difference.constant;
      // Nothing is known of how far apart scalable vectors must be.
      const bool overlaps =
          between == 0 ? count != place.count
                       : lanes.scalable || (between > 0 ? between < place.count : -between < count);
      const bool is_other = between == 0 && !ir::equal(of_call, place.active);
      if (!difference.terms.empty() || overlaps || is_other) {
        of.can_be_kept = false;
        return dropped_;
      }
      if (between == 0) return place;
    }
    of.places.push_back({indices, position, count, of_call});
    return of.places.back();
  }

  std::set<std::string> vars_;  ///< of the nest's loops
  Place dropped_;
};

/// Accesses to the kept buffers go to their registers.
class Renamer final : public ir::Mutator {
 public:
  Renamer(const std::map<std::string, Accesses>& accesses,
          const std::map<std::string, ir::Buffer>& kept)
      : accesses_(accesses), kept_(kept) {}

 private:
  Expr rewrite(const ir::Load& e, const Expr& self) override {
    const ir::Buffer* const kept = kept_of(*e.buffer);
    if (kept == nullptr) return Mutator::rewrite(e, self);
    return ir::Load::make(*kept, {place_of(*e.buffer, e.indices)});
  }
  Expr rewrite(const ir::VectorLoad& e, const Expr& self) override {
    const ir::Buffer* const kept = kept_of(*e.buffer);
    if (kept == nullptr) return Mutator::rewrite(e, self);
    return ir::VectorLoad::make(*kept, {place_of(*e.buffer, e.indices)}, 1, e.type.lanes);
  }
  Stmt rewrite(const ir::Store& s, const Stmt& self) override {
    const ir::Buffer* const kept = kept_of(*s.buffer);
    if (kept == nullptr) return Mutator::rewrite(s, self);
    return ir::Store::make(*kept, {place_of(*s.buffer, s.indices)}, mutate(s.value), s.where);
  }
  Stmt rewrite(const ir::VectorStore& s, const Stmt& self) override {
    const ir::Buffer* const kept = kept_of(*s.buffer);
    if (kept == nullptr) return Mutator::rewrite(s, self);
    return ir::VectorStore::make(*kept, {place_of(*s.buffer, s.indices)}, 1, mutate(s.value), {},
                                 s.where);
  }

  const ir::Buffer* kept_of(const ir::BufferNode& buffer) const {
    const auto it = kept_.find(buffer.name);
    return it == kept_.end() ? nullptr : &it->second;
  }
  Expr place_of(const ir::BufferNode& buffer, const std::vector<Expr>& indices) const {
    const ir::Linear position = ir::linear_of(ir::flat_index(buffer, indices));
    for (const Place& place : accesses_.at(buffer.name).places) {
      const ir::Linear difference = position - place.position;
      if (difference.terms.empty() && difference.constant == 0) return ir::index(place.kept_at);
    }
    return {};
  }

  const std::map<std::string, Accesses>& accesses_;
  const std::map<std::string, ir::Buffer>& kept_;
};

class Keeper final : public ir::Mutator {
 public:
  Keeper(int max_kept, std::set<std::string> names)
      : max_kept_(max_kept), names_(std::move(names)) {}

 private:
  Stmt rewrite(const ir::For& s, const Stmt& self) override {
    if (s.for_kind != ir::ForKind::Serial || has_load(s.begin) || has_load(s.end)) {
      return Mutator::rewrite(s, self);
    }
    Survey survey(s);
    if (!survey.is_nest) return Mutator::rewrite(s, self);
    std::map<std::string, ir::Buffer> kept;
    int room = max_kept_;
    for (auto& [name, accesses] : survey.accesses) {
      const int needed = static_cast<int>(accesses.places.size());
      if (!pays(accesses, survey) || needed > room) continue;
      room -= needed;
      std::int64_t next = 0;
      for (Place& place : accesses.places)
        place.kept_at = std::exchange(next, next + accesses.lanes.count);
      const ir::Lanes all{needed * accesses.lanes.count, accesses.lanes.scalable};
      kept[name] =
          ir::make_vectors(fresh(name + "_kept"), accesses.buffer->type, {}, all, "register");
    }
    if (kept.empty()) return Mutator::rewrite(s, self);
    const Stmt body = mutate(Renamer(survey.accesses, kept)(s.body));
    return around(s, ir::For::make(s.var, s.begin, s.end, s.for_kind, body, s.where),
                  survey.accesses, kept);
  }

  /// Loads before the loop, stores behind it.
  static Stmt around(const ir::For& s, const Stmt& loop,
                     const std::map<std::string, Accesses>& accesses,
                     const std::map<std::string, ir::Buffer>& kept) {
    std::vector<Stmt> before;
    std::vector<Stmt> after;
    for (const auto& [name, registers] : kept) {
      const Accesses& of = accesses.at(name);
      for (const Place& place : of.places) {
        const std::vector<Expr> at = {ir::index(place.kept_at)};
        Expr active = place.active;
        if (place.count < of.lanes.count) active = ir::index(place.count);
        if (place.is_loaded) {
          before.push_back(copy(of, {registers, at, {}}, {of.buffer, place.indices, active}, s));
        }
        if (place.is_stored) {
          after.push_back(copy(of, {of.buffer, place.indices, active}, {registers, at, {}}, s));
        }
      }
    }
    std::vector<Stmt> parts = std::move(before);
    parts.push_back(loop);
    parts.insert(parts.end(), after.begin(), after.end());
    Stmt out = ir::Block::make(std::move(parts));
    for (const auto& [name, registers] : kept) out = ir::Allocate::make(registers, out, s.where);
    const auto extent = ir::try_constant(ir::simplify(ir::sub(s.end, s.begin)));
    if (extent && *extent >= 1) return out;
    // Where no iteration runs, the places need not exist.
    return ir::If::make(ir::fold(BinaryOp::Lt, s.begin, s.end), out, {}, s.where);
  }

  /// Elements that are copied.
  struct Elements {
    ir::Buffer buffer;
    std::vector<Expr> indices;
    Expr active;  ///< undefined: all lanes
  };

  static Stmt copy(const Accesses& of, const Elements& to, const Elements& from, const ir::For& s) {
    if (!is_vector(of.lanes)) {
      return ir::Store::make(to.buffer, to.indices, ir::Load::make(from.buffer, from.indices),
                             s.where);
    }
    const Expr loaded = ir::VectorLoad::make(from.buffer, from.indices, 1, of.lanes, from.active);
    return ir::VectorStore::make(to.buffer, to.indices, 1, loaded, to.active, s.where);
  }

  static bool pays(const Accesses& accesses, const Survey& survey) {
    if (!accesses.can_be_kept) return false;
    // Lanes that were 0 have any value in a register.
    const auto is_partial = [&](const Place& place) {
      return place.active.defined() || place.count < accesses.lanes.count;
    };
    if (survey.combines_lanes &&
        std::any_of(accesses.places.begin(), accesses.places.end(), is_partial)) {
      return false;
    }
    const auto is_stored = [](const Place& place) { return place.is_stored; };
    if (std::none_of(accesses.places.begin(), accesses.places.end(), is_stored)) return false;
    if (accesses.buffer->scope != "main") return true;
    const auto is_main = [](const auto& entry) { return entry.second.buffer->scope == "main"; };
    return std::count_if(survey.accesses.begin(), survey.accesses.end(), is_main) == 1;
  }

  std::string fresh(const std::string& name) {
    std::string out = name;
    for (int i = 2; !names_.insert(out).second; ++i) out = name + "_" + std::to_string(i);
    return out;
  }

  int max_kept_;
  std::set<std::string> names_;
};

}  // namespace

Stmt keep_in_registers(const Stmt& s, int max_kept) {
  return Keeper(max_kept, ir::buffer_names(s))(s);
}

}  // namespace solway::lowering
