#pragma once

namespace llvm {
class Function;
}  // namespace llvm

namespace solway::codegen::detail {

/// Takes the operand for a choice between two vectors where every lane that something uses is that
/// operand's. Sums of partial vectors that registers hold are chosen lane by lane in each step,
/// though what they end in stores the active lanes alone:
///
///   before: %sum = phi <4 x float> [ zeroinitializer, %body ], [ %next, %r ]
///           %new = fadd <4 x float> %sum, %product
///           %next = shufflevector <4 x float> %new, <4 x float> %sum, <4 x i32> <0, 5, 6, 7>
///           call void @llvm.masked.store(<4 x float> %next, ..., <4 x i1> <1, 0, 0, 0>)
///   after:  %sum = phi <4 x float> [ zeroinitializer, %body ], [ %new, %r ]
///           %new = fadd <4 x float> %sum, %product
///           call void @llvm.masked.store(<4 x float> %new, ..., <4 x i1> <1, 0, 0, 0>)
///
/// Returns whether it changed anything.
bool drop_dead_lanes(llvm::Function& function);

}  // namespace solway::codegen::detail
