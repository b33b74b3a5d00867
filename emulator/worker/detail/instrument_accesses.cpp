#include <cstddef>
#include <optional>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/hazard_checks.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/shared_state.h"

namespace solway::emulator {
namespace {

/// The value that `pointer` was made from by address arithmetic. Where a phi or select merges
/// pointers that were made from several values, a phi or select of these: the merged pointer itself
/// may lie in none of the objects, as in (c ? a : b - 2)[i + 2].
class RootFinder {
 public:
  llvm::Value* root(llvm::Value* pointer) {
    llvm::Value* const stripped = strip(pointer);
    if (!is_merge(stripped)) return stripped;
    const auto known = roots_.find(stripped);
    if (known != roots_.end()) return known->second;
    std::set<llvm::Value*> seen;
    std::set<llvm::Value*> sources;
    collect(stripped, seen, sources);
    if (sources.size() == 1) return roots_[stripped] = *sources.begin();
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(stripped)) return root_of_phi(*phi);
    return root_of_select(llvm::cast<llvm::SelectInst>(*stripped));
  }

 private:
  static bool is_merge(const llvm::Value* value) {
    return llvm::isa<llvm::PHINode>(value) || llvm::isa<llvm::SelectInst>(value);
  }

  static llvm::Value* strip(llvm::Value* pointer) {
    for (;;) {
      pointer = pointer->stripPointerCasts();
      auto* const gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (gep == nullptr) return pointer;
      pointer = gep->getPointerOperand();
    }
  }

  static void collect(llvm::Value* value, std::set<llvm::Value*>& seen,
                      std::set<llvm::Value*>& sources) {
    value = strip(value);
    if (!seen.insert(value).second) return;
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(value)) {
      for (llvm::Value* const incoming : phi->incoming_values()) collect(incoming, seen, sources);
    } else if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(value)) {
      collect(select->getTrueValue(), seen, sources);
      collect(select->getFalseValue(), seen, sources);
    } else {
      sources.insert(value);
    }
  }

  llvm::Value* root_of_phi(llvm::PHINode& phi) {
    auto* const out = llvm::PHINode::Create(phi.getType(), phi.getNumIncomingValues(), "root");
    out->insertBefore(phi.getIterator());
    roots_[&phi] = out;  // before what comes in: it may come from here
    for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
      out->addIncoming(root(phi.getIncomingValue(k)), phi.getIncomingBlock(k));
    }
    return out;
  }

  llvm::Value* root_of_select(llvm::SelectInst& select) {
    llvm::Value* const first = root(select.getTrueValue());
    llvm::Value* const second = root(select.getFalseValue());
    auto* const out = llvm::SelectInst::Create(select.getCondition(), first, second, "root");
    out->insertBefore(select.getIterator());
    return roots_[&select] = out;
  }

  std::map<llvm::Value*, llvm::Value*> roots_;
};

/// Instruments one function.
class AccessChecker {
 public:
  AccessChecker(HookBuilder& hooks, llvm::Function& function, Checks checks)
      : hooks_(hooks),
        function_(function),
        layout_(hooks.module().getDataLayout()),
        counts_time_(checks == Checks::Clock) {
    if (checks == Checks::Hazards) hazards_.emplace(hooks, function);
  }

