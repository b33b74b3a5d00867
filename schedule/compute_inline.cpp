#include "schedule/compute_inline.h"

#include <algorithm>

#include "schedule/proof.h"
#include "schedule/substitution.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Expr;
using dsl::ExprKind;

std::string array_of(const isl::map& access) {
  return isl_ext::tuple_name(access, isl_ext::Dim::Range);
}

bool holds(const Expr& expr, const Expr& node) {
  if (expr == node) return true;
  return std::any_of(expr->operands.begin(), expr->operands.end(),
                     [&](const Expr& operand) { return holds(operand, node); });
}

/// Whether `node` stands in an index of another read.
bool in_an_index(const Expr& expr, const Expr& node) {
  if (expr == node) return false;
  if (expr->kind == ExprKind::Read) return holds(expr, node);
  return std::any_of(expr->operands.begin(), expr->operands.end(),
                     [&](const Expr& operand) { return in_an_index(operand, node); });
}

class Inliner {
 public:
  Inliner(const State& state, std::string stage, const SourceLoc& where)
      : out_(state),
        stage_(std::move(stage)),
        request_{"compute_inline() of '" + stage_ + "'", where},
        program_(std::make_shared<Program>(*state.program)) {}

  State run() {
    require_free();
    const Statement producer = the_producer();
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      for (auto& [name, s] : program_->statements) {
        if (name != producer.name && s.reads_from(stage_)) inline_into(s, producer);
      }
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
    remove(producer.name);
    adopt_program(out_, program_, request_);
    out_.log.push_back({"compute_inline", stage_, {}, {}, request_.where});
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  const Statement& the_producer() const {
    const std::vector<std::string> names = statements_of(out_, stage_);
    if (names.empty()) {
      refuse("it is inlined already", "none of its statements is left",
             "leave the second call out");
    }
    const Statement& s = program_->statement(names.front());
    if (names.size() != 1 || s.kind != StatementKind::Compute) {
      refuse("it is a reduction", "every reader would add up its terms anew",
             "compute_at places it next to its readers");
    }
    if (s.writes.size() != 1) {
      refuse("it has several values", "its tuple of outputs is stored by one statement",
             "compute_at places it next to its readers");
    }
    if (!s.writes_to(stage_)) {
      refuse("it changes a tensor in place", "its readers need all of its steps before them",
             "leave it as a stage");
    }
    if (s.reads_from(stage_)) {
      refuse("it reads itself", "each element needs earlier ones, which no expression holds",
             "compute_at or fuse_with place it next to its readers");
    }
    if (s.origin) {
      refuse("it is computed inside other loops", "compute_at placed it there",
             "call compute_root() first");
    }
    const isl::map element = s.writes[0].relation.set_range_tuple(s.name);
    if (!element.is_equal(s.domain.identity())) {
      refuse("its tensor has another layout", "transform_layout changed where its elements lie",
             "inline it before");
    }
    return s;
  }

  /// Nothing but reads of other stages is tied to the tensor or to the stage's loops.
  void require_free() const {
    for (const dsl::Tensor& output : program_->outputs) {
      if (output->name == stage_) {
        refuse("it is an output", "the caller reads all of it", "inline what it reads instead");
      }
    }
    for (const auto& [name, buffer] : program_->buffers) {
      const bool is_tile = name == buffer.tensor;
      if (is_tile || (buffer.tensor != stage_ && buffer.stage != stage_)) continue;
      refuse("a buffer depends on it",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + name + "'",
             "inline first, then make buffers of what its readers read");
    }
    for (const auto& [name, s] : program_->statements) {
      if (s.stage != stage_ && s.writes_to(stage_)) {
        refuse("its tensor is changed in place", "'" + s.stage + "' stores to it as well",
               "leave it as a stage");
      }
      if (s.stage != stage_) continue;
      for (const Operand& operand : s.reads) {
        const Array& read = program_->array(array_of(operand.relation));
        if (read.kind != ArrayKind::Buffer) continue;
        refuse("'" + read.name + "' is computed inside its loops", "they go when it is inlined",
               "inline '" + read.name + "' first, or call its compute_root()");
      }
    }
  }

  void inline_into(Statement& s, const Statement& producer) {
    require_exact_reads(s, stage_, request_.text, request_.where);
    for (const Operand& operand : producer.reads) {
      const std::string array = array_of(operand.relation);
      require_exact_reads(producer, array, request_.text, request_.where);
    }
    const Statement before = s;
    Substitution body(Substitution::Reads::Keep);
    s.reads.clear();
    for (std::size_t k = 0; k < before.reads.size(); ++k) {
      Operand operand = before.reads[k];
      operand.place = operand.place.value_or(k);
      if (array_of(operand.relation) != stage_) {
        s.reads.push_back(std::move(operand));
        continue;
      }
      for (const Write& write : before.writes) {
        if (!in_an_index(write.value, operand.read)) continue;
        throw UnsupportedError({request_.where,
                                request_.text + ": '" + before.stage + "' uses it as an index",
                                "an index is read from memory", "leave it as a stage"});
      }
      body.replace(operand.read, value_at(s, operand, producer));
    }
    for (Write& write : s.writes) write.value = body(write.value);
  }

  /// The producer's value in place of `operand`; its own operands become operands of `s`.
  Expr value_at(Statement& s, const Operand& operand, const Statement& producer) const {
    const isl::map to_instance = producer.writes[0].relation.reverse();
    const Inlined value{operand.relation.apply_range(to_instance), operand.owner, *operand.place};
    const isl::multi_pw_aff instance = operand.index.set_range_tuple(producer.name);
    const std::size_t owner = s.inlined.size() + 1;
    const auto owner_of = [&](std::size_t own) { return own + owner; };
    s.inlined.push_back(value);
    for (const Inlined& inner : producer.inlined) {
      s.inlined.push_back(
          {value.origin.apply_range(inner.origin), owner_of(inner.owner), inner.place});
    }
    Substitution copy(Substitution::Reads::Copy);
    for (std::size_t k = 0; k < producer.axes.size(); ++k) {
      copy.replace(producer.axes[k], operand.read->operands[k]);
    }
    Expr out = copy(producer.writes[0].value);
    for (std::size_t k = 0; k < producer.reads.size(); ++k) {
      const Operand& inner = producer.reads[k];
      s.reads.push_back({value.origin.apply_range(inner.relation), inner.index.pullback(instance),
                         copy.copy_of(inner.read), owner_of(inner.owner), inner.place.value_or(k)});
    }
    const DType type = program_->array(stage_).type;
    return out->type == type ? out : dsl::make_cast(out, type, out->where);
  }

  void remove(const std::string& producer) {
    program_->statements.erase(producer);
    program_->arrays.erase(stage_);
    auto& stages = program_->stages;
    stages.erase(std::remove_if(stages.begin(), stages.end(),
                                [&](const dsl::Tensor& t) { return t->name == stage_; }),
                 stages.end());
    remove_statement(out_, producer, request_.text, request_.where);
    out_.stage_loops.at(stage_).clear();
  }

  State out_;
  std::string stage_;
  Request request_;
  std::shared_ptr<Program> program_;
};

}  // namespace

State compute_inline(const State& state, const std::string& stage, const SourceLoc& where) {
  return Inliner(state, stage, where).run();
}

}  // namespace solway::schedule
