#include "emulator/worker/decoded_instruction.h"

#include <algorithm>
#include <cstdlib>

namespace solway::emulator {
namespace {

std::vector<Use> uses_of(const CoreInstruction& core) {
  const Use reads = core.is_vector ? Use::ReadsWhole : Use::Reads;
  const Use writes = core.is_vector ? Use::WritesWhole : Use::Writes;
  switch (core.form) {
    case Form::Nothing:
    case Form::Return:
      return {};
    case Form::Load:
    case Form::LoadAndSend:
      return {writes, Use::Addresses};
    case Form::LoadAddress:
      return {Use::Writes, Use::Addresses};
    case Form::Store:
      return {reads, Use::Addresses};
    case Form::Scalars:
      return {Use::Reads, Use::ReadsOrTakes, Use::Writes};
    case Form::ScalarFloats:
      return {Use::Reads, Use::Reads, Use::Writes};
    case Form::ScalarSelect:
      return {Use::Reads, Use::ReadsOrTakes, Use::Reads, Use::Writes};
    case Form::ScalarCopy:
      return {Use::ReadsOrTakes, Use::Writes};
    case Form::Fused:
    case Form::VectorSelect:
      return {reads, reads, reads, writes};
    case Form::Vectors:
      return {reads, reads, writes};
    case Form::VectorShift:
      return {reads, Use::Takes, writes};
    case Form::VectorCopy:
      return {reads, writes};
    case Form::Insert:
      return {Use::Reads, reads, Use::Takes, writes};
    case Form::Extract:
      return {reads, Use::Takes, Use::Writes};
    case Form::Shuffle:
      return {reads, reads, Use::ReadsOrTakes, writes};
    case Form::Send:
      return {reads, Use::ReadsOrTakes};
    case Form::Receive:
      return {writes};
    case Form::Meet:
      return {Use::ReadsOrTakes};
    case Form::ReadRegister:
      return {Use::Writes, Use::Takes};
    case Form::Branch:
      return {Use::Reads, Use::Names};
    case Form::Jump:
    case Form::Call:
      return {Use::Nothing, Use::Names};
  }
  return {};
}

/// As docs/cpe_assembly.md writes them.
const char* operands_text(Form form) {
  switch (form) {
    case Form::Nothing:
      return "none";
    case Form::Return:
      return "$31,($26),1";
    case Form::Load:
    case Form::LoadAndSend:
    case Form::LoadAddress:
      return "d,o(b)";
    case Form::Store:
      return "s,o(b)";
    case Form::Scalars:
      return "a,n,d";
    case Form::ScalarFloats:
    case Form::Vectors:
      return "a,b,d";
    case Form::ScalarSelect:
      return "c,n,y,d";
    case Form::ScalarCopy:
      return "n,d";
    case Form::Fused:
      return "a,b,c,d";
    case Form::VectorShift:
      return "a,number,d";
    case Form::VectorSelect:
      return "c,x,y,d";
    case Form::VectorCopy:
      return "a,d";
    case Form::Insert:
      return "x,v,number,d";
    case Form::Extract:
      return "v,number,d";
    case Form::Shuffle:
      return "h,l,n,d";
    case Form::Send:
      return "v,n";
    case Form::Receive:
      return "d";
    case Form::Meet:
      return "n";
    case Form::ReadRegister:
      return "d,number";
    case Form::Branch:
      return "a,label";
    case Form::Jump:
      return "$31,label";
    case Form::Call:
      return "$26,name";
  }
  return "";
}

/// A sum of numbers, decimal or hexadecimal: "16", "-8", "0x600+0x20".
std::optional<std::int64_t> try_number(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::int64_t sum = 0;
  const char* at = text.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    sum += std::strtoll(at, &end, 0);
    if (end == at) return std::nullopt;
    at = end;
  }
  return sum;
}

/// "16($2)", "name($gp)"; without parentheses the base is the register of zero.
bool read_address(const std::string& text, Operand& operand) {
  const auto open = text.find('(');
  operand.reg = kZeroRegister;
  if (open != std::string::npos) {
    if (text.back() != ')') return false;
    operand.reg = register_number(text.substr(open + 1, text.size() - open - 2));
    if (operand.reg < 0) return false;
  }
  const std::string offset = text.substr(0, open);
  if (offset.empty()) return open != std::string::npos;
  if (const auto number = try_number(offset)) {
    operand.number = *number;
  } else {
    operand.name = offset;
  }
  return true;
}

bool read_operand(const std::string& text, Operand& operand) {
  const auto number = try_number(text);
  switch (operand.use) {
    case Use::Nothing:
      return true;
    case Use::Names:
      operand.name = text;
      return true;
    case Use::Addresses:
      return read_address(text, operand);
    case Use::Takes:
      operand.number = number.value_or(0);
      return number.has_value();
    case Use::ReadsOrTakes:
      operand.reg = register_number(text);
      operand.number = number.value_or(0);
      return operand.reg >= 0 || number.has_value();
    case Use::Reads:
    case Use::Writes:
    case Use::ReadsWhole:
    case Use::WritesWhole:
      operand.reg = register_number(text);
      return operand.reg >= 0;
  }
  return false;
}

bool is_write(Use use) { return use == Use::Writes || use == Use::WritesWhole; }

}  // namespace

