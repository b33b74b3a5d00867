#include "schedule/micro_kernel.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "dsl/tensor.h"
#include "schedule/legality.h"
#include "schedule/tensorize.h"
#include "support/error.h"

namespace solway::schedule {
namespace {

using dsl::ExprKind;

[[noreturn]] void refuse(const Request& request, const std::string& what, const std::string& why,
                         const std::string& fix) {
  throw UnsupportedError({request.where, request.text + ": " + what, why, fix});
}

/// The update in the loops; an initialisation is left to match_intrinsic.
const Placement& update_in(const State& state, LoopId axis, const Request& request) {
  const Placement* sum = nullptr;
  const Placement* other = nullptr;
  for (const Placement& p : state.order.placements) {
    const bool is_inside = std::find(p.path.begin(), p.path.end(), axis) != p.path.end();
    const Statement& s = state.program->statement(p.statement);
    if (!is_inside || s.kind == StatementKind::Init) continue;
    const bool is_sum = sum == nullptr && s.kind == StatementKind::Update && !s.is_merge();
    (is_sum ? sum : other) = &p;
  }
  if (sum == nullptr) {
    refuse(request, "'" + loop_name(state, axis) + "' adds nothing up",
           "a micro-kernel stands for C[i, j] += A[i, k] * B[k, j]",
           "leave it out, or name a loop around such a sum");
  }
  if (other != nullptr) {
    refuse(request, "'" + loop_name(state, axis) + "' runs '" + other->statement + "' too",
           "a micro-kernel stands for one sum of products and nothing else",
           "reorder so that other statements and transfers stand outside");
  }
  return *sum;
}

/// The two factors have vectors, and the sum is one of their products.
void require_product(const Statement& s, const Request& request) {
  const dsl::Expr& value = s.writes[0].value;
  const bool is_sum = s.reduce == ReduceOp::Sum && !s.combiner && s.writes.size() == 1;
  const bool is_product =
      is_sum && value->kind == ExprKind::Binary && value->binary == BinaryOp::Mul &&
      value->operands[0]->kind == ExprKind::Read && value->operands[1]->kind == ExprKind::Read;
  if (!is_product) {
    refuse(request, "the loops are no product of matrices",
           "they combine " + dsl::to_string(value) +
               "; a micro-kernel adds up products of two elements",
           "compute the operands in stages of their own");
  }
  if (value->type != DType::Float32 && value->type != DType::Float64) {
    refuse(request, "a product of " + std::string(to_string(value->type)),
           "micro-kernels are of float32 and float64", "leave it out for this type");
  }
}

}  // namespace

std::shared_ptr<const Intrinsic> micro_kernel_of(const State& state, LoopId axis,
                                                 const Request& request) {
  const Placement& placement = update_in(state, axis, request);
  const Statement& s = state.program->statement(placement.statement);
  require_product(s, request);

  std::vector<std::int64_t> spatial, reduce;
  std::string loops;
  for (auto at = std::find(placement.path.begin(), placement.path.end(), axis);
       at != placement.path.end(); ++at) {
    const Loop& loop = state.order.loop(*at);
    loops += (loops.empty() ? "" : ", ") + loop.name + " of " + std::to_string(loop.extent());
    if (loop.extent() == 1) continue;
    (loop.kind == dsl::AxisKind::Reduce ? reduce : spatial).push_back(loop.extent());
  }
  if (spatial.size() > 2 || reduce.size() > 3) {
    refuse(request, "too many loops for a product of matrices",
           "they are " + loops + "; a micro-kernel has two over elements and three that add up",
           "reorder so that the others stand outside");
  }
  spatial.resize(2, 1);
  if (reduce.empty()) reduce.push_back(1);

  const DType type = s.writes[0].value->type;
  const SourceLoc& where = request.where;
  const auto i =
      dsl::make_axis("i", dsl::AxisKind::Spatial, dsl::Extent(0), dsl::Extent(spatial[0]), where);
  const auto j =
      dsl::make_axis("j", dsl::AxisKind::Spatial, dsl::Extent(0), dsl::Extent(spatial[1]), where);
  const auto at = [&](const dsl::Axis& axis_of) { return dsl::make_axis_ref(axis_of, where); };
  std::vector<dsl::Axis> added;  // rounds, then k
  dsl::Extents a_shape = {spatial[0]}, b_shape;
  std::vector<dsl::Expr> a_index = {at(i)}, b_index;
  std::string extents;
  for (std::size_t n = 0; n < reduce.size(); ++n) {
    added.push_back(dsl::make_axis(n + 1 == reduce.size() ? "k" : "r" + std::to_string(n),
                                   dsl::AxisKind::Reduce, dsl::Extent(0), dsl::Extent(reduce[n]),
                                   where));
    for (dsl::Extents* shape : {&a_shape, &b_shape}) shape->emplace_back(reduce[n]);
    for (std::vector<dsl::Expr>* index : {&a_index, &b_index}) index->push_back(at(added.back()));
    extents += "x" + std::to_string(reduce[n]);
  }
  b_shape.emplace_back(spatial[1]);
  b_index.push_back(at(j));
  const dsl::Tensor a = dsl::make_placeholder(a_shape, type, "A", where);
  const dsl::Tensor b = dsl::make_placeholder(b_shape, type, "B", where);
  const dsl::Expr product = dsl::make_binary(BinaryOp::Mul, dsl::make_read(a, a_index, where),
                                             dsl::make_read(b, b_index, where), where);
  const dsl::Tensor c =
      dsl::make_compute({spatial[0], spatial[1]}, {i, j},
                        dsl::make_reduce(ReduceOp::Sum, product, added, where), "C", where);
  Intrinsic out;
  out.name =
      "micro_kernel_" + std::to_string(spatial[0]) + "x" + std::to_string(spatial[1]) + extents;
  out.tensor = c;
  out.where = where;
  out.is_micro_kernel = true;
  return std::make_shared<const Intrinsic>(std::move(out));
}

State tensorize_micro_kernel(const State& state, const std::string& stage, LoopId axis,
                             const SourceLoc& where) {
  require_loop(state, stage, axis, "tensorize", where);
  const Request request{"tensorize(" + loop_name(state, axis) + ", micro_kernel())", where};
  return tensorize(state, stage, axis, micro_kernel_of(state, axis, request), where);
}

}  // namespace solway::schedule
