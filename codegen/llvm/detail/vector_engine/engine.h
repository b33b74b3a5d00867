#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <llvm/IR/IRBuilder.h>

namespace solway::codegen::detail {

/// What elements of a register are: float32 in its upper half, int32 in its lower one, where the
/// other half holds anything. Integers of 1 and 2 bytes, which are only loaded, stored and
/// converted, are the last bits of elements, where the others are any.
enum class Element : std::uint8_t { Float64, Float32, Int64, Int32, Int16, Int8 };

/// Whether code is emitted for it.
bool on_vector_engine(const llvm::IRBuilder<>& b);

/// Of a type's elements; pointers are Int64. Throws InternalError for others.
Element element_of(llvm::Type* type);

/// Whether it inserts a lane only for that to be repeated in all.
bool is_step_of_repetition(const llvm::Instruction& instruction);

/// first + lane * step of a constant of integers: 64 bits each.
struct Sequence {
  llvm::APInt first;
  llvm::APInt step;
};
std::optional<Sequence> sequence_of(const llvm::Constant& vector);

/// Emits instructions of SX-Aurora's vector engine, as LLVM's intrinsics for them: its registers
/// are vectors of 256 float64, whatever the elements are, its masks 256 i1.
class Engine {
 public:
  Engine(llvm::IRBuilder<>& b, std::string kernel) : b(b), kernel_(std::move(kernel)) {}

  /// The intrinsic llvm.ve.vl.<name> of these and, last, the length.
  llvm::Value* call(const std::string& name, llvm::ArrayRef<llvm::Value*> args);
  /// The same where it has no length.
  llvm::Value* call_of_all(const std::string& name, llvm::ArrayRef<llvm::Value*> args);
  /// x op y, where instructions take a number for x, and where x op y is y op x.
  llvm::Value* in_order(const std::string& name, llvm::Value* x, llvm::Value* y);
  llvm::Value* in_any_order(const std::string& name, llvm::Value* x, llvm::Value* y);
  /// The register or mask of a vector.
  llvm::Value* of(llvm::Value* vector);
  void define(llvm::Value* vector, llvm::Value* held) { held_[vector] = held; }
  /// The number that all lanes have, or null.
  static llvm::Value* scalar_or_null(llvm::Value* vector);
  /// That number as the 64 bits of each element.
  llvm::Value* bits_of(llvm::Value* scalar);
  /// A register of equal elements.
  llvm::Value* repeated(llvm::Value* scalar);
  /// 0, 1, 2, ...
  llvm::Value* lane_numbers() { return call("vseq.vl", {}); }
  /// A mask that lets so many through, an i32.
  llvm::Value* first_lanes(llvm::Value* count);
  llvm::Value* all_or_none(bool all) { return call(all ? "vfmklat.ml" : "vfmklaf.ml", {}); }
  [[noreturn]] void fail(const llvm::Value& what) const;

  llvm::IRBuilder<>& b;
  llvm::Value* length = nullptr;  ///< i32: of what is emitted now

 private:
  llvm::Value* constant(llvm::Constant& vector);
  llvm::Value* constant_in_runs(llvm::Constant& vector);
  llvm::Value* constant_mask(llvm::Constant& mask);

  std::string kernel_;
  std::map<llvm::Value*, llvm::Value*> held_;
};

}  // namespace solway::codegen::detail
