#pragma once

#include <map>
#include <string>

#include "codegen/athread/options.h"
#include "lowering/ir/stmt.h"
#include "support/remark.h"

namespace solway::codegen {

/// A kernel as C for SW26010, SW26010-Pro or a machine with the generic interface, by file name:
///
///   <name>.h      the parameter struct and the entry's prototype
///   <name>.c      MPE: int <name>(const float *A, ..., float *C), which starts all CPEs once
///   <name>_cpe.c  CPE: the parameters read into the LDM, the loops, the transfers
///   <name>_kernels.s  micro-kernels of the CPEs, where it has any
///   kernel.toml   what the emulator needs to know
///   Makefile      builds lib<name>.a with the machine's compiler
///
/// The generic interface has no CPEs but cores: their file is <name>_core.c.
///
/// Core `id` runs its chunk of each parallel loop. All cores run the loops and conditions around
/// parallel loops and barriers; core 0 alone runs what holds neither. A barrier is one of the whole
/// array. Parameters without dimensions are arrays of one element. The entry is not
/// reentrant.
///
/// A layer of a network has neither kernel.toml nor Makefile; see emit_athread_network().
///
/// Adds a remark to `remarks`, unless it is null, for each transfer that the DMA engine cannot do
/// and loads and stores do instead.
///
/// Throws UnsupportedError for what plan_kernel() refuses and for a kernel name that C reserves.
std::map<std::string, std::string> emit_athread(const ir::Kernel& kernel,
                                                const AthreadOptions& options = {},
                                                Remarks* remarks = nullptr);

}  // namespace solway::codegen
