#include "codegen/athread/kernel_plan.h"

#include <algorithm>
#include <map>

#include "codegen/athread/detail/dialect.h"
#include "codegen/athread/transfer_form.h"
#include "codegen/athread/vector_forms.h"
#include "lowering/ir/for_all_cores.h"
#include "lowering/ir/printer.h"
#include "lowering/ir/simplify.h"
#include "lowering/ir/substitute.h"
#include "lowering/ir/visitor.h"
#include "support/error.h"

namespace solway::codegen {
namespace {

using ir::For;
using ir::ForKind;
using ir::Stmt;
using ir::StmtKind;

constexpr std::int64_t kTransactionBytes = 128;

[[noreturn]] void fail_vector(const SourceLoc& where, const std::string& form,
                              const std::string& why) {
  throw UnsupportedError({where, "C for computing cores has no form for " + form, why,
                          "leave out vectorize() for this target: scalar loops are supported"});
}

constexpr const char* kNoPass = "vectorize_loops has not made vectors of it";

[[noreturn]] void fail_parallel(const For& loop, const std::string& outside) {
  throw UnsupportedError(
      {loop.where, "parallel('" + loop.var + "') lies inside the parallel loop '" + outside + "'",
       "each core runs its part of '" + outside + "', and has no cores of its own to share '" +
           loop.var + "' out to",
       "leave out one of the two, or fuse them and parallelise the one loop"});
}

[[noreturn]] void fail_bound(const SourceLoc& where, const std::string& what) {
  throw UnsupportedError({where, what + " around a parallel loop reads memory",
                          "every core evaluates it, and all have to come to the same barriers",
                          "move the parallel loop outside"});
}

class VarFinder final : public ir::Visitor {
 public:
  explicit VarFinder(const std::string& name) : name_(name) {}
  bool found = false;

 protected:
  void visit(const ir::Var& e) override { found = found || e.name == name_; }

 private:
  const std::string& name_;
};

/// Walks the nests of the root, then inside each.
class Planner final : public ir::Visitor {
 public:
  explicit Planner(const AthreadOptions& options)
      : options_(options), dialect_(Dialect::of(options.machine)) {}

  void root(const Stmt& s) {
    if (!s.defined()) return;
    if (s.kind() == StmtKind::Block) {
      for (const Stmt& child : s.as<ir::Block>().stmts) root(child);
    } else if (const ir::Allocate* n = s.as_or_null<ir::Allocate>()) {
      declare(n->buffer, n->where);
      root(n->body);
    } else if (!is_for_all_cores(s)) {
      nest_ = kCoreZero;
      begin_nest();
      walk(s);
    } else if (const ir::Let* n = s.as_or_null<ir::Let>()) {
      walk(n->value);
      define_let(*n);
      root(n->body);
    } else if (const For* n = s.as_or_null<For>()) {
      root_loop(*n);
    } else if (const ir::If* n = s.as_or_null<ir::If>()) {
      if (ir::has_load(n->condition)) fail_bound(s.where(), "a condition");
      walk(n->condition);
      root(n->then_body);
      root(n->else_body);
    } else if (s.kind() != StmtKind::Barrier) {
      throw InternalError({s.where(), "a parallel loop inside a statement", "", ""});
    }
  }

  KernelPlan take() {
    for (const auto& [buffer, elems] : part_elems_) {
      if (filled_elems_[buffer] != std::set<std::optional<std::int64_t>>{elems}) {
        plan_.zeroed.insert(buffer);
      }
    }
    for (auto& [id, calls] : calls_of_) {
      const auto reply = std::find_if(plan_.replies.begin(), plan_.replies.end(),
                                      [&id = id](const auto& r) { return r.id == id; });
      if (calls.size() == 1) reply->calls = *calls.begin();
    }
    share_bytes();
    return std::move(plan_);
  }

