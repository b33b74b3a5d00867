#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/c/network.h"
#include "dsl/tensor.h"
#include "lowering/ir/stmt.h"
#include "schedule/state.h"
#include "support/source_loc.h"

namespace solway::driver {

/// One kernel of a network: a schedule, and its arguments in order.
struct NetworkLayer {
  schedule::State state;
  std::vector<dsl::Tensor> args;
};

/// An array of the area that all layers share: a tensor from one layer to another, or a temporary
/// of one.
struct NetworkArray {
  std::string name;
  std::int64_t size_bytes = 0;
  std::int64_t offset_bytes = 0;
  int first = 0;  ///< the layer that writes it first
  int last = 0;   ///< the last one that uses it
};

/// Layers that pass on tensors to each other.
struct JoinedLayers {
  codegen::Network network;
  std::vector<dsl::Tensor> params;   ///< of the network: inputs as they are met, then outputs
  std::vector<NetworkArray> arrays;  ///< of the area, as they are met
  std::int64_t least_bytes = 0;      ///< the most in use at one time: no area is smaller
  std::int64_t apart_bytes = 0;      ///< of all arrays without sharing
};

/// "net_conv1": the function of a layer, after its first output; a number tells equal ones apart.
std::vector<std::string> layer_names(const std::string& network,
                                     const std::vector<NetworkLayer>& layers);

/// Joins layers by the tensors that they have in common: what a layer writes, later ones read. A
/// tensor that a layer reads and none has written before comes from the caller. Tensors of
/// `outputs` go to the caller, else those that a layer writes and none reads later; all others lie
/// in the area, and those whose lives do not meet share bytes. `kernels` are the layers lowered,
/// with their temporaries behind their arguments.
///
/// Throws ArgumentMismatchError when no layer writes an output, a layer reads what only a later one
/// writes, two layers compute one tensor, or two tensors share a name.
JoinedLayers join_layers(const std::string& name, const std::vector<NetworkLayer>& layers,
                         const std::vector<ir::Kernel>& kernels,
                         const std::vector<dsl::Tensor>& outputs, int alignment_bytes,
                         const SourceLoc& where);

}  // namespace solway::driver
