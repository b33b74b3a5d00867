#include "schedule/padded_tensors.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "dsl/affine.h"
#include "schedule/as_written.h"
#include "schedule/substitution.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using dsl::Axis;
using dsl::Expr;
using dsl::ExprKind;
using dsl::Tensor;

std::vector<Expr> refs_of(const std::vector<Axis>& axes) {
  std::vector<Expr> out;
  for (const Axis& axis : axes) out.push_back(dsl::make_axis_ref(axis, axis->where));
  return out;
}

dsl::Extents extents_of(const std::vector<std::int64_t>& shape) {
  return {shape.begin(), shape.end()};
}

/// The values of a body, each with the axes over which it is taken.
std::vector<std::pair<Expr, std::vector<Axis>>> values_of(const Expr& body,
                                                          const std::vector<Axis>& axes) {
  if (body->kind != ExprKind::Reduce) return {{body, axes}};
  std::vector<Axis> all = axes;
  all.insert(all.end(), body->axes.begin(), body->axes.end());
  std::vector<std::pair<Expr, std::vector<Axis>>> out;
  for (const Expr& operand : body->operands) out.emplace_back(operand, all);
  return out;
}

class Maker {
 public:
  Maker(const State& state, const Tensor& stage, const std::vector<std::int64_t>& shape,
        const Request& request)
      : state_(state), program_(*state.program), stage_(stage), shape_(shape), request_(request) {}

  PaddedTensors run() {
    std::vector<Axis> axes;
    Substitution larger(Substitution::Reads::Copy);
    for (std::size_t k = 0; k < shape_.size(); ++k) {
      const Axis& axis = stage_->axis[k];
      axes.push_back(dsl::make_axis(axis->name, dsl::AxisKind::Spatial, 0, shape_[k], axis->where));
      larger.replace(axis, dsl::make_axis_ref(axes.back(), axis->where));
    }
    const Expr body = larger(stage_->body);
    Substitution redirected(Substitution::Reads::Copy);
    for (const auto& [value, around] : values_of(body, axes)) {
      find_reads(value, {stage_->name, around});
    }
    for (const Tensor& tensor : order_) pad_operand(tensor, redirected);
    out_.padded = dsl::make_compute(extents_of(shape_), axes, redirected(body),
                                    unused_name(stage_->name), stage_->where);
    out_.copy =
        dsl::make_compute(extents_of(stage_->shape), stage_->axis,
                          dsl::make_read(out_.padded, refs_of(stage_->axis), request_.where),
                          stage_->name, request_.where);
    return std::move(out_);
  }

 private:
  struct Reads {
    std::vector<Expr> nodes;
    std::vector<std::int64_t> shape;  ///< that holds all elements that are read
  };

  [[noreturn]] void fail(const std::string& why, const std::string& fix) const {
    throw cannot_pad(request_, stage_->name, why, fix);
  }

  void find_reads(const Expr& value, const dsl::AffineScope& scope) {
    const isl::ctx ctx = program_.ctx();
    const isl::set domain = dsl::domain_of(ctx, scope);
    for (const dsl::Access& access : dsl::reads_of(ctx, value, scope)) {
      const Tensor& tensor = access.read->tensor;
      if (program_.arrays.count(tensor->storage_name()) == 0) {
        fail("'" + tensor->name + "' was padded, and it reads what took its place",
             "pad '" + stage_->name + "' before '" + tensor->name + "'");
      }
      if (tensor->updated_by.lock()) {
        fail("it reads '" + tensor->name + "', which is changed in place later",
             "leave it as it is, or read a copy");
      }
      if (!access.is_exact) {
        fail("it reads '" + tensor->name + "' at an index that depends on data",
             "leave it as it is: what lies beyond the tensor is not known");
      }
      const auto [at, is_new] = reads_.emplace(tensor, Reads{{}, tensor->shape});
      if (is_new) order_.push_back(tensor);
      at->second.nodes.push_back(access.read);
      const isl::set elements = access.relation.intersect_domain(domain).range();
      for (std::size_t k = 0; k < tensor->shape.size(); ++k) {
        const auto dim = static_cast<int>(k);
        if (isl_ext::try_dim_min(elements, dim).value_or(0) < 0) {
          fail("it would read '" + tensor->name + "' before its first element",
               "pad a dimension along which no index falls");
        }
        std::int64_t& extent = at->second.shape[k];
        extent = std::max(extent, isl_ext::try_dim_max(elements, dim).value_or(-1) + 1);
      }
    }
  }

