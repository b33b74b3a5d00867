#include "emulator/worker/detail/proxy_machine.h"

namespace solway::emulator {
namespace {

Work work_of(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  if (instruction.mayLoad()) return Work::Load;
  if (instruction.mayStore()) return Work::Store;
  const bool is_vector = name.starts_with("V") || name.starts_with("XV");
  const llvm::StringRef operation = name.ltrim('X').ltrim('V');
  const bool is_float = operation.starts_with("F") && !operation.starts_with("FRINT_");
  if (is_float && contains_any(name, {"DIV", "SQRT", "RECIP"})) return Work::FloatDivide;
  if (!is_float && contains_any(operation, {"DIV_", "MOD_"})) return Work::IntegerDivide;
  if (is_float) {
    const bool moves = contains_any(operation, {"FMOV", "FSEL", "FNEG", "FABS", "FCOPYSIGN"});
    return moves ? Work::Vector : Work::Float;
  }
  if (is_vector) return Work::Vector;
  return operation.starts_with("MUL") ? Work::Multiply : Work::Scalar;
}

bool spreads(const llvm::MachineInstr& instruction, llvm::StringRef name) {
  return name.starts_with("XVREPLVE0_") ||
         (name.starts_with("VREPLVEI_") && instruction.getOperand(2).getImm() == 0);
}

void prepare(llvm::Function&) {}

bool is_indexed(llvm::StringRef name) { return contains_any(name, {"LDX", "STX"}); }

/// Not one for the results of comparisons.
bool is_register(llvm::StringRef name) {
  return !name.starts_with("FCC") && (name.starts_with("R") || name.starts_with("F"));
}

}  // namespace

const ProxyMachine& loongarch_proxy() {
  static const ProxyMachine kMachine{"loongarch64-unknown-linux-gnu",
                                     "la464",
                                     "+64bit,+d,+lsx,+lasx",
                                     "f",
                                     true,
                                     {"tail-dup-placement"},
                                     prepare,
                                     work_of,
                                     spreads,
                                     is_indexed,
                                     is_register};
  return kMachine;
}

}  // namespace solway::emulator
