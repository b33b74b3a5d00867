#include "driver/pipeline.h"

#include "lowering/ir/simplify.h"
#include "lowering/remove_unit_loops.h"
#include "lowering/simplify_bounds.h"
#include "lowering/unroll_loops.h"

namespace solway::driver {
namespace {

/// A pass that makes no remarks.
template <typename Function>
auto quiet(Function function) {
  return [function](const ir::Stmt& s, Remarks&) { return function(s); };
}

/// Bits of a vector register of this machine; 128 where nothing else is known.
int host_vector_bits() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0) return 512;
  if (__builtin_cpu_supports("avx2") != 0) return 256;
#endif
  return 128;
}

}  // namespace

std::vector<Pass> passes_for(const lowering::LanesPerType& lanes) {
  std::vector<Pass> out = {{"simplify_bounds", quiet(lowering::simplify_bounds),
                            ir::Stage::AfterLowering, "constant extents tell vectors from tails"}};
  if (!lanes.empty()) {
    out.push_back({"vectorize_loops",
                   [lanes](const ir::Stmt& s, Remarks& remarks) {
                     return lowering::vectorize_loops(s, lanes, remarks);
                   },
                   ir::Stage::AfterVectorize, "before unrolling, which would hide the loop"});
    out.push_back({"unroll_loops", lowering::unroll_loops, ir::Stage::AfterUnroll,
                   "copies of vector code are smaller than copies of scalar code"});
  }
  out.push_back({"remove_unit_loops", quiet(lowering::remove_unit_loops), out.back().stage,
                 "splits by the extent leave loops of one iteration"});
  out.push_back({"simplify", quiet([](const ir::Stmt& s) { return ir::simplify(s); }),
                 out.back().stage, "the loops that went leave constants in indices"});
  return out;
}

ir::Kernel run_passes(ir::Kernel kernel, const std::vector<Pass>& passes, Remarks& remarks) {
  ir::verify(kernel, ir::Stage::AfterLowering);
  for (const Pass& pass : passes) {
    kernel.body = pass.run(kernel.body, remarks);
    ir::verify(kernel, pass.stage);
  }
  return kernel;
}

lowering::LanesPerType host_lanes() {
  lowering::LanesPerType out;
  for (const DType type :
       {DType::Int8, DType::Int32, DType::Int64, DType::Float32, DType::Float64}) {
    out[type] = host_vector_bits() / 8 / size_bytes(type);
  }
  return out;
}

}  // namespace solway::driver
