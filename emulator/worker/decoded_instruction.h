#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/worker/assembly_text.h"
#include "emulator/worker/instruction_set.h"

namespace solway::emulator {

inline constexpr int kZeroRegister = 31;  ///< reads as zero

/// What an instruction does with an operand.
enum class Use : std::uint8_t {
  Reads,         ///< the lowest 64 bits of a register
  ReadsOrTakes,  ///< or a number
  Writes,        ///< the lowest 64 bits; the others stay
  ReadsWhole,
  WritesWhole,
  Takes,      ///< a number
  Addresses,  ///< memory behind a register
  Names,      ///< a label or a function
  Nothing
};

struct Operand {
  Use use = Use::Nothing;
  int reg = -1;             ///< of an address its base; -1: none, a number or a name
  std::int64_t number = 0;  ///< or what is added to the base
  std::string name;         ///< a label, a function, or a variable instead of a number
};

struct DecodedInstruction {
  const CoreInstruction* core = nullptr;
  std::vector<Operand> operands;
  SourceLine where;
};

/// An instruction with its operands, or why there is none.
struct Decoding {
  DecodedInstruction instruction;
  std::optional<AssemblyProblem> problem;
};

Decoding decode(const AssemblyInstruction& written);

/// The registers of an instruction, by what it does with them; never $31, which is always zero.
std::vector<int> registers_read(const DecodedInstruction& instruction);
std::vector<int> registers_written(const DecodedInstruction& instruction);

/// What the issue logic knows of it.
MachineInstruction timed_instruction(const DecodedInstruction& instruction,
                                     const MachineTiming& timing);

}  // namespace solway::emulator
