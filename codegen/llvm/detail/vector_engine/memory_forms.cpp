#include "codegen/llvm/detail/vector_engine/memory_forms.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>

#include "codegen/llvm/detail/vector_engine/active_lengths.h"
#include "codegen/llvm/detail/vector_engine/byte_forms.h"

namespace solway::codegen::detail {
namespace {

/// How an element is loaded and stored: of 8 bytes, or to the half of a register that it has.
struct Access {
  std::string load;  ///< empty: of fewer bytes
  std::string store;
  std::string gather;
  std::string scatter;
  unsigned size_bytes;

  bool is_of_bytes() const { return load.empty(); }
};

Access access_of(llvm::Type* type) {
  switch (element_of(type)) {
    case Element::Float32:
      return {"vldu", "vstu", "vgtu", "vscu", 4};
    case Element::Int32:
      return {"vldlsx", "vstl", "vgtlsx", "vscl", 4};
    case Element::Float64:
    case Element::Int64:
      return {"vld", "vst", "vgt", "vsc", 8};
    case Element::Int16:
      return {"", "", "", "", 2};
    case Element::Int8:
      return {"", "", "", "", 1};
  }
  return {};
}

/// Elements that lie equally far apart.
struct Spread {
  llvm::Value* first;
  llvm::Value* stride_bytes;
};

llvm::Value* addresses_of(Engine& e, const Spread& place) {
  llvm::Value* offsets = e.call("vmulsl.vsvl", {place.stride_bytes, e.lane_numbers()});
  return e.call("vaddsl.vsvl", {e.bits_of(place.first), offsets});
}

/// All of the length.
llvm::Value* load_all(Engine& e, const Access& access, const Spread& place) {
  if (access.is_of_bytes()) return load_bytes(e, addresses_of(e, place), nullptr);
  return e.call(access.load + ".vssl", {place.stride_bytes, place.first});
}

/// The first lanes, as many as `loaded` says, and those of `others` where more of them are used.
llvm::Value* load_spread(Engine& e, llvm::Type* type, const Spread& place, llvm::Value* loaded,
                         llvm::Value* others) {
  const Access access = access_of(type);
  llvm::Value* const used = e.length;
  const auto* few = llvm::dyn_cast<llvm::ConstantInt>(loaded);
  const auto* many = llvm::dyn_cast<llvm::ConstantInt>(used);
  const bool has_all = loaded == used || (few != nullptr && many != nullptr &&
                                          few->getZExtValue() >= many->getZExtValue());
  if (has_all) return load_all(e, access, place);
  llvm::Value* held = e.of(others);
  e.length = loaded;
  llvm::Value* out = access.is_of_bytes()
                         ? e.call("vor.vsvvl", {e.b.getInt64(0), load_all(e, access, place), held})
                         : e.call(access.load + ".vssvl", {place.stride_bytes, place.first, held});
  e.length = used;
  return out;
}

/// Of addresses in a register, by a mask.
llvm::Value* gather(Engine& e, llvm::Type* type, llvm::Value* addresses, llvm::Value* mask,
                    llvm::Value* others) {
  const Access access = access_of(type);
  llvm::Value* zero = e.b.getInt64(0);
  if (access.is_of_bytes()) {
    return e.call("vmrg.vvvml", {e.of(others), load_bytes(e, addresses, mask), mask});
  }
  return e.call(access.gather + ".vvssmvl", {addresses, zero, zero, mask, e.of(others)});
}

Spread neighbours(Engine& e, llvm::Value* first, llvm::Type* type) {
  return {first, e.b.getInt64(access_of(type).size_bytes)};
}

bool is_mask(const llvm::Type* type) { return type->getScalarType()->isIntegerTy(1); }

constexpr unsigned kWordsOfMask = kEngineLanes / 64;

llvm::Value* place_of_word(Engine& e, llvm::Value* memory, unsigned word) {
  return e.b.CreateConstGEP1_32(e.b.getInt64Ty(), memory, word);
}

llvm::Value* load_mask(Engine& e, llvm::Value* memory) {
  llvm::Value* out = e.all_or_none(false);
  for (unsigned word = 0; word < kWordsOfMask; ++word) {
    llvm::Value* bits = e.b.CreateLoad(e.b.getInt64Ty(), place_of_word(e, memory, word));
    out = e.call_of_all("lvm.mmss", {out, e.b.getInt64(word), bits});
  }
  return out;
}

void store_mask(Engine& e, llvm::Value* held, llvm::Value* memory) {
  for (unsigned word = 0; word < kWordsOfMask; ++word) {
    llvm::Value* bits = e.call_of_all("svm.sms", {held, e.b.getInt64(word)});
    e.b.CreateStore(bits, place_of_word(e, memory, word));
  }
}

}  // namespace

llvm::Value* lower_addresses(Engine& e, llvm::GetElementPtrInst& address) {
  const llvm::DataLayout& layout = address.getModule()->getDataLayout();
  llvm::Value* first = Engine::scalar_or_null(address.getPointerOperand());
  llvm::Value* offset = first == nullptr ? e.b.getInt64(0) : e.bits_of(first);
  llvm::Value* held = first == nullptr ? e.of(address.getPointerOperand()) : nullptr;
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    if (step.isStruct()) e.fail(address);
    llvm::Value* size = e.b.getInt64(step.getSequentialElementStride(layout));
    llvm::Value* index = step.getOperand();
    if (llvm::Value* scalar = Engine::scalar_or_null(index)) {
      scalar = e.b.CreateSExtOrTrunc(scalar, e.b.getInt64Ty());
      offset = e.b.CreateAdd(offset, e.b.CreateMul(scalar, size));
      continue;
    }
    if (element_of(index->getType()) != Element::Int64) e.fail(address);
    llvm::Value* moved = e.call("vmulsl.vsvl", {size, e.of(index)});
    held = held == nullptr ? moved : e.call("vaddsl.vvvl", {held, moved});
  }
  return held == nullptr ? e.repeated(offset) : e.call("vaddsl.vsvl", {offset, held});
}

