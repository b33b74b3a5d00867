#include "codegen/llvm/detail/vector_engine/byte_forms.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"

namespace solway::codegen::detail {
namespace {

constexpr std::uint64_t kWordBytes = 4;

/// A word for each lane.
llvm::Value* words_on_stack(Engine& e) {
  llvm::BasicBlock& entry = e.b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at(&entry, entry.begin());
  return at.CreateAlloca(llvm::ArrayType::get(at.getInt32Ty(), kEngineLanes), nullptr, "elements");
}

llvm::Value* place_of_word(Engine& e, llvm::Value* words, llvm::Value* number) {
  return e.b.CreateGEP(e.b.getInt32Ty(), words, number);
}

/// Elements side by side in words, as many as the length says, from the words from `number` on.
llvm::Value* packed(Engine& e, llvm::Value* words, llvm::Value* number, unsigned size_bytes) {
  const std::uint64_t in_word = kWordBytes / size_bytes;
  const std::uint64_t bits = std::uint64_t{8} * size_bytes;
  llvm::Value* out = nullptr;
  for (std::uint64_t k = 0; k < in_word; ++k) {
    llvm::Value* place = place_of_word(e, words, e.b.CreateAdd(number, e.b.getInt64(k)));
    llvm::Value* part = e.call("vldlzx.vssl", {e.b.getInt64(kWordBytes * in_word), place});
    // What is above the last one is not stored.
    const std::uint64_t own = (std::uint64_t{1} << bits) - 1;
    if (k + 1 < in_word) part = e.call("vand.vsvl", {e.b.getInt64(own), part});
    if (k > 0) part = e.call("vsll.vvsl", {part, e.b.getInt64(k * bits)});
    out = out == nullptr ? part : e.call("vor.vvvl", {out, part});
  }
  return out;
}

/// Fewer elements than a word has, from that word on, one by one.
void store_few(Engine& e, llvm::Value* words, llvm::Value* number, llvm::Value* first,
               llvm::Value* count, unsigned size_bytes) {
  llvm::IRBuilder<>& b = e.b;
  llvm::Type* type = b.getIntNTy(8 * size_bytes);
  for (unsigned k = 0; k + 1 < kWordBytes / size_bytes; ++k) {
    llvm::Instruction* const at = &*b.GetInsertPoint();
    llvm::Value* is_there = b.CreateICmpULT(b.getInt64(k), count);
    b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(is_there, at, /*Unreachable=*/false));
    llvm::Value* place = place_of_word(e, words, b.CreateAdd(number, b.getInt64(k)));
    llvm::Value* element = b.CreateTrunc(b.CreateLoad(b.getInt32Ty(), place), type);
    b.CreateAlignedStore(element, b.CreateConstGEP1_32(type, first, k), llvm::Align(size_bytes));
    b.SetInsertPoint(at);
  }
}

}  // namespace

llvm::Value* load_bytes(Engine& e, llvm::Value* addresses, llvm::Value* mask) {
  constexpr std::uint64_t kWithin = 7;
  llvm::Value* zero = e.b.getInt64(0);
  llvm::Value* places = e.call("vand.vsvl", {e.b.getInt64(~kWithin), addresses});
  llvm::Value* words = mask == nullptr
                           ? e.call("vgt.vvssl", {places, zero, zero})
                           : e.call("vgt.vvssmvl", {places, zero, zero, mask, e.repeated(zero)});
  // A byte at a higher address is a higher one of its word.
  llvm::Value* bits = e.call("vsll.vvsl", {addresses, e.b.getInt64(3)});
  return e.call("vsrl.vvvl", {words, e.call("vand.vsvl", {e.b.getInt64(8 * kWithin), bits})});
}

void store_bytes(Engine& e, llvm::Value* held, llvm::Value* first, unsigned size_bytes) {
  llvm::IRBuilder<>& b = e.b;
  const std::uint64_t in_word = kWordBytes / size_bytes;
  llvm::Value* words = words_on_stack(e);
  e.call("vstl.vssl", {held, b.getInt64(kWordBytes), words});
  llvm::Value* const length = e.length;
  llvm::Value* count = b.CreateZExt(length, b.getInt64Ty());
  llvm::Value* address = b.CreatePtrToInt(first, b.getInt64Ty());
  llvm::Value* bytes = b.CreateAnd(b.CreateNeg(address), kWordBytes - 1);  // up to the next word
  llvm::Value* in_front = b.CreateLShr(bytes, llvm::Log2_64(size_bytes));
  in_front = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, in_front, count);
  llvm::Value* rest = b.CreateSub(count, in_front);
  llvm::Value* whole = b.CreateLShr(rest, llvm::Log2_64(in_word));
  llvm::Type* type = b.getIntNTy(8 * size_bytes);
  llvm::Value* place = b.CreateGEP(type, first, in_front);
  e.length = b.CreateTrunc(whole, b.getInt32Ty());
  e.call("vstl.vssl", {packed(e, words, in_front, size_bytes), b.getInt64(kWordBytes), place});
  e.length = length;
  store_few(e, words, b.getInt64(0), first, in_front, size_bytes);
  llvm::Value* done = b.CreateAdd(in_front, b.CreateMul(whole, b.getInt64(in_word)));
  store_few(e, words, done, b.CreateGEP(type, first, done), b.CreateAnd(rest, in_word - 1),
            size_bytes);
}

}  // namespace solway::codegen::detail