  void run() {
    std::vector<Access> accesses;
    std::vector<llvm::MemIntrinsic*> intrinsics;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (auto* const intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        intrinsics.push_back(intrinsic);
      } else if (const auto access = access_of(instruction)) {
        accesses.push_back(*access);
      }
    }
    if (hazards_) hazards_->plan(accesses);
    for (const Access& access : accesses) check(access);
    for (llvm::MemIntrinsic* const intrinsic : intrinsics) {
      check_range(*intrinsic);
      if (hazards_) hazards_->check(*intrinsic);
    }
    if (!is_cpe(function_)) return;
    for (const Access& access : accesses) settle(access);
  }

 private:
  std::optional<Access> access_of(llvm::Instruction& instruction) const {
    const auto size = [&](llvm::Type* type) {
      return layout_.getTypeStoreSize(type).getFixedValue();
    };
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      return Access{load, load->getPointerOperand(), size(load->getType()), false};
    }
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      return Access{store, store->getPointerOperand(), size(store->getValueOperand()->getType()),
                    true};
    }
    if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      return Access{update, update->getPointerOperand(), size(update->getType()), true};
    }
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      return Access{exchange, exchange->getPointerOperand(),
                    size(exchange->getNewValOperand()->getType()), true};
    }
    return std::nullopt;
  }

  /// Size of the object when it is known here and its use need not be counted.
  std::optional<std::uint64_t> static_size(llvm::Value* root) const {
    if (const auto* const alloca = llvm::dyn_cast<llvm::AllocaInst>(root)) {
      const auto size = alloca->getAllocationSize(layout_);
      if (alloca->isStaticAlloca() && size) return size->getFixedValue();
    }
    if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(root)) {
      if (!argument->hasByValAttr()) return std::nullopt;
      return layout_.getTypeAllocSize(argument->getParamByValType()).getFixedValue();
    }
    if (const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(root)) {
      if (global->isDeclaration()) return std::nullopt;
      if (is_ldm_global(*global) || !is_cpe(function_)) {
        return layout_.getTypeAllocSize(global->getValueType()).getFixedValue();
      }
    }
    return std::nullopt;
  }

  std::uint32_t flags(bool store) const {
    return (store ? kAccessStore : 0) | (is_cpe(function_) ? kAccessCpe : 0);
  }

  void call_slow(llvm::IRBuilder<>& builder, const Access& access, llvm::Value* root) {
    builder.CreateCall(hooks_.hook("solway_access", hooks_.none(),
                                   {hooks_.pointer(), hooks_.i64(), hooks_.pointer(),
                                    hooks_.pointer(), hooks_.i32()}),
                       {access.pointer, builder.getInt64(access.bytes), root,
                        hooks_.site(*access.at), builder.getInt32(flags(access.store))});
  }

  void check(const Access& access) {
    llvm::Value* const root = finder_.root(access.pointer);
    if (llvm::isa<llvm::Function>(root) || root->getName() == "solway_shared") return;
    llvm::Instruction* object = nullptr;
    if (const auto size = static_size(root)) {
      check_static(access, root, *size);
    } else {
      object = check_dynamic(access, root);
    }
    if (hazards_) hazards_->check(access, root, object);
  }

  /// What the machine does more slowly, or what ends a wait, is not the compiler's to choose.
  void settle(const Access& access) {
    llvm::Value* const pointer = access.pointer;
    const bool is_vector = llvm::getLoadStoreType(access.at)->isVectorTy();
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(access.at)) {
      if (is_vector) load->setAlignment(std::min(load->getAlign(), llvm::Align(4)));
      if (!load->isVolatile()) return;
      llvm::IRBuilder<> builder(load);
      builder.CreateCall(
          hooks_.hook("solway_volatile", hooks_.none(), {hooks_.pointer(), hooks_.i64()}),
          {pointer, builder.getInt64(access.bytes)});
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access.at)) {
      if (is_vector) store->setAlignment(std::min(store->getAlign(), llvm::Align(4)));
    }
  }

  void check_static(const Access& access, llvm::Value* root, std::uint64_t size) {
    llvm::APInt offset(64, 0);
    const llvm::Value* const base = access.pointer->stripAndAccumulateConstantOffsets(
        layout_, offset, /*AllowNonInbounds=*/true);
    if (base == root && offset.isNonNegative() && access.bytes <= size &&
        offset.getZExtValue() <= size - access.bytes) {
      return;
    }
    llvm::IRBuilder<> builder(access.at);
    if (access.bytes > size) {
      call_slow(builder, access, root);
      return;
    }
    llvm::Value* const distance =
        builder.CreateSub(builder.CreatePtrToInt(access.pointer, hooks_.i64()),
                          builder.CreatePtrToInt(root, hooks_.i64()));
    llvm::Value* const outside =
        builder.CreateICmpUGT(distance, builder.getInt64(size - access.bytes));
    llvm::IRBuilder<> slow(branch_if(outside, access.at));
    call_slow(slow, access, root);
  }

  /// The call that gives the descriptor of the object.
  llvm::Instruction* check_dynamic(const Access& access, llvm::Value* root) {
    llvm::Instruction* const object = object_of(root, access.at);
    llvm::IRBuilder<> builder(access.at);
    const auto word = [&](std::size_t offset) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object, offset);
    };
    llvm::Value* const lo = builder.CreateLoad(hooks_.i64(), word(offsetof(Object, lo)));
    llvm::Value* const size = builder.CreateLoad(
        hooks_.i64(),
        word(access.store ? offsetof(Object, store_size) : offsetof(Object, load_size)));
    llvm::Value* const distance =
        builder.CreateSub(builder.CreatePtrToInt(access.pointer, hooks_.i64()), lo);
    llvm::Value* const outside = builder.CreateOr(
        builder.CreateICmpUGE(distance, size),
        builder.CreateICmpUGT(builder.getInt64(access.bytes), builder.CreateSub(size, distance)));
    if (!is_cpe(function_)) {
      llvm::IRBuilder<> slow(branch_if(outside, access.at));
      call_slow(slow, access, root);
      return object;
    }
    llvm::Instruction* then = nullptr;
    llvm::Instruction* otherwise = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(outside, access.at->getIterator(), &then, &otherwise,
                                        unlikely());
    llvm::IRBuilder<> slow(then);
    call_slow(slow, access, root);
    llvm::IRBuilder<> fast(otherwise);
    llvm::Value* const counter = fast.CreateConstInBoundsGEP1_64(
        fast.getInt8Ty(), object,
        access.store ? offsetof(Object, stored_bytes) : offsetof(Object, loaded_bytes));
    fast.CreateStore(
        fast.CreateAdd(fast.CreateLoad(hooks_.i64(), counter), fast.getInt64(access.bytes)),
        counter);
    if (counts_time_) count_main_access(fast, access, object);
    return object;
  }

  /// What the access takes longer in main memory than in the LDM.
  void count_main_access(llvm::IRBuilder<>& builder, const Access& access, llvm::Value* object) {
    llvm::Value* const mask = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object,
                                                                 offsetof(Object, main_mask));
    llvm::Value* const cost = builder.CreateLoad(
        hooks_.i64(),
        hooks_.shared_field(builder, access.store ? offsetof(SharedState, main_store_ticks)
                                                  : offsetof(SharedState, main_load_ticks)));
    llvm::Value* const more = builder.CreateAnd(cost, builder.CreateLoad(hooks_.i64(), mask));
    for (const std::size_t counter :
         {offsetof(SharedState, ticks), offsetof(SharedState, main_ticks)}) {
      llvm::Value* const field = hooks_.shared_field(builder, counter);
      builder.CreateStore(builder.CreateAdd(builder.CreateLoad(hooks_.i64(), field), more), field);
    }
  }

  void check_range(llvm::MemIntrinsic& intrinsic) {
    llvm::IRBuilder<> builder(&intrinsic);
    const auto callee = hooks_.hook(
        "solway_range", hooks_.none(),
        {hooks_.pointer(), hooks_.i64(), hooks_.pointer(), hooks_.pointer(), hooks_.i32()});
    llvm::Value* const bytes = builder.CreateZExtOrTrunc(intrinsic.getLength(), hooks_.i64());
    const auto check_side = [&](llvm::Value* pointer, bool store) {
      llvm::Value* const root = finder_.root(pointer);
      const auto size = static_size(root);
      const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(bytes);
      if (size && root == pointer && length != nullptr && length->getZExtValue() <= *size) return;
      // An automatic variable that does not escape is in no table.
      if (llvm::isa<llvm::AllocaInst>(root) && root == pointer && length != nullptr) return;
      builder.CreateCall(
          callee, {pointer, bytes, root, hooks_.site(intrinsic), builder.getInt32(flags(store))});
    };
    check_side(intrinsic.getRawDest(), true);
    if (auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
      check_side(transfer->getRawSource(), false);
    }
  }

  /// The descriptor of the object that holds `root`, looked up once, where `root` is made.
  llvm::Instruction* object_of(llvm::Value* root, llvm::Instruction* use) {
    llvm::Instruction* where = use;
    const bool local = llvm::isa<llvm::Instruction>(root) || llvm::isa<llvm::Argument>(root) ||
                       llvm::isa<llvm::GlobalVariable>(root);
    if (local) {
      const auto known = objects_.find(root);
      if (known != objects_.end()) return known->second;
      if (auto* const made = llvm::dyn_cast<llvm::Instruction>(root)) {
        const auto point = made->getInsertionPointAfterDef();
        if (point) where = &**point;
      } else if (hazards_ && hazards_->anchor() != nullptr) {
        where = hazards_->anchor()->getNextNode();
      } else {
        where = &*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      }
    }
    llvm::IRBuilder<> builder(where);
    builder.SetCurrentDebugLocation(use->getDebugLoc());
    llvm::Instruction* const object = builder.CreateCall(
        hooks_.hook("solway_object", hooks_.pointer(), {hooks_.pointer()}), {root});
    if (local) objects_[root] = object;
    return object;
  }

  llvm::MDNode* unlikely() {
    return llvm::MDBuilder(hooks_.module().getContext()).createUnlikelyBranchWeights();
  }

  llvm::Instruction* branch_if(llvm::Value* condition, llvm::Instruction* before) {
    return llvm::SplitBlockAndInsertIfThen(condition, before->getIterator(), false, unlikely());
  }

  HookBuilder& hooks_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  bool counts_time_;
  RootFinder finder_;
  std::map<llvm::Value*, llvm::Instruction*> objects_;
  std::optional<HazardChecks> hazards_;
};

}  // namespace

void instrument_accesses(HookBuilder& hooks, Checks checks) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : hooks.module()) {
    if (!function.isDeclaration()) functions.push_back(&function);
  }
  for (llvm::Function* const function : functions) {
    AccessChecker(hooks, *function, checks).run();
  }
}

}  // namespace solway::emulator
