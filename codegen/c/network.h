#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// Kernels that one program runs in order, and where the arrays between them lie.
struct Network {
  /// What a kernel gets for one of its parameters: one of the network's, or a place in its area.
  struct Operand {
    bool is_param = false;
    std::size_t param = 0;          ///< which of Network::params
    std::int64_t offset_bytes = 0;  ///< from the start of the area
  };
  struct Layer {
    std::string name;               ///< of the kernel's function
    std::vector<ir::Param> params;  ///< the kernel's
    std::vector<Operand> operands;  ///< one for each
  };

  std::string name;
  std::vector<ir::Param> params;  ///< what the caller gives
  std::vector<bool> brought;      ///< whether the caller brings values, per parameter
  std::vector<Layer> layers;
  std::int64_t area_bytes = 0;  ///< shared by all temporary arrays
  int alignment_bytes = 64;     ///< of the area
};

/// What the C of a network writes in another way for each machine.
struct NetworkStyle {
  std::string result;                                   ///< "int32_t"
  std::function<std::string(DType)> type;               ///< "float"
  std::function<bool(const std::string&)> is_reserved;  ///< words that name nothing else
  std::string header_lines;                             ///< of the header, before the entry
  std::vector<std::string> includes;                    ///< of the entry, whole lines
  std::vector<std::string> start;                       ///< statements before the first layer
  /// The definition of the area from its declarator, "area[4096]", without ';'; empty: each call
  /// has its own, from malloc.
  std::function<std::string(const std::string& declarator)> area = {};
};

/// <name>.h: the entry's prototype.
std::string network_header(const Network& network, const NetworkStyle& style);

/// <name>.c: the entry, which calls the layers in order and returns what the first one returns that
/// is not 0, or 1 where there is no memory for the area.
///
///   int net(const float *x, float *y) {
///     int status = net_conv(x, (float *)area);
///     ...
std::string network_entry(const Network& network, const NetworkStyle& style);

/// <name>_main.c: a program that reads each input from <folder>/<input>.bin, elements in memory
/// order, runs the entry and writes each output to <folder>/<output>.bin. Standard C99.
std::string network_main(const Network& network, const NetworkStyle& style);

}  // namespace solway::codegen
