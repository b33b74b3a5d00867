#include "emulator/worker/instruction_set.h"

#include <algorithm>
#include <map>

namespace solway::emulator {
namespace {

constexpr int kRegisters = 32;

// Pipes and latencies: Fang, thesis, table 3.2; forms: docs/cpe_assembly.md.
constexpr CoreInstruction kInstructions[] = {
    {"vldd", Form::Load, Pipe::One, Latency::Load, true},
    {"vlds", Form::Load, Pipe::One, Latency::Load, true},
    {"ldde", Form::Load, Pipe::One, Latency::Load, true},
    {"ldse", Form::Load, Pipe::One, Latency::Load, true},
    {"vldr", Form::LoadAndSend, Pipe::One, Latency::Load, true},
    {"vldc", Form::LoadAndSend, Pipe::One, Latency::Load, true},
    {"ldder", Form::LoadAndSend, Pipe::One, Latency::Load, true},
    {"lddec", Form::LoadAndSend, Pipe::One, Latency::Load, true},
    {"vstd", Form::Store, Pipe::One, Latency::One, true},
    {"vsts", Form::Store, Pipe::One, Latency::One, true},
    {"ldl", Form::Load, Pipe::One, Latency::Load},
    {"ldw", Form::Load, Pipe::One, Latency::Load},
    {"ldhu", Form::Load, Pipe::One, Latency::Load},
    {"ldbu", Form::Load, Pipe::One, Latency::Load},
    {"fldd", Form::Load, Pipe::One, Latency::Load},
    {"flds", Form::Load, Pipe::One, Latency::Load},
    {"stl", Form::Store, Pipe::One},
    {"stw", Form::Store, Pipe::One},
    {"sth", Form::Store, Pipe::One},
    {"stb", Form::Store, Pipe::One},
    {"fstd", Form::Store, Pipe::One},
    {"fsts", Form::Store, Pipe::One},

    {"vmad", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vmas", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vmsd", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vmss", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vnmad", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vnmas", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vnmsd", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vnmss", Form::Fused, Pipe::Zero, Latency::Float, true},
    {"vaddd", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vadds", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vsubd", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vsubs", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vmuld", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vmuls", Form::Vectors, Pipe::Zero, Latency::Float, true},
    {"vdivd", Form::Vectors, Pipe::Zero, Latency::Divide, true},
    {"vdivs", Form::Vectors, Pipe::Zero, Latency::Divide, true},
    {"vaddw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vsubw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vaddl", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vsubl", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vandw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vbicw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vbisw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vornotw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vxorw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"veqvw", Form::Vectors, Pipe::Zero, Latency::Vector, true},
    {"vsllw", Form::VectorShift, Pipe::Zero, Latency::Vector, true},
    {"vsrlw", Form::VectorShift, Pipe::Zero, Latency::Vector, true},
    {"vsraw", Form::VectorShift, Pipe::Zero, Latency::Vector, true},
    {"vseleq", Form::VectorSelect, Pipe::Zero, Latency::Vector, true},
    {"vsellt", Form::VectorSelect, Pipe::Zero, Latency::Vector, true},
    {"vselle", Form::VectorSelect, Pipe::Zero, Latency::Vector, true},
    {"vfmov", Form::VectorCopy, Pipe::Zero, Latency::Vector, true},
    {"vinsw", Form::Insert, Pipe::Zero, Latency::Vector, true},
    {"vinsf", Form::Insert, Pipe::Zero, Latency::Vector, true},
    {"vextw", Form::Extract, Pipe::Zero, Latency::Vector, true},
    {"vextf", Form::Extract, Pipe::Zero, Latency::Vector, true},
    {"vshff", Form::Shuffle, Pipe::Zero, Latency::Vector, true},

    {"putr", Form::Send, Pipe::One, Latency::One, true},
    {"putc", Form::Send, Pipe::One, Latency::One, true},
    {"getr", Form::Receive, Pipe::One, Latency::Receive, true},
    {"getc", Form::Receive, Pipe::One, Latency::Receive, true},
    {"synr", Form::Meet, Pipe::One},
    {"sync", Form::Meet, Pipe::One},
    {"rcsr", Form::ReadRegister, Pipe::One, Latency::Counter},
    {"memb", Form::Nothing, Pipe::One},

    {"ldi", Form::LoadAddress, Pipe::Either},
    {"ldih", Form::LoadAddress, Pipe::Either},
    {"addw", Form::Scalars, Pipe::Either},
    {"subw", Form::Scalars, Pipe::Either},
    {"addl", Form::Scalars, Pipe::Either},
    {"subl", Form::Scalars, Pipe::Either},
    {"s4addl", Form::Scalars, Pipe::Either},
    {"s8addl", Form::Scalars, Pipe::Either},
    {"s4subl", Form::Scalars, Pipe::Either},
    {"s8subl", Form::Scalars, Pipe::Either},
    {"mulw", Form::Scalars, Pipe::Zero, Latency::Multiply},
    {"mull", Form::Scalars, Pipe::Zero, Latency::Multiply},
    {"and", Form::Scalars, Pipe::Either},
    {"or", Form::Scalars, Pipe::Either},
    {"xor", Form::Scalars, Pipe::Either},
    {"andnot", Form::Scalars, Pipe::Either},
    {"ornot", Form::Scalars, Pipe::Either},
    {"sll", Form::Scalars, Pipe::Either},
    {"srl", Form::Scalars, Pipe::Either},
    {"sra", Form::Scalars, Pipe::Either},
    {"cmpeq", Form::Scalars, Pipe::Either},
    {"cmplt", Form::Scalars, Pipe::Either},
    {"cmple", Form::Scalars, Pipe::Either},
    {"cmpult", Form::Scalars, Pipe::Either},
    {"cmpule", Form::Scalars, Pipe::Either},
    {"zap", Form::Scalars, Pipe::Either},
    {"zapnot", Form::Scalars, Pipe::Either},
    {"seleq", Form::ScalarSelect, Pipe::Either},
    {"selne", Form::ScalarSelect, Pipe::Either},
    {"sellt", Form::ScalarSelect, Pipe::Either},
    {"selle", Form::ScalarSelect, Pipe::Either},
    {"selgt", Form::ScalarSelect, Pipe::Either},
    {"selge", Form::ScalarSelect, Pipe::Either},
    {"sextw", Form::ScalarCopy, Pipe::Either},
    {"mov", Form::ScalarCopy, Pipe::Either},
    {"faddd", Form::ScalarFloats, Pipe::Zero, Latency::Float},
    {"fsubd", Form::ScalarFloats, Pipe::Zero, Latency::Float},
    {"fmuld", Form::ScalarFloats, Pipe::Zero, Latency::Float},
    {"fdivd", Form::ScalarFloats, Pipe::Zero, Latency::Divide},

    {"beq", Form::Branch, Pipe::One},
    {"bne", Form::Branch, Pipe::One},
    {"blt", Form::Branch, Pipe::One},
    {"ble", Form::Branch, Pipe::One},
    {"bgt", Form::Branch, Pipe::One},
    {"bge", Form::Branch, Pipe::One},
    {"br", Form::Jump, Pipe::One},
    {"bsr", Form::Call, Pipe::One},
    {"ret", Form::Return, Pipe::One},
};

}  // namespace

const CoreInstruction* find_instruction(const std::string& name) {
  static const auto kByName = [] {
    std::map<std::string, const CoreInstruction*> out;
    for (const CoreInstruction& one : kInstructions) out[one.name] = &one;
    return out;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

int cycles_of(Latency latency, const MachineTiming& timing) {
  switch (latency) {
    case Latency::One:
      return 1;
    case Latency::Load:
      return timing.load_latency;
    case Latency::Float:
      return timing.float_latency;
    case Latency::Multiply:
      return timing.figures.multiply_latency_cycles;
    case Latency::Vector:
      return timing.figures.vector_latency_cycles;
    case Latency::Divide:
      return timing.figures.float_divide_cycles;
    case Latency::Receive:
      return timing.figures.messages ? timing.figures.messages->receive_latency_cycles : 1;
    case Latency::Counter:
      return timing.figures.counter_latency_cycles;
  }
  return 1;
}

int register_number(const std::string& operand) {
  if (operand == "$sp") return 30;
  if (operand == "$gp") return 29;
  if (operand.size() < 2 || operand.size() > 3 || operand.front() != '$') return -1;
  int number = 0;
  for (const char c : operand.substr(1)) {
    if (c < '0' || c > '9') return -1;
    number = 10 * number + (c - '0');
  }
  return number < kRegisters ? number : -1;
}

}  // namespace solway::emulator
