#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "codegen/athread/options.h"
#include "driver/build.h"
#include "driver/executable.h"
#include "driver/lower_kernel.h"
#include "lowering/ir/stmt.h"
#include "schedule/state.h"
#include "support/remark.h"
#include "support/target.h"

/// What each code generator is given for a schedule on a target.
namespace solway::driver {

/// Machine code of this machine, or of the one that the target describes. Parameters in `shared`
/// may be the memory of another one.
std::shared_ptr<Executable> compile_with_llvm(const ir::Kernel& kernel, const Target& target,
                                              const BuildOptions& options,
                                              std::set<std::string> shared, Remarks& remarks,
                                              const SourceLoc& where);

/// Portable C, with the directives of the target, and a remark for each loop that it runs in
/// another way.
std::string c_source(const LoweredKernel& lowered, const schedule::Order& order,
                     const Target& target, const BuildOptions& options,
                     std::set<std::string> shared, Remarks& remarks);

/// For a target of computing cores with scratchpads; of a layer, with the name of its network, in
/// whose block all buffers lie. Throws UnsupportedError when there is no scratchpad.
codegen::AthreadOptions athread_options(const Target& target, const schedule::State& state,
                                        const SourceLoc& where,
                                        const std::optional<std::string>& network = {});

/// Adds what emit_athread() remarked, by the primitives that made the transfers.
void add_transfer_remarks(Remarks made, const schedule::Program& program, Remarks& remarks);

}  // namespace solway::driver