Decoding decode(const AssemblyInstruction& written) {
  Decoding out;
  out.instruction.where = written.where;
  const CoreInstruction* const core = find_instruction(written.name);
  if (core == nullptr) {
    out.problem = {written.where, true, "instruction '" + written.name + "' cannot be emulated",
                   "the emulator executes those of docs/cpe_assembly.md",
                   "write it with these, or in C"};
    return out;
  }
  out.instruction.core = core;
  const std::vector<Use> uses = uses_of(*core);
  const bool any = core->form == Form::Return;  // "ret", "ret $31,($26),1"
  bool fits = any || written.operands.size() == uses.size();
  for (std::size_t k = 0; fits && k < uses.size(); ++k) {
    Operand operand;
    operand.use = uses[k];
    fits = read_operand(written.operands[k], operand);
    out.instruction.operands.push_back(operand);
  }
  if (!fits) {
    std::string text = written.name;
    for (std::size_t k = 0; k < written.operands.size(); ++k) {
      text += (k == 0 ? " " : ",") + written.operands[k];
    }
    out.problem = {written.where, false, "'" + text + "' is no instruction",
                   "the operands of '" + written.name + "' are " + operands_text(core->form) +
                       ": n is a register or a number, o(b) an address, other letters registers",
                   "write it as in docs/cpe_assembly.md"};
  }
  return out;
}

std::vector<int> registers_read(const DecodedInstruction& instruction) {
  std::vector<int> out;
  for (const Operand& operand : instruction.operands) {
    if (operand.reg < 0 || operand.reg == kZeroRegister || is_write(operand.use)) continue;
    out.push_back(operand.reg);
  }
  return out;
}

std::vector<int> registers_written(const DecodedInstruction& instruction) {
  std::vector<int> out;
  for (const Operand& operand : instruction.operands) {
    if (operand.reg < 0 || operand.reg == kZeroRegister || !is_write(operand.use)) continue;
    out.push_back(operand.reg);
  }
  return out;
}

MachineInstruction timed_instruction(const DecodedInstruction& instruction,
                                     const MachineTiming& timing) {
  MachineInstruction out;
  const CoreInstruction& core = *instruction.core;
  out.pipe = core.pipe;
  out.latency_cycles = cycles_of(core.latency, timing);
  if (core.latency == Latency::Divide) out.blocking_cycles = out.latency_cycles;
  out.reads = registers_read(instruction);
  out.writes = registers_written(instruction);
  out.is_call = core.form == Form::Call;
  return out;
}

}  // namespace solway::emulator
