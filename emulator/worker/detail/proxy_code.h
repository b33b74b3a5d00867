#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "emulator/machine_timing.h"
#include "emulator/worker/block_times.h"
#include "emulator/worker/detail/proxy_machine.h"

namespace solway::emulator {

struct ProxyFunction {
  std::uint64_t frame_bytes = 0;
  std::vector<CodeBlock> blocks;  ///< in the order of the code; the first is the entry
};

/// What stands in for the machine code of a computing core.
struct ProxyCode {
  int registers = 0;
  std::map<std::string, ProxyFunction> functions;
};

/// Gives a lane of the message that was taken last; part of a get.
inline constexpr const char* kMessageLane = "__solway_message";

/// The core's instructions that take the place of such calls, and of sending.
inline constexpr const char* kReceive = "get";
inline constexpr const char* kReadId = "id";
inline constexpr const char* kReadCounter = "rcsr";
inline constexpr const char* kWiden = "widen";
inline constexpr const char* kNarrow = "narrow";

/// Makes the calls that stand for one instruction of a computing core one instruction: register
/// messages, the number of the core and its cycle counter. `vector`: the constraint of a vector
/// register.
///
///   before: call void @__solway_putr(i64 %a, i64 %b, i64 %c, i64 %d, i32 8)
///   after:  call void asm sideeffect "put", "f,r"(<4 x i64> %v, i32 8)
void use_instructions(llvm::Module& module, const std::string& vector);

/// Makes each conversion between vectors of 4 floats and of 4 doubles one instruction. Registers of
/// a computing core hold a float as a double, so nothing but the rounding remains of them; LLVM
/// would convert the lanes one by one.
///
///   before: %d = fpext <4 x float> %f to <4 x double>
///   after:  %d = call <4 x double> asm "widen", "=f,f"(<4 x float> %f)
void use_conversions(llvm::Module& module, const std::string& vector);

/// Compiles a copy of the module for the machine that stands in for a core. Of what that needs two
/// instructions for where the core has one, a load that is then spread over a vector, one is left.
/// `timing`: how long its instructions take.
///
/// Needs: blocks have names of their own within their function, where names are asked for.
ProxyCode compile_for_proxy(const llvm::Module& module, const ProxyMachine& proxy,
                            const MachineTiming& timing = {});

}  // namespace solway::emulator
