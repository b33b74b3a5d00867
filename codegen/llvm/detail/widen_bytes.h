#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace solway::codegen::detail {

/// Makes 64-bit integers of bytes and conditions before they become doubles, whole vectors of them:
/// what LLVM's code generator for Arm does lane by lane otherwise. After LLVM's optimisations,
/// which take the two conversions for one.
///
///   before: sitofp <8 x i8> %x to <8 x double>
///   after:  sitofp <8 x i64> (sext <8 x i8> %x to <8 x i64>) to <8 x double>
void widen_bytes(llvm::Function& function);

}  // namespace solway::codegen::detail