  /// Makes the tensor that is read in the place of one that has too few elements.
  void pad_operand(const Tensor& tensor, Substitution& redirected) {
    const Reads& reads = reads_.at(tensor);
    if (reads.shape == tensor->shape) return;
    std::vector<Axis> axes;
    for (std::size_t k = 0; k < tensor->shape.size(); ++k) {
      std::string name = name_along(reads, k);
      const auto is_taken = [&](const Axis& axis) { return axis->name == name; };
      while (std::any_of(axes.begin(), axes.end(), is_taken)) name += "_";
      axes.push_back(
          dsl::make_axis(name, dsl::AxisKind::Spatial, 0, reads.shape[k], request_.where));
    }
    Expr inside;
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (reads.shape[k] == tensor->shape[k]) continue;
      const Expr end = dsl::make_int(tensor->shape[k], DType::Int64, true, request_.where);
      const Expr one = dsl::make_binary(BinaryOp::Lt, dsl::make_axis_ref(axes[k], request_.where),
                                        end, request_.where);
      inside = inside ? dsl::make_binary(BinaryOp::And, inside, one, request_.where) : one;
    }
    const std::string name = unused_name(tensor->name);
    if (may_extend(tensor)) out_.extended.emplace(tensor->name, name);
    const ReduceOp neutral = tensor->type == DType::Bool ? ReduceOp::Any : ReduceOp::Sum;
    const Expr body = dsl::make_select(inside, value_of(tensor, axes),
                                       dsl::identity_of(neutral, tensor->type), request_.where);
    const Tensor padded =
        dsl::make_compute(extents_of(reads.shape), axes, body, name, request_.where);
    for (const Expr& read : reads.nodes) {
      redirected.replace(read, dsl::make_read(padded, read->operands, read->where));
    }
    out_.operands.push_back(padded);
  }

  /// The axis that runs along a dimension wherever the tensor is read, or "d1".
  std::string name_along(const Reads& reads, std::size_t dim) const {
    const Expr& index = reads.nodes.front()->operands[dim];
    const auto is_same = [&](const Expr& one) {
      return one->kind == ExprKind::AxisRef && one->axis->name == index->axis->name;
    };
    const std::vector<Expr>& all = reads.nodes.front()->operands;
    const bool is_axis = index->kind == ExprKind::AxisRef;
    const bool is_name = is_axis && std::count_if(all.begin(), all.end(), is_same) == 1;
    return is_name ? index->axis->name : "d" + std::to_string(dim);
  }

  Expr value_of(const Tensor& tensor, const std::vector<Axis>& axes) const {
    if (out_.extended.count(tensor->name) == 0) {
      return dsl::make_read(tensor, refs_of(axes), request_.where);
    }
    Substitution moved(Substitution::Reads::Copy);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      moved.replace(tensor->axis[k], dsl::make_axis_ref(axes[k], request_.where));
    }
    return moved(tensor->body);
  }

  /// Whether a stage is there for this one alone, and may be computed where this one is.
  bool may_extend(const Tensor& tensor) const {
    if (!program_.has_stage(tensor) || tensor->is_update() || tensor->self || tensor->domain ||
        tensor->tuple != nullptr) {
      return false;
    }
    const std::vector<std::string> names = statements_of(state_, tensor->name);
    if (names.size() != 1 || !is_as_written(state_, tensor->name)) return false;
    const Statement& s = program_.statement(names.front());
    const Array& array = program_.array(tensor->name);
    if (s.kind != StatementKind::Compute || program_.is_output(array) ||
        program_.is_updated(array)) {
      return false;
    }
    const auto is_fixed = [&](const Operand& operand) {
      const auto array = program_.arrays.find(operand.read->tensor->storage_name());
      return operand.is_exact && array != program_.arrays.end() &&
             !program_.is_updated(array->second);
    };
    if (!std::all_of(s.reads.begin(), s.reads.end(), is_fixed)) return false;
    const std::vector<Tensor> inputs = dsl::inputs_of(tensor);
    const bool reads_them = std::all_of(s.reads.begin(), s.reads.end(), [&](const Operand& o) {
      return std::find(inputs.begin(), inputs.end(), o.read->tensor) != inputs.end();
    });
    if (!reads_them) return false;
    const auto& all = program_.statements;
    return std::none_of(all.begin(), all.end(), [&](const auto& named) {
      return named.second.stage != stage_->name && named.second.reads_from(tensor->name);
    });
  }

  std::string unused_name(const std::string& tensor) const {
    for (int k = 1;; ++k) {
      const std::string name = tensor + "_pad" + (k == 1 ? "" : std::to_string(k));
      const bool is_taken =
          program_.arrays.count(name) != 0 || program_.statements.count(name) != 0 ||
          std::any_of(out_.operands.begin(), out_.operands.end(),
                      [&](const Tensor& operand) { return operand->name == name; });
      if (!is_taken) return name;
    }
  }

  const State& state_;
  const Program& program_;
  const Tensor& stage_;
  const std::vector<std::int64_t>& shape_;
  const Request& request_;
  PaddedTensors out_;
  std::vector<Tensor> order_;
  std::map<Tensor, Reads> reads_;
};

}  // namespace

UnsupportedError cannot_pad(const Request& request, const std::string& stage,
                            const std::string& why, const std::string& fix) {
  return UnsupportedError(
      {request.where, request.text + ": '" + stage + "' cannot be padded", why, fix});
}

PaddedTensors padded_tensors(const State& state, const Tensor& stage,
                             const std::vector<std::int64_t>& shape, const Request& request) {
  return Maker(state, stage, shape, request).run();
}

}  // namespace solway::schedule
