#include "codegen/llvm/detail/vector_engine/lane_forms.h"

#include <optional>

#include <llvm/IR/Constants.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_engine/mask_forms.h"

namespace solway::codegen::detail {
namespace {

llvm::Value* lane(Engine& e, llvm::Type* type, llvm::Value* held, llvm::Value* number) {
  switch (element_of(type)) {
    case Element::Float64:
      return e.call_of_all("lvsd.svs", {held, number});
    case Element::Float32:
      return e.call_of_all("lvss.svs", {held, number});
    case Element::Int64:
      return e.call_of_all("lvsl.svs", {held, number});
    case Element::Int32:
    case Element::Int16:
    case Element::Int8:
      return e.b.CreateTrunc(e.call_of_all("lvsl.svs", {held, number}), type);
  }
  return nullptr;
}

llvm::Value* first_lane(Engine& e, llvm::Type* type, llvm::Value* held) {
  return lane(e, type, held, e.b.getInt32(0));
}

/// The largest or the smallest, or NaN where there is one.
llvm::Value* extreme_of_floats(Engine& e, llvm::Type* type, const std::string& name,
                               llvm::Value* held) {
  const std::string suffix = type->isDoubleTy() ? "d" : "s";
  llvm::Value* nans = e.call("vfmk" + suffix + "nan.mvl", {held});
  llvm::Value* is_nan = e.b.CreateICmpNE(e.call("pcvm.sml", {nans}), e.b.getInt64(0));
  llvm::Value* number = first_lane(e, type, e.call(name + suffix + "fst.vvl", {held}));
  return e.b.CreateSelect(is_nan, llvm::ConstantFP::getNaN(type), number);
}

llvm::Value* sum_of_floats(Engine& e, llvm::IntrinsicInst& call, llvm::Value* held) {
  llvm::Type* type = call.getType();
  const std::string name = type->isDoubleTy() ? "vfsumd.vvl" : "vfsums.vvl";
  llvm::Value* sum = first_lane(e, type, e.call(name, {held}));
  auto* start = llvm::dyn_cast<llvm::ConstantFP>(call.getArgOperand(0));
  if (start != nullptr && start->isZero() && start->isNegative()) return sum;
  return e.b.CreateFAdd(call.getArgOperand(0), sum);
}

llvm::Value* of_integers(Engine& e, llvm::Type* type, const std::string& name,
                         const std::string& end, llvm::Value* held) {
  const bool is_word = type->isIntegerTy(32);
  return first_lane(
      e, type, e.call(name + (is_word ? "w" : "l") + end + (is_word ? "sx" : "") + ".vvl", {held}));
}

/// The second half of the lanes into the first one, until one is left. Lanes that are moved lie
/// within the length: what the machine takes for those behind it does not matter.
llvm::Value* product(Engine& e, llvm::Type* type, const ReducedPart& part) {
  constexpr const char* kNames[] = {"vfmuld", "vfmuls", "vmulsl", "vmulswsx"};
  const std::string name = kNames[static_cast<std::size_t>(element_of(type))];
  e.length = part.length;
  llvm::Value* held = e.of(part.vector);
  for (auto lanes = llvm::cast<llvm::ConstantInt>(part.length)->getZExtValue(); lanes > 1;) {
    const std::uint64_t moved = lanes / 2;
    const std::uint64_t kept = lanes - moved;
    e.length = e.b.getInt32(lanes);
    llvm::Value* second = e.call("vmv.vsvl", {e.b.getInt32(kept), held});
    e.length = e.b.getInt32(moved);
    held = e.call(name + ".vvvvl", {held, second, held});
    lanes = kept;
  }
  return first_lane(e, type, held);
}

llvm::Value* product_of_floats(Engine& e, llvm::IntrinsicInst& call) {
  llvm::Value* all = product(e, call.getType(), reduced_part(call));
  auto* start = llvm::dyn_cast<llvm::ConstantFP>(call.getArgOperand(0));
  if (start != nullptr && start->isExactlyValue(1)) return all;
  return e.b.CreateFMul(call.getArgOperand(0), all);
}

/// Of a comparison of a mask's bits with none or all.
std::optional<std::uint64_t> wanted_count(const llvm::User& user) {
  const auto* test = llvm::dyn_cast<llvm::ICmpInst>(&user);
  if (test == nullptr || !test->isEquality()) return std::nullopt;
  const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(test->getOperand(1));
  if (bits == nullptr || (!bits->isZero() && !bits->isMinusOne())) return std::nullopt;
  return bits->isZero() ? 0 : kEngineLanes;
}

bool is_population(const llvm::User& user) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::ctpop;
}

/// Those of a mask as one integer, whose lowest is the first lane's: of the machine's words it is
/// the highest.
llvm::Value* bits(Engine& e, llvm::Value* mask) {
  constexpr unsigned kBits = 64;
  llvm::Type* type = e.b.getIntNTy(kEngineLanes);
  llvm::Value* out = llvm::ConstantInt::get(type, 0);
  for (unsigned word = 0; word < kEngineLanes / kBits; ++word) {
    llvm::Value* part = e.call_of_all("svm.sms", {mask, e.b.getInt64(word)});
    part = e.b.CreateZExt(e.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, part), type);
    out = e.b.CreateOr(out, e.b.CreateShl(part, std::uint64_t{word} * kBits));
  }
  return out;
}

}  // namespace

