#pragma once

#include <map>
#include <optional>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>

namespace solway::codegen::detail {

/// Lanes of a vector of the vector engine, and of those of LLVM IR that become one.
inline constexpr unsigned kEngineLanes = 256;

/// Whether a type is a vector that becomes a register, or a mask, of the vector engine.
bool is_engine_vector(const llvm::Type* type);

/// Whether it is one of two vectors of float32 in the halves of a register.
bool is_packed(const llvm::Type* type);

/// How many lanes a mask lets through, an i32, where these are the first ones; else null.
llvm::Value* prefix_or_null(llvm::Value* mask);

/// The first lanes of one vector, as many as an i32 says, and the others of another one.
struct JoinedLanes {
  llvm::Value* first = nullptr;
  llvm::Value* others = nullptr;
  llvm::Value* count = nullptr;
};

/// Of a select, or of the shufflevector that LLVM makes of one by a constant.
std::optional<JoinedLanes> joined_lanes(llvm::Value* vector);

/// How many of the first lanes of vectors are used: those that a store has, or a sum. More than
/// that are not computed.
class ActiveLengths {
 public:
  explicit ActiveLengths(llvm::Function& function);

  /// An i32 that is known where the instruction stands.
  llvm::Value* of(const llvm::Instruction& instruction) const;

 private:
  /// Null: nothing is used, as far as is known yet.
  llvm::Value* demanded_or_null(llvm::Instruction& instruction) const;
  llvm::Value* demanded_or_null(llvm::Use& use) const;

  llvm::DominatorTree dominators_;
  llvm::Value* all_;
  std::map<const llvm::Instruction*, llvm::Value*> known_;  ///< without an entry: none
};

/// The vector whose first lanes, as many as `length` says, a reduction over lanes combines: of
/// those behind them, a select takes what changes nothing.
struct ReducedPart {
  llvm::Value* vector;
  llvm::Value* length;
};

/// Of a call of llvm.vector.reduce.
ReducedPart reduced_part(llvm::CallInst& reduction);

}  // namespace solway::codegen::detail
