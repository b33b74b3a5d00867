#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "codegen/athread/options.h"
#include "codegen/c/network.h"
#include "support/remark.h"

namespace solway::codegen {

/// A layer of a network for a machine of two sides.
struct AthreadLayer {
  ir::Kernel kernel;       ///< of the name and parameters of its Network::Layer
  AthreadOptions options;  ///< with `network`
};

struct AthreadNetwork {
  /// By name:
  ///
  ///   <layer>.h, <layer>.c, <layer>_cpe.c, ...  of each layer, see emit_athread()
  ///   <net>.h, <net>.c       MPE: starts the machine, calls the layers in order
  ///   <net>_ldm.c            CPE: the LDM that all layers use, one after the other
  ///   <net>_main.c           MPE: a program that loads inputs from files and stores outputs
  ///   kernel.toml, Makefile
  std::map<std::string, std::string> files;
  std::vector<Remarks> remarks;  ///< of each layer
  std::int64_t near_bytes = 0;   ///< of one core: the block, and what layers keep besides
};

/// Needs: the options of all layers are alike but for near_offsets; there is a layer.
AthreadNetwork emit_athread_network(const Network& network,
                                    const std::vector<AthreadLayer>& layers);

}  // namespace solway::codegen