llvm::Value* lower_load(Engine& e, llvm::LoadInst& load) {
  if (is_mask(load.getType())) return load_mask(e, load.getPointerOperand());
  return load_spread(e, load.getType(), neighbours(e, load.getPointerOperand(), load.getType()),
                     e.length, nullptr);
}

void lower_store(Engine& e, llvm::StoreInst& store) {
  llvm::Value* value = store.getValueOperand();
  if (is_mask(value->getType())) return store_mask(e, e.of(value), store.getPointerOperand());
  const Access access = access_of(value->getType());
  if (access.is_of_bytes()) {
    return store_bytes(e, e.of(value), store.getPointerOperand(), access.size_bytes);
  }
  e.call(access.store + ".vssl",
         {e.of(value), e.b.getInt64(access.size_bytes), store.getPointerOperand()});
}

llvm::Value* lower_masked_load_or_null(Engine& e, llvm::IntrinsicInst& call) {
  llvm::Type* type = call.getType();
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load: {
      llvm::Value* first = call.getArgOperand(0);
      llvm::Value* mask = call.getArgOperand(2);
      llvm::Value* others = call.getArgOperand(3);
      if (llvm::Value* count = prefix_or_null(mask)) {
        return load_spread(e, type, neighbours(e, first, type), count, others);
      }
      return gather(e, type, addresses_of(e, neighbours(e, first, type)), e.of(mask), others);
    }
    case llvm::Intrinsic::masked_gather:
      return gather(e, type, e.of(call.getArgOperand(0)), e.of(call.getArgOperand(2)),
                    call.getArgOperand(3));
    case llvm::Intrinsic::experimental_vp_strided_load: {
      llvm::Value* count = prefix_or_null(call.getArgOperand(2));
      if (count == nullptr) e.fail(call);
      e.length = count;
      return load_all(e, access_of(type), {call.getArgOperand(0), call.getArgOperand(1)});
    }
    default:
      return nullptr;
  }
}

bool lower_masked_store(Engine& e, llvm::IntrinsicInst& call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id != llvm::Intrinsic::masked_store && id != llvm::Intrinsic::masked_scatter &&
      id != llvm::Intrinsic::experimental_vp_strided_store) {
    return false;
  }
  llvm::Value* value = call.getArgOperand(0);
  llvm::Value* place = call.getArgOperand(1);
  llvm::Value* mask = call.getArgOperand(3);
  const Access access = access_of(value->getType());
  if (access.is_of_bytes()) {
    if (id != llvm::Intrinsic::masked_store || prefix_or_null(mask) == nullptr) e.fail(call);
    store_bytes(e, e.of(value), place, access.size_bytes);
    return true;
  }
  if (id == llvm::Intrinsic::masked_scatter) {
    llvm::Value* zero = e.b.getInt64(0);
    e.call(access.scatter + ".vvssml", {e.of(value), e.of(place), zero, zero, e.of(mask)});
    return true;
  }
  llvm::Value* stride =
      id == llvm::Intrinsic::masked_store ? e.b.getInt64(access.size_bytes) : call.getArgOperand(2);
  // Of the first lanes the length has been set.
  if (prefix_or_null(mask) != nullptr) {
    e.call(access.store + ".vssl", {e.of(value), stride, place});
  } else {
    e.call(access.store + ".vssml", {e.of(value), stride, place, e.of(mask)});
  }
  return true;
}

}  // namespace solway::codegen::detail
