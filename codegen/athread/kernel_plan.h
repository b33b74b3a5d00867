#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"
#include "support/remark.h"

namespace solway::codegen {

/// What the files of a kernel must declare, found before any text is written.
struct KernelPlan {
  /// An array in main memory: an argument, or static data of the MPE.
  struct MainArray {
    ir::Buffer buffer;
    std::string role;          ///< "in", "out" and "inout" of an argument; "temporary", "constant"
    bool is_per_core = false;  ///< a temporary inside a parallel loop: each core has its own
    std::int64_t copy_elems = 0;  ///< of one copy of a temporary, in whole transactions per core

    bool is_temporary() const { return role == "temporary"; }
    bool is_read_only() const { return role == "in" || role == "constant"; }
  };
  /// The counter of one transfer id.
  struct Reply {
    std::string id;
    int num_slots = 1;
    /// What a wait expects, when every issue makes the same known number of calls.
    std::optional<std::int64_t> calls;
  };

  std::vector<ir::Buffer> ldm;
  std::int64_t shared_bytes = 0;   ///< of the block that buffers of different nests share
  std::vector<ir::Buffer> common;  ///< those that all cores see
  std::vector<MainArray> main;     ///< as the CPEs are told them: arguments, temporaries, constants
  std::vector<Reply> replies;      ///< in order of the first issue
  std::set<std::string> names;     ///< of buffers, loops and lets
  std::set<std::string> used_buffers;  ///< names
  /// Names of LDM buffers that cores pass on whole where a transfer fills some of it only: they
  /// begin with zeros, as the rest has to hold something.
  std::set<std::string> zeroed;
  Remarks remarks;  ///< transfers that loads and stores do
};

/// Throws UnsupportedError for what the machine's C has no form for: a parallel loop inside another
/// one, or inside a loop or an if that reads memory to decide; vector forms, near memories other
/// than those of the options, a buffer of all cores in a network, buffers of Bool, an LDM buffer or
/// a transfer that several nests share. Throws InternalError for buffers that use the same bytes in
/// one nest.
KernelPlan plan_kernel(const ir::Kernel& kernel, const AthreadOptions& options);

/// The values of a let: of a size the bounds that the options state.
ir::Range range_of(const ir::Let& let, const AthreadOptions& options, const ir::Ranges& ranges);

/// True when `var` occurs in `s`.
bool uses_var(const ir::Stmt& s, const std::string& var);

}  // namespace solway::codegen
