#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <llvm/IR/Module.h>

#include "emulator/worker/block_times.h"

namespace solway::emulator {

/// How long the instructions of a computing core take, in cycles.
struct InstructionTimes {
  int load = 4;           ///< from the LDM
  int floating = 7;       ///< add, subtract, multiply, multiply-add, compare, convert
  int multiply = 5;       ///< of integers
  int vector = 1;         ///< integer and logical operations on vectors, shuffles, moves
  int divide_float = 34;  ///< not pipelined; roots too
  int divide_integer = 70;
  int message = 4;         ///< from the get of a message that is there to its use
  int library_call = 100;  ///< of the C library, where the compiler makes one of an operation
};

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

/// Makes the calls that stand for one instruction of a computing core one instruction: register
/// messages, and the number of the core.
///
///   before: call void @__solway_putr(i64 %a, i64 %b, i64 %c, i64 %d, i32 8)
///   after:  call void asm sideeffect "put", "f,r"(<4 x i64> %v, i32 8)
void use_instructions(llvm::Module& module);

/// Compiles a copy of the module for LoongArch with LASX, the nearest instruction set: 32 vector
/// registers of 256 bits, loads and stores with an offset, multiply-add of four operands. Of what
/// it needs two instructions for where the core has one, a load that is then spread over a vector,
/// one is left.
///
/// Needs: blocks have names of their own within their function, where names are asked for.
ProxyCode compile_for_proxy(const llvm::Module& module, const InstructionTimes& times = {});

}  // namespace solway::emulator
