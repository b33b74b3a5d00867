#pragma once

#include <map>
#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "lowering/ir/expr.h"

namespace solway::codegen::detail {

/// Names and memory that expressions refer to.
struct Bindings {
  std::map<std::string, llvm::Value*> vars;
  std::map<const ir::BufferNode*, llvm::Value*> pointers;
  llvm::Value* vector_scale = nullptr;  ///< once it was needed
  /// Of buffers of scalable vectors whose accesses all have constant indices: each vector's own.
  std::map<const ir::BufferNode*, std::vector<llvm::Value*>> vectors;
};

/// Translates expressions at the builder's position. May leave the builder in another block.
class ExprEmitter {
 public:
  ExprEmitter(llvm::IRBuilder<>& builder, Bindings& bindings) : b_(builder), bindings_(bindings) {}

  llvm::Value* value(const ir::Expr& e);
  void store(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices, const ir::Expr& value);
  void store_vector(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices,
                    std::int64_t stride_elems, const ir::Expr& value, const ir::Expr& active);

  /// From here on, a load has this value: what memory holds.
  void know(const ir::VectorLoad& load, llvm::Value* value) { known_[&load] = value; }
  void forget_loads() { known_.clear(); }

  /// Asks all caches for the line of an element, which may lie outside of the buffer.
  void prefetch(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);

  /// Row-major position of the indices, in elements.
  llvm::Value* position(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  llvm::Value* pointer(const ir::Buffer& buffer) const;
  llvm::Align element_alignment(const ir::Buffer& buffer) const;
  /// From lane to lane, in elements.
  llvm::Value* stride_of(const ir::VectorLoad& e);
  /// Of vectors that lie in memory; of all lanes, where the mask is null.
  llvm::Value* load_neighbours(llvm::Value* first, llvm::Type* type, llvm::Align align,
                               llvm::Value* mask);

 private:
  llvm::Value* binary(const ir::Binary& e);
  llvm::Value* select(const ir::Select& e);
  llvm::Value* load(const ir::Load& e);
  llvm::Value* ramp(const ir::Ramp& e);
  llvm::Value* vector_scale();
  llvm::Value* broadcast(const ir::Broadcast& e);
  llvm::Value* dot(const ir::Dot& e);
  llvm::Value* load_vector(const ir::VectorLoad& e);
  llvm::Value* load_reversed(llvm::Value* first, llvm::Type* type, llvm::Align align,
                             llvm::Value* mask);
  /// Of elements at any distance, in one instruction; of the lanes in a mask, null for all.
  llvm::Value* load_spread(llvm::Value* first, llvm::Value* stride_elems, llvm::Type* type,
                           llvm::Value* mask);
  void store_spread(llvm::Value* stored, llvm::Value* first, llvm::Value* stride_elems,
                    llvm::Value* mask);
  llvm::Value* load_apart(const ir::VectorLoad& e, llvm::Value* first, llvm::Type* type,
                          llvm::Align align);
  /// Evaluates `if_true` or `if_false` in a branch of its own.
  template <class IfTrue, class IfFalse>
  llvm::Value* branch(llvm::Value* condition, IfTrue if_true, IfFalse if_false);
  /// Lanes before `active`; null when it is undefined.
  llvm::Value* mask_or_null(const ir::Expr& active, const ir::Lanes& lanes);
  /// Of those in a mask, null for all, the lanes from `first` on.
  llvm::Value* lanes_from(int first, int lanes, llvm::Value* mask);
  llvm::Value* lane_pointers(const ir::Buffer& buffer, llvm::Value* first,
                             llvm::Value* stride_elems, const ir::Lanes& lanes);
  /// Of a vector in a buffer of scalable ones.
  llvm::Value* scalable_place(const ir::Buffer& buffer, const std::vector<ir::Expr>& indices);
  llvm::Value* from_memory(DType type, llvm::Value* v);
  llvm::Value* to_memory(DType type, llvm::Value* v);

  llvm::IRBuilder<>& b_;
  Bindings& bindings_;
  std::map<const ir::VectorLoad*, llvm::Value*> known_;
};

}  // namespace solway::codegen::detail
