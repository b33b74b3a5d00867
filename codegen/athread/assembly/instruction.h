#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace solway::codegen::assembly {

/// A register: 0 to 31 are those of the core, others stand for ones that are still to be found.
using Register = int;

inline constexpr Register kStackPointer = 30;
inline constexpr Register kZero = 31;
inline constexpr Register kFirstVirtual = 32;

/// The pipes of a computing core: Zero has the arithmetic of vectors, One loads, stores and
/// branches; either adds integers.
enum class Pipe : std::uint8_t { Zero, One, Either };

/// Instructions of docs/cpe_assembly.md that the generator writes.
enum class Opcode : std::uint8_t {
  Vlds,  ///< 4 floats
  Vldd,  ///< 4 doubles
  Ldse,  ///< a float in every lane
  Ldde,  ///< a double in every lane
  Vsts,
  Vstd,
  Vmas,  ///< d = a b + c of floats
  Vmad,  ///< of doubles
  Ldl,   ///< 8 bytes
  Stl,
  Ldi,   ///< d = b + n
  Subw,  ///< d = a - n
  Mov,
  Ble,  ///< branch if a <= 0
  Bgt,  ///< branch if a > 0
  Ret
};

struct Instruction {
  Opcode opcode = Opcode::Mov;
  std::optional<Register> writes;
  std::vector<Register> reads;  ///< in the order of the operands; of a store the value first
  std::int64_t number = 0;      ///< what is added to an address, or taken off
  std::string label;            ///< where a branch goes
  /// The place in memory that it loads or stores; places of different names are apart.
  std::string memory;
};

/// What takes how many cycles, from its issue to the first use of what it writes.
struct Latencies {
  int load_cycles = 4;
  int fma_cycles = 7;
};

Pipe pipe_of(Opcode opcode);
int latency_of(Opcode opcode, const Latencies& latencies);
bool is_store(Opcode opcode);
bool is_branch(Opcode opcode);

/// "vmas $1,$2,$3,$3"
std::string to_string(const Instruction& instruction);

}  // namespace solway::codegen::assembly