 protected:
  void visit(const For& s) override {
    if (s.for_kind == ForKind::Parallel) fail_parallel(s, parallel_);
    if (s.for_kind == ForKind::Vectorized) {
      fail_vector(s.where, "vectorize('" + s.var + "')", kNoPass);
    }
    plan_.names.insert(s.var);
    walk(s.begin);
    walk(s.end);
    ranges_[s.var] = range_of(s, ranges_);
    walk(s.body);
    ranges_.erase(s.var);
  }
  void visit(const ir::Let& s) override {
    require_vectors(s);
    walk(s.value);
    define_let(s);
    walk(s.body);
    ranges_.erase(s.var);
  }
  void visit(const ir::Allocate& s) override {
    declare(s.buffer, s.where);
    walk(s.body);
  }
  void visit(const ir::Load& e) override {
    use(e.buffer);
    Visitor::visit(e);
  }
  void visit(const ir::Store& s) override {
    where_ = s.where;
    require_vectors(s);
    Visitor::visit(s);
    use(s.buffer, Use::Fills);
  }
  void visit(const ir::VectorStore& s) override {
    where_ = s.where;
    require_vectors(s);
    Visitor::visit(s);
    use(s.buffer, Use::Fills);
  }
  void visit(const ir::VectorLoad& e) override {
    use(e.buffer);
    Visitor::visit(e);
  }
  void visit(const ir::Call& s) override {
    where_ = s.where;
    if (s.product) require_near(s);
    Visitor::visit(s);
  }
  void visit(const ir::TransferIssue& s) override {
    where_ = s.where;
    use(s.main);
    use(s.near, s.direction == ir::TransferDirection::Get ? Use::Fills : Use::Reads);
    require_filled("transfer '" + s.id + "'", Use::Fills, s.where);
    if (s.near->scope != options_.near && !is_common(s.near)) {
      throw UnsupportedError(
          {s.where, "transfer '" + s.id + "' into '" + s.near->scope + "'",
           dialect_.transfers() + " reach the memory '" + options_.near + "' only",
           "give the buffer the scope '" + options_.near + "'"});
    }
    if (calls_of_.count(s.id) == 0) plan_.replies.push_back({s.id, s.num_slots, std::nullopt});
    const TransferForm form = legal_form(s, ranges_, options_.transfers);
    calls_of_[s.id].insert(form.calls);
    filled_elems_[s.near->name].insert(moved_elems(s));
    if (form.kind == TransferForm::Kind::Copy) {
      plan_.remarks.push_back(
          {"transfer '" + s.id + "'", "copied by loads and stores", form.why_copy, s.where});
    }
    if (form.units) {
      plan_.remarks.push_back({"transfer '" + s.id + "'",
                               "widened to whole units of " +
                                   std::to_string(form.units->elems * size_bytes(s.near->type)) +
                                   " bytes",
                               form.why_copy, s.where});
    }
    Visitor::visit(s);
  }
  void visit(const ir::Exchange& s) override {
    where_ = s.where;
    const auto [at, is_new] = part_elems_.emplace(s.buffer->name, s.part_elems);
    at->second = std::min(at->second, s.part_elems);
    Visitor::visit(s);
  }
  void visit(const ir::TransferWait& s) override {
    require_filled("transfer '" + s.id + "'", Use::Reads, s.where);
    Visitor::visit(s);
  }

 private:
  static constexpr int kCoreZero = 0;
  enum class Use : std::uint8_t { Fills, Reads };

  /// nullopt: not known.
  static std::optional<std::int64_t> moved_elems(const ir::TransferIssue& s) {
    std::int64_t out = 1;
    for (const ir::TransferDim& dim : s.dims) {
      const auto count = ir::try_constant(dim.count);
      if (!count) return std::nullopt;
      out *= *count;
    }
    return out;
  }

  void require_vectors(const ir::StmtNode& s) const {
    const std::string lack = vector_lack(s, options_.machine);
    if (!lack.empty()) fail_vector(s.where, "a vector statement", lack);
  }

  void require_near(const ir::Call& s) const {
    for (const ir::CallOperand& operand : s.operands) {
      if (operand.buffer->scope == options_.near) continue;
      throw UnsupportedError(
          {s.where,
           "'" + s.name + "' of '" + operand.buffer->name + "' in '" + operand.buffer->scope + "'",
           "a micro-kernel reads and writes the memory '" + options_.near + "' only",
           "stage it: buffer_read for what it reads, buffer_write for what it adds to"});
    }
  }

