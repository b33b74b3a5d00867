#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace solway::codegen::detail {

/// Marks a function whose cpu has registers for the lanes of a comparison (AVX-512).
inline constexpr const char* kMasksAttribute = "solway-masks";

/// Of the largest of many vectors, or the smallest, NaN is looked for beside the comparisons and
/// put in at the end: a step is then one instruction of x86 that drops NaN, and half of one that
/// finds it in two vectors.
///
///   before: %1 = select (fcmp uno %a, 0.0) or (fcmp ogt %a, %b), %a, %b
///           %2 = select (fcmp uno %1, 0.0) or (fcmp ogt %1, %c), %1, %c
///   after:  %1 = select (fcmp ogt %a, %b), %a, %b
///           %2 = select (fcmp ogt %1, %c), %1, %c
///           %3 = select (fcmp uno %a, %b) or (fcmp uno %c, %c), NaN, %2
///
/// So do steps of which a loop of one block carries the result; a second phi has the lanes in which
/// NaN was, as integers of all bits or none where a comparison writes such (AVX2). Numbers are the
/// same; of NaN the bits may be others.
///
/// Returns whether it changed anything. Code for other machines stays as it is.
bool defer_nan_checks(llvm::Function& function);

}  // namespace solway::codegen::detail
