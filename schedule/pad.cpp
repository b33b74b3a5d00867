#include "schedule/pad.h"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/as_written.h"
#include "schedule/exchange_stages.h"
#include "schedule/padded_tensors.h"
#include "schedule/program_breach.h"
#include "schedule/proof.h"
#include "schedule/violation.h"
#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// "(256, 32)", as Python writes it.
std::string tuple_of(const std::vector<std::int64_t>& shape) {
  std::string out;
  for (const std::int64_t extent : shape) out += (out.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

/// Whether two values are computed in the same way from what they read; which elements these are
/// flow tells. Axes are those of the two statements, at the same places.
bool is_same_value(const Statement& a, const dsl::Expr& x, const Statement& b, const dsl::Expr& y) {
  const bool is_same_node = x->kind == y->kind && x->type == y->type && x->unary == y->unary &&
                            x->binary == y->binary && x->int_value == y->int_value &&
                            x->float_value == y->float_value;
  if (!is_same_node) return false;
  if (x->kind == dsl::ExprKind::Read) return true;
  const auto place = [](const Statement& s, const dsl::Axis& axis) {
    return std::find(s.axes.begin(), s.axes.end(), axis) - s.axes.begin();
  };
  if (x->kind == dsl::ExprKind::AxisRef) return place(a, x->axis) == place(b, y->axis);
  return std::equal(x->operands.begin(), x->operands.end(), y->operands.begin(), y->operands.end(),
                    [&](const dsl::Expr& one, const dsl::Expr& other) {
                      return is_same_value(a, one, b, other);
                    });
}

class Padder {
 public:
  Padder(const State& state, const std::string& stage, const std::vector<std::int64_t>& shape,
         const SourceLoc& where)
      : out_(state),
        stage_(stage),
        shape_(shape),
        request_{"pad(" + stage + ", " + tuple_of(shape) + ")", where},
        program_(std::make_shared<Program>(*state.program)) {
    const auto& stages = program_->stages;
    tensor_ = *std::find_if(stages.begin(), stages.end(),
                            [&](const dsl::Tensor& t) { return t->name == stage; });
  }

  PadResult run() {
    require_constant();
    require_larger();
    require_free();
    require_one_value();
    PaddedTensors made = padded_tensors(out_, tensor_, shape_, request_);
    ProgramAndOrder padded = program_of(made.copy);
    require_same(made, *padded.program);
    StageExchange exchange;
    exchange.stage = stage_;
    exchange.gone.insert(stage_);
    for (const auto& [stage, operand] : made.extended) exchange.gone.insert(stage);
    const bool is_output = program_->is_output(program_->array(stage_));
    if (!is_output) exchange.instead = made.padded;
    exchange.made = is_output ? std::move(padded) : program_of(made.padded);
    exchange_stages(out_, *program_, exchange, request_);
    adopt_program(out_, program_, request_);
    Step step{"pad", stage_, {}, {}, request_.where, made.padded->name};
    step.arguments.emplace_back("", StepText{"{" + stage_ + "}"});
    step.arguments.emplace_back("", StepText{tuple_of(shape_)});
    out_.log.push_back(std::move(step));
    return {std::move(out_), made.padded, std::move(made.operands)};
  }

 private:
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& fix) const {
    throw ScheduleArgumentError({request_.where, request_.text + ": " + what, why, fix});
  }

  [[noreturn]] void fail(const std::string& why, const std::string& fix) const {
    throw cannot_pad(request_, stage_, why, fix);
  }

  void require_constant() const {
    if (!program_->sizes.empty()) {
      fail("extents of this schedule are sizes that a call brings",
           "pad a schedule of constant shapes");
    }
    if (tensor_->tuple != nullptr) {
      fail("it is computed together with other tensors", "compute each of them by itself");
    }
    if (tensor_->is_update() || tensor_->self || program_->is_updated(program_->array(stage_))) {
      fail("its tensor is changed in place", "pad a tensor that is computed once");
    }
    if (tensor_->domain) {
      fail("only a part of its elements is computed", "leave where= out, or the padding");
    }
  }

  /// What the stage stores is all that it computes.
  void require_one_value() const {
    for (const std::string& name : statements_of(out_, stage_)) {
      const Statement& s = program_->statement(name);
      const std::string array = isl_ext::tuple_name(s.writes[0].relation, isl_ext::Dim::Range);
      if (array == stage_ && s.writes.size() == 1) continue;
      fail("it computes with the result of a reduction",
           "compute the reduction as a tensor of its own and pad that");
    }
  }

  void require_larger() const {
    const std::vector<std::int64_t>& before = tensor_->shape;
    if (shape_.size() != before.size()) {
      refuse("'" + stage_ + "' has " + std::to_string(before.size()) + " dimensions",
             "got " + std::to_string(shape_.size()) + " extents", "name one for each dimension");
    }
    if (std::find(before.begin(), before.end(), 0) != before.end()) {
      refuse("'" + stage_ + "' has no elements", "its shape is " + tuple_of(before),
             "leave it as it is");
    }
    for (std::size_t k = 0; k < shape_.size(); ++k) {
      if (shape_[k] >= before[k]) continue;
      refuse("'" + stage_ + "' would have fewer elements", "its shape is " + tuple_of(before),
             "name extents that are at least these");
    }
    if (shape_ == before) {
      refuse("'" + stage_ + "' has this shape", "nothing would be added",
             "name at least one larger extent");
    }
  }

  void require_free() const {
    for (const auto& [name, buffer] : program_->buffers) {
      if (buffer.tensor != stage_ && buffer.stage != stage_) continue;
      refuse("a buffer depends on '" + stage_ + "'",
             buffer.primitive + " at " + buffer.where.to_string() + " made '" + name + "'",
             "pad first, then make buffers");
    }
    const auto& lines = out_.prefetched_lines;
    const bool is_prefetched = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
      return line.tensor == stage_ || line.stage == stage_;
    });
    if (!is_prefetched && is_as_written(out_, stage_)) return;
    refuse("another primitive has changed '" + stage_ + "'",
           "its loops or what it reads are not as they were written", "pad before that");
  }

  /// A program that computes `tensor` of what other stages of this one compute, and those of
  /// `computed` too.
  ProgramAndOrder program_of(const dsl::Tensor& tensor,
                             const std::map<std::string, std::string>& computed = {}) const {
    std::vector<dsl::Tensor> given;
    const auto add_given = [&](const auto& self, const dsl::Tensor& one) -> void {
      for (const dsl::Tensor& input : dsl::inputs_of(one)) {
        if (input->body == nullptr) continue;
        const bool is_theirs = program_->arrays.count(input->storage_name()) != 0;
        if (!is_theirs || computed.count(input->name) != 0) {
          self(self, input);
        } else if (std::find(given.begin(), given.end(), input) == given.end()) {
          given.push_back(input);
        }
      }
    };
    add_given(add_given, tensor);
    return make_program({tensor}, request_.where, given, program_->isl);
  }

  /// Proves that the tensor gets the same values: what computes it now, as a program that computes
  /// instances of the padded one.
  void require_same(const PaddedTensors& made, const Program& padded) const {
    ProgramAndOrder before = program_of(tensor_, made.extended);
    auto plain = std::make_shared<Program>(*before.program);
    for (auto& [name, s] : plain->statements) {
      const auto operand = made.extended.find(s.stage);
      const std::string& stage =
          operand == made.extended.end() ? made.padded->name : operand->second;
      const std::string is = stage + name.substr(s.stage.size());
      s.origin = s.domain.identity().set_range_tuple(is);
      require_same_body(s, padded.statement(is), operand != made.extended.end());
    }
    try {
      const IslBudget budget(program_->ctx(), kProgramBudget);
      const auto breach =
          find_breach(elementwise(padded, padded.reference), elementwise(*plain, plain->reference),
                      extents_of(*plain), request_);
      if (breach) {
        throw InternalError({request_.where, request_.text + " would change a value", "", ""});
      }
    } catch (const isl::exception_quota&) {
      throw undecided(request_, kProgramBudget);
    }
  }

  /// `is` computes as `was`, in its instances; where it is `extended`, within the extents of `was`.
  void require_same_body(const Statement& was, const Statement& is, bool extended) const {
    bool is_same = was.kind == is.kind && was.reduce == is.reduce && was.combiner == is.combiner &&
                   was.writes.size() == is.writes.size();
    for (std::size_t k = 0; is_same && k < was.writes.size(); ++k) {
      const dsl::Expr& value = is.writes[k].value;
      is_same = is_same_value(was, was.writes[k].value, is, extended ? value->operands[1] : value);
    }
    if (!is_same) {
      throw InternalError(
          {request_.where, request_.text + " would compute something else", "", ""});
    }
  }

  State out_;
  const std::string& stage_;
  const std::vector<std::int64_t>& shape_;
  Request request_;
  std::shared_ptr<Program> program_;
  dsl::Tensor tensor_;
};

}  // namespace

PadResult pad(const State& state, const std::string& stage, const std::vector<std::int64_t>& shape,
              const SourceLoc& where) {
  return Padder(state, stage, shape, where).run();
}

}  // namespace solway::schedule