  /// A loop at the root, with all inside, or what core 0 does there.
  void begin_nest() {
    if (root_depth_ == 0) ++num_root_nests_;
  }

  void root_loop(const For& loop) {
    begin_nest();
    walk(loop.begin);
    walk(loop.end);
    plan_.names.insert(loop.var);
    ranges_[loop.var] = range_of(loop, ranges_);
    if (loop.for_kind == ForKind::Parallel) {
      nest_ = ++num_nests_;
      is_in_parallel_ = true;
      parallel_ = loop.var;
      walk(loop.body);
      is_in_parallel_ = false;
    } else {
      if (loop.for_kind == ForKind::Vectorized) {
        fail_vector(loop.where, "vectorize('" + loop.var + "')", kNoPass);
      }
      if (ir::has_load(loop.begin) || ir::has_load(loop.end)) {
        fail_bound(loop.where, "the range of loop '" + loop.var + "'");
      }
      ++root_depth_;
      root(loop.body);
      --root_depth_;
    }
    ranges_.erase(loop.var);
  }

  void share_bytes() {
    for (std::size_t k = 0; k < plan_.ldm.size(); ++k) {
      const ir::BufferNode& buffer = *plan_.ldm[k];
      const auto at = options_.near_offsets.find(buffer.name);
      if (at == options_.near_offsets.end()) continue;
      plan_.shared_bytes = std::max(plan_.shared_bytes, at->second + buffer.size_bytes());
      for (std::size_t other = 0; other < k; ++other) require_apart(buffer, *plan_.ldm[other]);
    }
  }

  /// The memory planner gave the same bytes only to buffers whose nests follow each other.
  void require_apart(const ir::BufferNode& a, const ir::BufferNode& b) const {
    const auto at_a = options_.near_offsets.find(a.name);
    const auto at_b = options_.near_offsets.find(b.name);
    const auto used_a = nests_using_.find(a.name);
    const auto used_b = nests_using_.find(b.name);
    if (at_b == options_.near_offsets.end()) return;
    if (used_a == nests_using_.end() || used_b == nests_using_.end()) return;
    const bool meet_in_memory = at_a->second < at_b->second + b.size_bytes() &&
                                at_b->second < at_a->second + a.size_bytes();
    const bool meet_in_time = used_a->second.first <= used_b->second.second &&
                              used_b->second.first <= used_a->second.second;
    if (!meet_in_memory || !meet_in_time) return;
    throw InternalError({where_, "buffers '" + a.name + "' and '" + b.name + "' use the same bytes",
                         "one nest uses both", ""});
  }

  void define_let(const ir::Let& s) {
    plan_.names.insert(s.var);
    if (is_integer(s.value.type().scalar)) {
      ranges_[s.var] = range_of(s, options_, ranges_);
    }
  }

  void declare(const ir::Buffer& buffer, const SourceLoc& where) {
    plan_.names.insert(buffer->name);
    if (buffer->scope == options_.near) {
      // Cores that work and those that only take messages have the same buffers.
      const bool is_new = std::find(plan_.ldm.begin(), plan_.ldm.end(), buffer) == plan_.ldm.end();
      if (is_new) plan_.ldm.push_back(buffer);
    } else if (buffer->scope == "main") {
      const std::int64_t unit =
          std::max(kTransactionBytes, options_.transfers.unit_bytes) / size_bytes(buffer->type);
      const std::int64_t elems = std::max<std::int64_t>(1, buffer->num_elements());
      const std::int64_t padded = (elems + unit - 1) / unit * unit;
      plan_.main.push_back(
          {buffer, "temporary", is_in_parallel_, is_in_parallel_ ? padded : elems});
    } else if (is_common(buffer)) {
      declare_common(buffer, where);
    } else if (buffer->scope != "register") {
      throw UnsupportedError(
          {where, "buffer '" + buffer->name + "' is in '" + buffer->scope + "'",
           dialect_.language() + " stages in '" + options_.near + "': no engine fills that one",
           "give the buffer the scope '" + options_.near + "'"});
    }
  }

