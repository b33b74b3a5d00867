#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/simplify.h"
#include "lowering/ir/stmt.h"
#include "lowering/ir/substitute.h"
#include "support/target.h"

/// What the cores of a group do to memory that several of them see when they run a kernel of loop
/// IR: an oracle for barriers that knows nothing of dependences.
namespace solway::ir::testing {

class CoreTrace {
 public:
  /// Runs `s` on `cores` cores, which share out the outermost parallel loops. Every index and
  /// condition is an expression of loop variables.
  CoreTrace(const Stmt& s, std::int64_t cores) : cores_(cores) { run(s, kAll); }

  /// The barriers of the kernel.
  const std::set<const StmtNode*>& barriers() const { return barriers_; }
  /// How often barriers are come to.
  std::size_t num_waits() const { return waits_.size(); }

  /// Whether two cores touch one element without a barrier between, one of them writing, when the
  /// barrier `without` is not there.
  bool races(const StmtNode* without = nullptr) const {
    std::map<std::pair<std::string, std::size_t>, Touches> touched;
    for (const Touch& touch : touches_) {
      std::size_t epoch = 0;
      for (std::size_t k = 0; k < touch.waits; ++k) epoch += waits_[k] == without ? 0 : 1;
      Touches& all = touched[{touch.element, epoch}];
      all.cores.insert(touch.core);
      all.is_written = all.is_written || touch.is_write;
    }
    return std::any_of(touched.begin(), touched.end(), [](const auto& entry) {
      return entry.second.is_written && entry.second.cores.size() > 1;
    });
  }

 private:
  static constexpr std::int64_t kAll = -1;
  struct Touch {
    std::string element;
    std::int64_t core;
    std::size_t waits;  ///< that came before
    bool is_write;
  };
  struct Touches {
    std::set<std::int64_t> cores;
    bool is_written = false;
  };

  Expr fixed(const Expr& e) const { return simplify(substitute(e, values_)); }
  std::int64_t value(const Expr& e) const { return *try_constant(fixed(e)); }

  void touch(const Buffer& buffer, const std::vector<Expr>& indices, std::int64_t core,
             bool is_write) {
    // Each core has other buffers for itself.
    if (buffer->scope != "main" && buffer->scope != kSharedScope) return;
    std::string element = buffer->name;
    for (const Expr& index : indices) element += " " + std::to_string(value(index));
    touches_.push_back({element, core == kAll ? 0 : core, waits_.size(), is_write});
  }

  void read(const Expr& e, std::int64_t core) {
    if (const auto* load = e.as_or_null<Load>()) touch(load->buffer, load->indices, core, false);
    if (const auto* unary = e.as_or_null<Unary>()) read(unary->operand, core);
    if (const auto* cast = e.as_or_null<Cast>()) read(cast->operand, core);
    if (const auto* binary = e.as_or_null<Binary>()) {
      read(binary->a, core);
      read(binary->b, core);
    }
    if (const auto* select = e.as_or_null<Select>()) {
      read(value(select->condition) != 0 ? select->if_true : select->if_false, core);
    }
  }

  void run(const Stmt& s, std::int64_t core) {
    if (!s.defined()) return;
    if (s.kind() == StmtKind::Barrier) {
      barriers_.insert(&s.node());
      waits_.push_back(&s.node());
    } else if (const auto* block = s.as_or_null<Block>()) {
      for (const Stmt& child : block->stmts) run(child, core);
    } else if (const auto* allocate = s.as_or_null<Allocate>()) {
      run(allocate->body, core);
    } else if (const auto* branch = s.as_or_null<If>()) {
      run(value(branch->condition) != 0 ? branch->then_body : branch->else_body, core);
    } else if (const auto* store = s.as_or_null<Store>()) {
      read(store->value, core);
      touch(store->buffer, store->indices, core, true);
    } else if (const auto* loop = s.as_or_null<For>()) {
      const std::int64_t begin = value(loop->begin);
      const std::int64_t end = value(loop->end);
      const std::int64_t chunk = (std::max<std::int64_t>(0, end - begin) + cores_ - 1) / cores_;
      for (std::int64_t k = begin; k < end; ++k) {
        values_[loop->var] = index(k);
        const bool is_shared = loop->for_kind == ForKind::Parallel && core == kAll;
        run(loop->body, is_shared ? (k - begin) / chunk : core);
      }
      values_.erase(loop->var);
    }
  }

  std::int64_t cores_;
  std::map<std::string, Expr> values_;
  std::set<const StmtNode*> barriers_;
  std::vector<const StmtNode*> waits_;
  std::vector<Touch> touches_;
};

}  // namespace solway::ir::testing
