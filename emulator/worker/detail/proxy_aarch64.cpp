#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

#include "emulator/worker/detail/proxy_machine.h"

namespace solway::emulator {
namespace {

constexpr unsigned kVectorBits = 512;
constexpr unsigned kGranuleBits = 128;  // what SVE counts the length of vectors in

/// Whether it works on vectors or on the masks of their lanes.
bool is_of_vectors(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  if (name.contains("_Z") || name.contains("_P") || name.contains("v1i")) return true;
  for (const char* const type : {"v8i8", "v16i8", "v4i16", "v8i16", "v2i32", "v4i32", "v2i64",
                                 "v2f32", "v4f32", "v2f64", "v4f16", "v8f16"}) {
    if (name.contains(type)) return true;
  }
  const auto* const registers = instruction.getMF()->getSubtarget().getRegisterInfo();
  for (const llvm::MachineOperand& operand : instruction.operands()) {
    if (!operand.isReg() || !operand.getReg().isPhysical()) continue;
    const char first = registers->getName(operand.getReg())[0];
    if (first == 'Z' || first == 'P' || first == 'Q' || first == 'D' || first == 'S') {
      if (llvm::StringRef(registers->getName(operand.getReg())) != "SP") return true;
    }
  }
  return false;
}

/// Masks of all lanes, and copies for operations that overwrite one of their operands: the core's
/// operate on whole vectors, and have an operand for the result.
bool is_for_this_machine_only(llvm::StringRef name) {
  return name.starts_with("PTRUE") || name.starts_with("MOVPRFX");
}

Work work_of(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  if (is_for_this_machine_only(name)) return Work::Nothing;
  if (instruction.mayLoad()) return Work::Load;
  if (instruction.mayStore()) return Work::Store;
  if (contains_any(name, {"SDIV", "UDIV"})) return Work::IntegerDivide;
  if (name.starts_with("F") || contains_any(name, {"CVTF"})) {
    if (contains_any(name, {"DIV", "SQRT", "RECP", "RSQRT"})) return Work::FloatDivide;
    const bool moves = contains_any(name, {"FMOV", "FCSEL", "FNEG", "FABS", "FDUP", "FCPY"});
    return moves ? Work::Vector : Work::Float;
  }
  if (is_of_vectors(instruction, name)) return Work::Vector;
  return contains_any(name, {"MADD", "MSUB", "MULH"}) ? Work::Multiply : Work::Scalar;
}

bool spreads(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  if (name.starts_with("DUP_ZZI_")) return instruction.getOperand(2).getImm() == 0;
  return name.starts_with("DUPv") && name.ends_with("lane") &&
         instruction.getOperand(2).getImm() == 0;
}

void prepare(llvm::Function& function) {
  function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(
      function.getContext(), kVectorBits / kGranuleBits, kVectorBits / kGranuleBits));
}

/// Of no matter: integers and vectors have registers of their own.
bool is_indexed(llvm::StringRef) { return false; }

bool is_register(llvm::StringRef name) {
  return name.starts_with("W") || name.starts_with("B");  // the lowest part of each
}

}  // namespace

const ProxyMachine& aarch64_proxy() {
  // Loads and stores of pairs, or that change their address, are two instructions of a core.
  static const ProxyMachine kMachine{"aarch64-unknown-linux-gnu",
                                     "generic",
                                     "+sve",
                                     "w",
                                     false,
                                     {"tail-dup-placement", "aarch64-enable-ldst-opt"},
                                     prepare,
                                     work_of,
                                     spreads,
                                     is_indexed,
                                     is_register};
  return kMachine;
}

}  // namespace solway::emulator
