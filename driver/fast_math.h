#pragma once

#include <map>
#include <string>
#include <vector>

#include "dsl/plane_convolution.h"
#include "dsl/tensor.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// Results of a tile in each direction: F(4 x 4, 3 x 3).
constexpr int kWinogradOutputs = 4;

/// Cycles of one core of a vector CPU by a model: of a convolution as it is written, its products
/// at the rate of the multiply-add pipes.
double direct_cycles(const dsl::PlaneConvolution& convolution, DType type, const Target& target);

/// The same of the stages of dsl::winograd: products, transforms, and the transformed weights,
/// which come from memory.
double winograd_cycles(const dsl::PlaneConvolution& convolution, int outputs, DType type,
                       const Target& target);

/// Tensors of which some are computed by another algorithm.
struct ExchangedAlgorithms {
  std::vector<dsl::Tensor> outputs;
  std::map<dsl::Tensor, dsl::Tensor> by;  ///< the tensors that were exchanged, outputs included
  Remarks remarks;                        ///< what was exchanged, its error, and what was not
};

/// What fast_math=True allows of `outputs` on a vector CPU: convolutions of 3 x 3 taps by minimal
/// filtering where the model says that it is faster. For other targets the tensors as they are.
ExchangedAlgorithms exchange_algorithms(const std::vector<dsl::Tensor>& outputs,
                                        const Target& target, const SourceLoc& where);

}  // namespace solway::driver