llvm::Value* lower_reduction_or_null(Engine& e, llvm::IntrinsicInst& call) {
  llvm::Type* type = call.getType();
  const auto reduced = [&] {
    const ReducedPart part = reduced_part(call);
    e.length = part.length;
    return e.of(part.vector);
  };
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::vector_reduce_fadd:
      return sum_of_floats(e, call, reduced());
    case llvm::Intrinsic::vector_reduce_fmaximum:
      return extreme_of_floats(e, type, "vfrmax", reduced());
    case llvm::Intrinsic::vector_reduce_fminimum:
      return extreme_of_floats(e, type, "vfrmin", reduced());
    case llvm::Intrinsic::vector_reduce_add:
      return of_integers(e, type, "vsum", "", reduced());
    case llvm::Intrinsic::vector_reduce_fmul:
      return product_of_floats(e, call);
    case llvm::Intrinsic::vector_reduce_mul:
      return product(e, type, reduced_part(call));
    case llvm::Intrinsic::vector_reduce_smax:
      return of_integers(e, type, "vrmaxs", "fst", reduced());
    case llvm::Intrinsic::vector_reduce_smin:
      return of_integers(e, type, "vrmins", "fst", reduced());
    case llvm::Intrinsic::vector_reduce_or:
      if (!type->isIntegerTy(1)) return nullptr;
      return e.b.CreateICmpNE(e.call("pcvm.sml", {reduced()}), e.b.getInt64(0));
    case llvm::Intrinsic::vector_reduce_and:
      if (!type->isIntegerTy(1)) return nullptr;
      return e.b.CreateICmpEQ(e.call("pcvm.sml", {reduced()}), e.b.getInt64(kEngineLanes));
    default:
      return nullptr;
  }
}

bool lower_mask_test(Engine& e, llvm::Instruction& instruction) {
  const bool is_test = llvm::isa<llvm::BitCastInst>(instruction) &&
                       !is_engine_vector(instruction.getType()) &&
                       is_engine_vector(instruction.getOperand(0)->getType());
  if (!is_test) return false;
  llvm::Value* held = e.of(instruction.getOperand(0));
  llvm::Value* count = e.call("pcvm.sml", {held});
  bool is_counted = true;
  for (llvm::User* user : instruction.users()) {
    if (const auto wanted = wanted_count(*user)) {
      const auto predicate = llvm::cast<llvm::ICmpInst>(user)->getPredicate();
      user->replaceAllUsesWith(e.b.CreateICmp(predicate, count, e.b.getInt64(*wanted)));
    } else if (is_population(*user)) {
      user->replaceAllUsesWith(e.b.CreateZExt(count, user->getType()));
    } else {
      is_counted = false;
    }
  }
  if (!is_counted) {
    instruction.replaceAllUsesWith(e.b.CreateBitCast(bits(e, held), instruction.getType()));
  }
  return true;
}

llvm::Value* lower_extraction(Engine& e, llvm::ExtractElementInst& extraction) {
  llvm::Value* number = e.b.CreateZExtOrTrunc(extraction.getIndexOperand(), e.b.getInt32Ty());
  if (extraction.getType()->isIntegerTy(1)) {
    return lower_condition_of_lane(e, extraction.getVectorOperand(), number);
  }
  return lane(e, extraction.getType(), e.of(extraction.getVectorOperand()), number);
}

llvm::Value* lower_insertion(Engine& e, llvm::InsertElementInst& insertion) {
  if (insertion.getOperand(1)->getType()->isIntegerTy(1)) {
    return lower_inserted_condition(e, insertion);
  }
  llvm::Value* number = e.b.CreateZExtOrTrunc(insertion.getOperand(2), e.b.getInt32Ty());
  return e.call_of_all("lsv.vvss",
                       {e.of(insertion.getOperand(0)), number, e.bits_of(insertion.getOperand(1))});
}

}  // namespace solway::codegen::detail
