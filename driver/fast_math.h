#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dsl/plane_convolution.h"
#include "dsl/tensor.h"
#include "support/remark.h"
#include "support/target.h"

namespace solway::driver {

/// Cycles of one core of a vector CPU by a model: of a convolution as it is written, its products
/// at the rate of the multiply-add pipes, and its weights from memory where no near cache holds
/// them.
double direct_cycles(const dsl::PlaneConvolution& convolution, DType type, const Target& target);

/// The same of the stages of dsl::winograd: products, transforms, and the transformed weights.
double winograd_cycles(const dsl::PlaneConvolution& convolution, int outputs, DType type,
                       const Target& target);

/// Tensors of which some are computed by another algorithm.
struct ExchangedAlgorithms {
  std::vector<dsl::Tensor> outputs;
  std::map<dsl::Tensor, dsl::Tensor> by;  ///< the tensors that were exchanged, outputs included
  Remarks remarks;                        ///< what was exchanged, its error, and what was not
};

/// What fast_math=True allows of `outputs` on a vector CPU: convolutions of 3 x 3 taps by minimal
/// filtering where the model says that it is faster, and sums of products without those that a
/// choice of 0 is a factor of, as beyond a border, whatever the other factors are. Of a convolution
/// C, transforming the weights counts unless C_U is `given`. For other targets the tensors as they
/// are.
ExchangedAlgorithms exchange_algorithms(const std::vector<dsl::Tensor>& outputs,
                                        const Target& target, const std::set<std::string>& given,
                                        const SourceLoc& where);

}  // namespace solway::driver
