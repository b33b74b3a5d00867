#include "emulator/worker/detail/assembly_operations.h"

#include <functional>
#include <map>

#include <llvm/IR/Intrinsics.h>

namespace solway::emulator {
namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kWords = 8;

using Builder = llvm::IRBuilder<>;
using Operation = std::function<llvm::Value*(Builder&, llvm::Value*, llvm::Value*)>;

/// The lower 32 bits of both, and of the result with its sign.
Operation of_words(llvm::Instruction::BinaryOps operation) {
  return [operation](Builder& b, llvm::Value* x, llvm::Value* y) {
    llvm::Value* const result = b.CreateBinOp(operation, b.CreateTrunc(x, b.getInt32Ty()),
                                              b.CreateTrunc(y, b.getInt32Ty()));
    return b.CreateSExt(result, b.getInt64Ty());
  };
}

Operation of_longs(llvm::Instruction::BinaryOps operation) {
  return [operation](Builder& b, llvm::Value* x, llvm::Value* y) {
    return b.CreateBinOp(operation, x, y);
  };
}

/// x times a power of two, plus or minus y.
Operation scaled(llvm::Instruction::BinaryOps operation, std::uint64_t bits) {
  return [operation, bits](Builder& b, llvm::Value* x, llvm::Value* y) {
    return b.CreateBinOp(operation, b.CreateShl(x, bits), y);
  };
}

/// Shifts go by the lowest six bits.
Operation shift(llvm::Instruction::BinaryOps operation) {
  return [operation](Builder& b, llvm::Value* x, llvm::Value* y) {
    return b.CreateBinOp(operation, x, b.CreateAnd(y, 63));
  };
}

Operation with_complement(llvm::Instruction::BinaryOps operation) {
  return [operation](Builder& b, llvm::Value* x, llvm::Value* y) {
    return b.CreateBinOp(operation, x, b.CreateNot(y));
  };
}

Operation compare(llvm::CmpInst::Predicate predicate) {
  return [predicate](Builder& b, llvm::Value* x, llvm::Value* y) {
    return b.CreateZExt(b.CreateICmp(predicate, x, y), b.getInt64Ty());
  };
}

/// Keeps the bytes whose bits of the mask are `kept`.
Operation bytes(bool kept) {
  return [kept](Builder& b, llvm::Value* x, llvm::Value* mask) {
    auto* const type = llvm::FixedVectorType::get(b.getInt1Ty(), 8);
    llvm::Value* bits = b.CreateBitCast(b.CreateTrunc(mask, b.getInt8Ty()), type);
    if (!kept) bits = b.CreateNot(bits);
    llvm::Value* const whole = b.CreateSExt(bits, llvm::FixedVectorType::get(b.getInt8Ty(), 8));
    return b.CreateAnd(x, b.CreateBitCast(whole, b.getInt64Ty()));
  };
}

llvm::Value* to_words(Builder& b, llvm::Value* lanes) {
  return b.CreateBitCast(lanes, llvm::FixedVectorType::get(b.getInt32Ty(), kWords));
}

const std::map<std::string, Operation>& scalar_operations() {
  using I = llvm::Instruction;
  using C = llvm::CmpInst;
  static const std::map<std::string, Operation> kOperations = {
      {"addw", of_words(I::Add)},        {"subw", of_words(I::Sub)},
      {"mulw", of_words(I::Mul)},        {"addl", of_longs(I::Add)},
      {"subl", of_longs(I::Sub)},        {"mull", of_longs(I::Mul)},
      {"s4addl", scaled(I::Add, 2)},     {"s8addl", scaled(I::Add, 3)},
      {"s4subl", scaled(I::Sub, 2)},     {"s8subl", scaled(I::Sub, 3)},
      {"and", of_longs(I::And)},         {"or", of_longs(I::Or)},
      {"xor", of_longs(I::Xor)},         {"andnot", with_complement(I::And)},
      {"ornot", with_complement(I::Or)}, {"sll", shift(I::Shl)},
      {"srl", shift(I::LShr)},           {"sra", shift(I::AShr)},
      {"cmpeq", compare(C::ICMP_EQ)},    {"cmplt", compare(C::ICMP_SLT)},
      {"cmple", compare(C::ICMP_SLE)},   {"cmpult", compare(C::ICMP_ULT)},
      {"cmpule", compare(C::ICMP_ULE)},  {"zap", bytes(false)},
      {"zapnot", bytes(true)},
  };
  return kOperations;
}

llvm::Instruction::BinaryOps float_operation(const std::string& name) {
  if (name.find("add") != std::string::npos) return llvm::Instruction::FAdd;
  if (name.find("sub") != std::string::npos) return llvm::Instruction::FSub;
  return name.find("mul") != std::string::npos ? llvm::Instruction::FMul : llvm::Instruction::FDiv;
}

}  // namespace

llvm::FixedVectorType* lanes_type(Builder& builder) {
  return llvm::FixedVectorType::get(builder.getInt64Ty(), kLanes);
}

llvm::FixedVectorType* doubles_type(Builder& builder) {
  return llvm::FixedVectorType::get(builder.getDoubleTy(), kLanes);
}

llvm::FixedVectorType* floats_type(Builder& builder) {
  return llvm::FixedVectorType::get(builder.getFloatTy(), kLanes);
}

