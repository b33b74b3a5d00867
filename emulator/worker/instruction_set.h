#pragma once

#include <cstdint>
#include <string>

#include "emulator/machine_timing.h"
#include "emulator/worker/issue_pipeline.h"

namespace solway::emulator {

/// What the operands of an instruction are, in their order: d is written, all others are read; n is
/// a register or a number, o(b) an address.
enum class Form : std::uint8_t {
  Nothing,
  Load,          ///< d, o(b)
  LoadAndSend,   ///< d, o(b)
  Store,         ///< s, o(b)
  LoadAddress,   ///< d, o(b): the address itself
  Scalars,       ///< a, n, d
  ScalarFloats,  ///< a, b, d
  ScalarSelect,  ///< c, n, y, d
  ScalarCopy,    ///< n, d
  Fused,         ///< a, b, c, d
  Vectors,       ///< a, b, d
  VectorShift,   ///< a, number, d
  VectorSelect,  ///< c, x, y, d
  VectorCopy,    ///< a, d
  Insert,        ///< x, v, number, d
  Extract,       ///< v, number, d
  Shuffle,       ///< high, low, n, d
  Send,          ///< v, n
  Receive,       ///< d
  Meet,          ///< n
  ReadRegister,  ///< d, number
  Branch,        ///< a, label
  Jump,          ///< $31, label
  Call,          ///< $26, name
  Return
};

/// The parts of MachineTiming that latencies come from.
enum class Latency : std::uint8_t {
  One,
  Load,
  Float,
  Multiply,
  Vector,
  Divide,  ///< not pipelined
  Receive,
  Counter
};

/// An instruction of a CPE, as docs/cpe_assembly.md lists them.
struct CoreInstruction {
  const char* name;
  Form form;
  Pipe pipe;
  Latency latency = Latency::One;
  bool is_vector = false;  ///< it needs whole registers, not only their lowest 64 bits
};

/// Null: there is none of this name.
const CoreInstruction* find_instruction(const std::string& name);

int cycles_of(Latency latency, const MachineTiming& timing);

/// "$7", "$sp" and the other names of registers; -1: none.
int register_number(const std::string& operand);

}  // namespace solway::emulator