  /// Whether all cores see a buffer.
  bool is_common(const ir::Buffer& buffer) const {
    return !options_.shared.empty() && buffer->scope == options_.shared;
  }

  void declare_common(const ir::Buffer& buffer, const SourceLoc& where) {
    plan_.common.push_back(buffer);
    if (!options_.network) return;
    throw UnsupportedError(
        {where, "buffer '" + buffer->name + "' is in '" + buffer->scope + "'",
         "layers of a network are laid out together in '" + options_.near + "' only",
         "leave scope= out there, or build the layer by itself"});
  }

  void use(const ir::Buffer& buffer, Use use = Use::Reads) {
    plan_.used_buffers.insert(buffer->name);
    if (buffer->scope == options_.near) {
      const auto [it, is_new] =
          nests_using_.try_emplace(buffer->name, num_root_nests_, num_root_nests_);
      it->second.second = num_root_nests_;
    }
    // What all cores see they wait for at barriers (lowering/place_barriers.h).
    if (buffer->scope != "main" && !is_common(buffer))
      require_filled("buffer '" + buffer->name + "'", use, where_);
  }

  /// LDM belongs to one core: what one nest puts there another nest's cores do not see. So a nest
  /// that uses what another one used fills it first.
  void require_filled(const std::string& what, Use use, const SourceLoc& where) {
    const auto [it, is_new] = nest_of_.emplace(what, nest_);
    if (is_new || it->second == nest_) return;
    it->second = nest_;
    if (use == Use::Fills) return;
    throw UnsupportedError(
        {where, what + " is filled by one nest and used by another",
         "they run on different cores, and each core sees its own " + dialect_.near() + " only",
         "place the buffer inside the parallel loop with at="});
  }

  const AthreadOptions& options_;
  const Dialect& dialect_;
  KernelPlan plan_;
  ir::Ranges ranges_;
  std::map<std::string, std::set<std::optional<std::int64_t>>> calls_of_;      ///< by transfer id
  std::map<std::string, std::set<std::optional<std::int64_t>>> filled_elems_;  ///< by buffer
  std::map<std::string, std::int64_t> part_elems_;  ///< of exchanged buffers: of one core
  std::map<std::string, int> nest_of_;
  std::map<std::string, std::pair<int, int>> nests_using_;  ///< the first and the last, by buffer
  SourceLoc where_;                                         ///< of the statement under way
  std::string parallel_;  ///< the variable of the parallel loop around
  int nest_ = kCoreZero;
  int num_nests_ = 0;
  int num_root_nests_ = 0;
  int root_depth_ = 0;  ///< loops of the root around
  bool is_in_parallel_ = false;
};

}  // namespace

ir::Range range_of(const ir::Let& let, const AthreadOptions& options, const ir::Ranges& ranges) {
  const auto size = options.sizes.find(let.var);
  return size != options.sizes.end() ? size->second : ir::range_of(let.value, ranges);
}

KernelPlan plan_kernel(const ir::Kernel& kernel, const AthreadOptions& options) {
  const int cores = options.cores;
  if (cores < 1 || cores > 64) {
    const Dialect& dialect = Dialect::of(options.machine);
    throw UnsupportedError(
        {kernel.where,
         dialect.language() + " for " + std::to_string(cores) + " cores is not supported",
         dialect.machine(), "use 1 to 64 cores"});
  }
  Planner planner(options);
  planner.root(kernel.body);
  KernelPlan plan = planner.take();
  std::vector<KernelPlan::MainArray> arguments;
  for (const ir::Param& param : kernel.params) {
    arguments.push_back({param.buffer, std::string(ir::to_string(param.role))});
  }
  plan.main.insert(plan.main.begin(), arguments.begin(), arguments.end());
  for (const ir::Constant& constant : kernel.constants) {
    plan.main.push_back({constant.buffer, "constant"});
  }
  for (const KernelPlan::MainArray& array : plan.main) plan.names.insert(array.buffer->name);
  return plan;
}

bool uses_var(const Stmt& s, const std::string& var) {
  VarFinder finder(var);
  finder.walk(s);
  return finder.found;
}

}  // namespace solway::codegen