llvm::Value* to_doubles(Builder& builder, llvm::Value* lanes) {
  return builder.CreateBitCast(lanes, doubles_type(builder));
}

llvm::Value* to_floats(Builder& builder, llvm::Value* lanes) {
  return builder.CreateFPTrunc(to_doubles(builder, lanes), floats_type(builder));
}

llvm::Value* to_lanes(Builder& builder, llvm::Value* vector) {
  if (vector->getType()->getScalarType()->isFloatTy()) {
    vector = builder.CreateFPExt(vector, doubles_type(builder));
  }
  return builder.CreateBitCast(vector, lanes_type(builder));
}

llvm::Value* scalar_operation(Builder& builder, const std::string& name, llvm::Value* a,
                              llvm::Value* b) {
  return scalar_operations().at(name)(builder, a, b);
}

llvm::Value* scalar_float_operation(Builder& builder, const std::string& name, llvm::Value* a,
                                    llvm::Value* b) {
  llvm::Type* const type = builder.getDoubleTy();
  llvm::Value* const result = builder.CreateBinOp(
      float_operation(name), builder.CreateBitCast(a, type), builder.CreateBitCast(b, type));
  return builder.CreateBitCast(result, builder.getInt64Ty());
}

llvm::Value* vector_operation(Builder& builder, const std::string& name, llvm::Value* a,
                              llvm::Value* b) {
  using I = llvm::Instruction;
  static const std::map<std::string, std::pair<I::BinaryOps, bool>> kBitwise = {
      {"vandw", {I::And, false}}, {"vbicw", {I::And, true}},  {"vbisw", {I::Or, false}},
      {"vornotw", {I::Or, true}}, {"vxorw", {I::Xor, false}}, {"veqvw", {I::Xor, true}}};
  if (const auto found = kBitwise.find(name); found != kBitwise.end()) {
    if (found->second.second) b = builder.CreateNot(b);
    return builder.CreateBinOp(found->second.first, a, b);
  }
  if (name == "vaddl" || name == "vsubl") {
    return builder.CreateBinOp(name == "vaddl" ? I::Add : I::Sub, a, b);
  }
  if (name == "vaddw" || name == "vsubw") {
    return to_lanes(builder, builder.CreateBinOp(name == "vaddw" ? I::Add : I::Sub,
                                                 to_words(builder, a), to_words(builder, b)));
  }
  const auto of = [&](llvm::Value* value) {
    return name.back() == 'd' ? to_doubles(builder, value) : to_floats(builder, value);
  };
  return to_lanes(builder, builder.CreateBinOp(float_operation(name), of(a), of(b)));
}

llvm::Value* fused_operation(Builder& builder, const std::string& name, llvm::Value* a,
                             llvm::Value* b, llvm::Value* c) {
  const auto of = [&](llvm::Value* value) {
    return name.back() == 'd' ? to_doubles(builder, value) : to_floats(builder, value);
  };
  // vmad: a b + c; vmsd: a b - c; vnmad: c - a b; vnmsd: -(a b) - c.
  llvm::Value* first = of(a);
  llvm::Value* last = of(c);
  if (name.starts_with("vn")) first = builder.CreateFNeg(first);
  if (name.find("ms") != std::string::npos) last = builder.CreateFNeg(last);
  return to_lanes(builder, builder.CreateIntrinsic(llvm::Intrinsic::fma, {first->getType()},
                                                   {first, of(b), last}));
}

llvm::Value* vector_shift(Builder& builder, const std::string& name, llvm::Value* a,
                          std::int64_t bits) {
  llvm::Value* const words = to_words(builder, a);
  llvm::Value* const by =
      builder.CreateVectorSplat(kWords, builder.getInt32(static_cast<std::uint32_t>(bits) & 31));
  return to_lanes(builder, name == "vsllw"   ? builder.CreateShl(words, by)
                           : name == "vsrlw" ? builder.CreateLShr(words, by)
                                             : builder.CreateAShr(words, by));
}

llvm::Value* vector_select(Builder& builder, const std::string& name, llvm::Value* c,
                           llvm::Value* x, llvm::Value* y) {
  const auto predicate = name.ends_with("eq")   ? llvm::CmpInst::FCMP_OEQ
                         : name.ends_with("lt") ? llvm::CmpInst::FCMP_OLT
                                                : llvm::CmpInst::FCMP_OLE;
  llvm::Value* const values = to_doubles(builder, c);
  llvm::Value* const zero = llvm::Constant::getNullValue(values->getType());
  return builder.CreateSelect(builder.CreateFCmp(predicate, values, zero), x, y);
}

llvm::Value* compares_with_zero(Builder& builder, const std::string& name, llvm::Value* value) {
  using C = llvm::CmpInst;
  static const std::map<std::string, C::Predicate> kPredicates = {
      {"eq", C::ICMP_EQ},  {"ne", C::ICMP_NE},  {"lt", C::ICMP_SLT},
      {"le", C::ICMP_SLE}, {"gt", C::ICMP_SGT}, {"ge", C::ICMP_SGE}};
  return builder.CreateICmp(kPredicates.at(name.substr(name.size() - 2)), value,
                            builder.getInt64(0));
}

}  // namespace solway::emulator
