#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "codegen/athread/detail/c_names.h"
#include "lowering/ir/stmt.h"

namespace solway::codegen {

/// How cores of a machine reach each other.
enum class CorePaths : std::uint8_t {
  None,
  Registers,  ///< SW26010: 256 bits at a time, along rows and columns
  Copies      ///< SW26010-Pro: from LDM to LDM
};

/// What every part of an exchange consists of.
enum class PartGrain : std::uint8_t {
  Messages,  ///< it begins and ends at a multiple of 32 bytes
  Words,     ///< the same of 4 bytes
  Bytes
};

/// The C functions that pass the parts of a region along a row or a column of cores.
class ExchangeFunctions {
 public:
  ExchangeFunctions(CNames& names, CorePaths paths) : names_(names), paths_(paths) {}

  /// The function for exchanges along `line` of parts of `grain`.
  std::string name_of(ir::MeshLine line, PartGrain grain);
  /// Those that have been asked for.
  std::string definitions() const;
  /// Whether they need the vectors of simd.h.
  bool needs_vectors() const { return paths_ == CorePaths::Registers && !functions_.empty(); }

 private:
  CNames& names_;
  CorePaths paths_;
  std::map<std::pair<ir::MeshLine, PartGrain>, std::string> functions_;
};

}  // namespace solway::codegen
