#include "codegen/athread/assembly/instruction.h"

#include <array>

namespace solway::codegen::assembly {
namespace {

enum class Operands : std::uint8_t {
  Load,    ///< d,n(b)
  Store,   ///< s,n(b)
  Fused,   ///< a,b,c,d
  Number,  ///< a,n,d
  Copy,    ///< a,d
  Branch,  ///< a,label
  Return
};
enum class Latency : std::uint8_t { One, Load, Fma };

struct Row {
  const char* name;
  Operands operands;
  Pipe pipe;
  Latency latency = Latency::One;
};

/// By opcode.
constexpr std::array kRows = {
    Row{"vlds", Operands::Load, Pipe::One, Latency::Load},
    Row{"vldd", Operands::Load, Pipe::One, Latency::Load},
    Row{"ldse", Operands::Load, Pipe::One, Latency::Load},
    Row{"ldde", Operands::Load, Pipe::One, Latency::Load},
    Row{"vsts", Operands::Store, Pipe::One},
    Row{"vstd", Operands::Store, Pipe::One},
    Row{"vmas", Operands::Fused, Pipe::Zero, Latency::Fma},
    Row{"vmad", Operands::Fused, Pipe::Zero, Latency::Fma},
    Row{"ldl", Operands::Load, Pipe::One, Latency::Load},
    Row{"stl", Operands::Store, Pipe::One},
    Row{"ldi", Operands::Load, Pipe::Either},
    Row{"subw", Operands::Number, Pipe::Either},
    Row{"mov", Operands::Copy, Pipe::Either},
    Row{"ble", Operands::Branch, Pipe::One},
    Row{"bgt", Operands::Branch, Pipe::One},
    Row{"ret", Operands::Return, Pipe::One},
};

const Row& row_of(Opcode opcode) { return kRows.at(static_cast<std::size_t>(opcode)); }

std::string name_of(Register reg) {
  return reg == kStackPointer ? "$sp" : "$" + std::to_string(reg);
}

std::string address_of(const Instruction& one) {
  return std::to_string(one.number) + "(" + name_of(one.reads.back()) + ")";
}

}  // namespace

Pipe pipe_of(Opcode opcode) { return row_of(opcode).pipe; }

int latency_of(Opcode opcode, const Latencies& latencies) {
  switch (row_of(opcode).latency) {
    case Latency::One:
      return 1;
    case Latency::Load:
      return latencies.load_cycles;
    case Latency::Fma:
      return latencies.fma_cycles;
  }
  return 1;
}

bool is_store(Opcode opcode) { return row_of(opcode).operands == Operands::Store; }

bool is_branch(Opcode opcode) {
  const Operands operands = row_of(opcode).operands;
  return operands == Operands::Branch || operands == Operands::Return;
}

std::string to_string(const Instruction& one) {
  const Row& row = row_of(one.opcode);
  const std::string name = std::string(row.name) + " ";
  switch (row.operands) {
    case Operands::Load:
      return name + name_of(one.writes.value()) + "," + address_of(one);
    case Operands::Store:
      return name + name_of(one.reads.front()) + "," + address_of(one);
    case Operands::Fused:
      return name + name_of(one.reads[0]) + "," + name_of(one.reads[1]) + "," +
             name_of(one.reads[2]) + "," + name_of(one.writes.value());
    case Operands::Number:
      return name + name_of(one.reads[0]) + "," + std::to_string(one.number) + "," +
             name_of(one.writes.value());
    case Operands::Copy:
      return name + name_of(one.reads[0]) + "," + name_of(one.writes.value());
    case Operands::Branch:
      return name + name_of(one.reads[0]) + "," + one.label;
    case Operands::Return:
      return name + "$31,($26),1";
  }
  return name;
}

}  // namespace solway::codegen::assembly
