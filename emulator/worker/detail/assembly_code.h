#pragma once

#include <map>
#include <string>

#include <llvm/IR/Module.h>

#include "emulator/machine_timing.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {

/// What is known of functions written in assembly, whose machine code is what was written.
using AssemblyCode = std::map<std::string, ProxyFunction>;

/// Reads a source of CPE assembly and adds its functions to the CPE code. Their parameters are
/// those with which C declares or calls them; a function that C does not know takes one pointer.
/// What is wrong or not known in the source ends the process.
///
///   before: declare void @scale(ptr, i32)                  scale: vldd $1,0($16)
///   after:  define void @scale(ptr %0, i32 %1) { ... load <4 x i64>, ptr ... }
///
/// Registers become values; a load is volatile in loops that do nothing but load, compute and
/// branch. Needs: a C source beside it, for what a target is called and how its data lie.
void add_assembly(llvm::Module& cpe, const std::string& path, const MachineTiming& timing,
                  AssemblyCode& code);

}  // namespace solway::emulator
