#include <cstddef>

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "emulator/worker/detail/abi.h"
#include "emulator/worker/detail/hazard_checks.h"
#include "emulator/worker/detail/shared_state.h"
#include "emulator/worker/detail/taken_parts.h"

namespace solway::emulator {
namespace {

constexpr std::size_t kMostUses = 32;
constexpr std::size_t kMostSteps = 4;

bool is_located(const llvm::Instruction& instruction) {
  const llvm::DILocation* const location = instruction.getDebugLoc().get();
  return location != nullptr && location->getLine() != 0;
}

/// Moves the value elsewhere without looking at it.
bool only_moves(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BitCastInst>(instruction) || llvm::isa<llvm::FreezeInst>(instruction) ||
         llvm::isa<llvm::InsertElementInst>(instruction) ||
         llvm::isa<llvm::ExtractElementInst>(instruction) ||
         llvm::isa<llvm::ShuffleVectorInst>(instruction);
}

/// Whether the value only goes, through masks, back to where it was loaded from: the other fields
/// of a word are set.
bool only_updates(const llvm::Instruction& instruction, const llvm::Value* address, int steps = 8) {
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return store->getPointerOperand()->stripPointerCasts() == address;
  }
  const bool masks = llvm::isa<llvm::TruncInst>(instruction) ||
                     llvm::isa<llvm::ZExtInst>(instruction) ||
                     instruction.getOpcode() == llvm::Instruction::And ||
                     instruction.getOpcode() == llvm::Instruction::Or;
  return masks && steps > 0 && llvm::all_of(instruction.users(), [&](const llvm::User* user) {
           const auto* const next = llvm::dyn_cast<llvm::Instruction>(user);
           if (next == nullptr) return false;
           // In a register through a loop, and stored behind it.
           if (llvm::isa<llvm::PHINode>(next)) return true;
           return only_updates(*next, address, steps - 1);
         });
}

/// Whether the value only matters where a select takes it: the compiler computes both sides.
bool only_selected(const llvm::Instruction& instruction, int steps = 4) {
  if (steps == 0 || instruction.use_empty() || instruction.mayHaveSideEffects()) return false;
  return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
    if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(user)) {
      return select->getCondition() != &instruction &&
             !select->getCondition()->getType()->isVectorTy();
    }
    const auto* const next = llvm::dyn_cast<llvm::Instruction>(user);
    return next != nullptr && next->getParent() == instruction.getParent() &&
           only_selected(*next, steps - 1);
  });
}

bool is_volatile(const llvm::Instruction& instruction) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load != nullptr && load->isVolatile();
}

llvm::Align align_of(const llvm::Instruction& access) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&access)) return load->getAlign();
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&access)) return store->getAlign();
  return llvm::Align(4);
}

}  // namespace

HazardChecks::HazardChecks(HookBuilder& hooks, llvm::Function& function)
    : hooks_(hooks), function_(function) {
  if (!is_cpe(function)) return;
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  const auto load = [&](std::uint64_t offset) {
    return builder.CreateLoad(hooks.i64(), hooks.shared_field(builder, offset));
  };
  region_ = load(offsetof(SharedState, region));
  region_bytes_ = load(offsetof(SharedState, region_bytes));
  cell_bias_ = load(offsetof(SharedState, cell_bias));
}

void HazardChecks::plan(const std::vector<Access>& accesses) {
  if (!is_cpe(function_)) return;
  for (const Access& access : accesses) {
    if (access.store) continue;
    collect(access.at, *access.at, plans_[access.at], {});
  }
}

void HazardChecks::collect(llvm::Value* value, const llvm::Instruction& load, Plan& plan,
                           const Use& use) {
  for (llvm::User* const user : value->users()) {
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr) continue;
    if (plan.uses.size() >= kMostUses || use.steps.size() > kMostSteps) return;
    if (auto* const join = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      const auto enters = [&](const Step& step) { return step.join == join; };
      if (llvm::any_of(use.steps, enters)) continue;
      Use carried = use;
      carried.steps.push_back({value, true, join});
      collect(join, load, plan, carried);
      continue;
    }
    if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction)) {
      if (intrinsic->isAssumeLikeIntrinsic()) continue;
    }
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      if (select->getCondition() != value && !select->getCondition()->getType()->isVectorTy()) {
        Use chosen = use;
        chosen.steps.push_back({select->getCondition(), select->getTrueValue() == value});
        collect(select, load, plan, chosen);
        continue;
      }
    }
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(instruction);
    const bool copies = store != nullptr && store->getPointerOperand() != value;
    if (!copies && only_updates(*instruction, load.getOperand(0)->stripPointerCasts())) {
      continue;
    }
    const bool moved = only_moves(*instruction) || only_selected(*instruction);
    if (moved || (!copies && !is_located(*instruction))) {
      if (!instruction->getType()->isVoidTy()) {
        // A computation that was moved counts where its result is used.
        collect(instruction, load, plan, use);
        continue;
      }
    }
    const bool here = value == &load && !copies && is_located(load) &&
                      instruction->getParent() == load.getParent();
    if (here) {
      plan.computes_here = true;
    } else {
      Use found = use;
      found.user = instruction;
      plan.uses.push_back(found);
    }
  }
}

llvm::Instruction* HazardChecks::branch_if(llvm::Value* condition, llvm::Instruction* before) {
  return llvm::SplitBlockAndInsertIfThen(
      condition, before->getIterator(), false,
      llvm::MDBuilder(hooks_.module().getContext()).createUnlikelyBranchWeights());
}

/// Whether the object that `after` looked up lies in the CPEs' memory, found once.
llvm::Value* HazardChecks::in_region(llvm::Value* root, llvm::Instruction* after) {
  llvm::Value*& value = in_region_[after];
  if (value == nullptr) {
    llvm::IRBuilder<> builder(after->getNextNode());
    value = builder.CreateICmpULT(
        builder.CreateSub(builder.CreatePtrToInt(root, hooks_.i64()), region_), region_bytes_);
  }
  return value;
}

llvm::Value* HazardChecks::call_load(llvm::IRBuilder<>& builder, const Access& access) {
  const Plan& plan = plans_[access.at];
  const std::uint32_t flags = kAccessCpe | (is_volatile(*access.at) ? kAccessVolatile : 0) |
                              (plan.computes_here ? kAccessComputes : 0);
  const auto hook = hooks_.hook("solway_hazard_load", hooks_.i32(),
                                {hooks_.pointer(), hooks_.i64(), hooks_.pointer(), hooks_.i32()});
  llvm::Value* out = builder.getFalse();
  for (const TakenPart& part : taken_parts(*access.at, access.bytes)) {
    llvm::Value* const begin =
        part.first == 0
            ? access.pointer
            : builder.CreateConstGEP1_64(builder.getInt8Ty(), access.pointer, part.first);
    llvm::Value* const found = builder.CreateCall(
        hook,
        {begin, builder.getInt64(part.bytes), hooks_.site(*access.at), builder.getInt32(flags)});
    out = builder.CreateOr(out, builder.CreateICmpNE(found, builder.getInt32(0)));
  }
  return out;
}

void HazardChecks::call_main(llvm::IRBuilder<>& builder, const Access& access,
                             llvm::Value* object) {
  builder.CreateCall(hooks_.hook("solway_hazard_main", hooks_.none(),
                                 {hooks_.pointer(), hooks_.i64(), hooks_.pointer(),
                                  hooks_.pointer(), hooks_.i32()}),
                     {access.pointer, builder.getInt64(access.bytes), object,
                      hooks_.site(*access.at), builder.getInt32(access.store ? kAccessStore : 0)});
}

/// What `unwritten` says of a load, of what `use` takes, in front of `before`: phi nodes beside
/// each that the value enters say whether it came that way.
HazardChecks::Unwritten HazardChecks::after_steps(const Use& use, Unwritten unwritten,
                                                  llvm::Instruction* before) {
  std::vector<const Step*> selects;
  const auto found_at = [&](llvm::Instruction* place) {
    llvm::IRBuilder<> builder(place);
    llvm::Value* condition = unwritten.found;
    for (const Step* const select : selects) {
      condition = builder.CreateAnd(
          condition, select->wanted ? select->value : builder.CreateNot(select->value));
    }
    return condition;
  };
  for (const Step& step : use.steps) {
    if (step.join == nullptr) {
      selects.push_back(&step);
      continue;
    }
    const unsigned count = step.join->getNumIncomingValues();
    llvm::IRBuilder<> builder(step.join);
    llvm::PHINode* const found = builder.CreatePHI(builder.getInt1Ty(), count);
    llvm::PHINode* const address = builder.CreatePHI(builder.getPtrTy(), count);
    for (unsigned k = 0; k < count; ++k) {
      llvm::BasicBlock* const from = step.join->getIncomingBlock(k);
      if (const int same = found->getBasicBlockIndex(from); same >= 0) {  // of a switch
        found->addIncoming(found->getIncomingValue(static_cast<unsigned>(same)), from);
        address->addIncoming(address->getIncomingValue(static_cast<unsigned>(same)), from);
        continue;
      }
      const bool enters = step.join->getIncomingValue(k) == step.value;
      found->addIncoming(enters ? found_at(from->getTerminator()) : builder.getFalse(), from);
      address->addIncoming(
          enters ? unwritten.address : llvm::ConstantPointerNull::get(builder.getPtrTy()), from);
    }
    unwritten = {found, address};
    selects.clear();
  }
  return {found_at(before), unwritten.address};
}

void HazardChecks::check_uses(const Access& access, llvm::Value* unwritten) {
  const auto used = hooks_.hook("solway_unwritten_used", hooks_.none(),
                                {hooks_.pointer(), hooks_.i64(), hooks_.pointer()});
  const auto stored =
      hooks_.hook("solway_unwritten_stored", hooks_.none(),
                  {hooks_.pointer(), hooks_.i64(), hooks_.pointer(), hooks_.pointer()});
  for (const Use& use : plans_[access.at].uses) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(use.user);
    const bool copies = store != nullptr;
    llvm::Instruction* const before = copies ? use.user->getNextNode() : use.user;
    const auto [found, address] = after_steps(use, {unwritten, access.pointer}, before);
    llvm::IRBuilder<> slow(branch_if(found, before));
    llvm::Value* const bytes = slow.getInt64(access.bytes);
    llvm::Constant* const site = hooks_.site(*use.user);
    if (copies) {
      slow.CreateCall(stored, {store->getPointerOperand(), bytes, address, site});
    } else {
      slow.CreateCall(used, {address, bytes, site});
    }
  }
}

/// An access that is wider than the widest group of cells, or may not begin with a word.
llvm::Value* HazardChecks::check_wide(const Access& access, llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  if (!access.store) return call_load(builder, access);
  builder.CreateCall(hooks_.hook("solway_hazard_store", hooks_.none(),
                                 {hooks_.pointer(), hooks_.i64(), hooks_.pointer()}),
                     {access.pointer, builder.getInt64(access.bytes), hooks_.site(*access.at)});
  return builder.getFalse();
}

llvm::Value* HazardChecks::check_ldm(const Access& access, llvm::Instruction* before) {
  const std::uint64_t words = (access.bytes + 3) / 4;
  const bool plain = (words == 1 || words == 2 || words == 4 || words == 8) &&
                     align_of(*access.at).value() >= std::min<std::uint64_t>(access.bytes, 4);
  if (!plain) return check_wide(access, before);
  llvm::IRBuilder<> builder(before);
  auto* const type = builder.getIntNTy(static_cast<unsigned>(8 * words));
  llvm::Value* const cell = builder.CreateIntToPtr(
      builder.CreateAdd(builder.CreateLShr(builder.CreatePtrToInt(access.pointer, hooks_.i64()), 2),
                        cell_bias_),
      hooks_.pointer());
  llvm::Value* const state = builder.CreateAlignedLoad(type, cell, llvm::Align(1));
  llvm::Value* const marked = builder.CreateICmpNE(state, llvm::ConstantInt::get(type, 0));
  llvm::BasicBlock* const head = before->getParent();
  llvm::Instruction* const then = branch_if(marked, before);
  llvm::IRBuilder<> slow(then);
  if (access.store) {
    slow.CreateCall(hooks_.hook("solway_hazard_store", hooks_.none(),
                                {hooks_.pointer(), hooks_.i64(), hooks_.pointer()}),
                    {access.pointer, slow.getInt64(access.bytes), hooks_.site(*access.at)});
    return slow.getFalse();
  }
  llvm::Value* const found = call_load(slow, access);
  llvm::BasicBlock* const tail = then->getSuccessor(0);
  llvm::IRBuilder<> joined(tail, tail->begin());
  llvm::PHINode* const unwritten = joined.CreatePHI(joined.getInt1Ty(), 2);
  unwritten->addIncoming(joined.getFalse(), head);
  unwritten->addIncoming(found, then->getParent());
  return unwritten;
}

void HazardChecks::check_alignment(const Access& access) {
  const llvm::Align align = align_of(*access.at);
  if (!llvm::getLoadStoreType(access.at)->isVectorTy() || align.value() < 16) return;
  const std::uint64_t natural = std::min<std::uint64_t>(align.value(), access.bytes);
  llvm::IRBuilder<> builder(access.at);
  llvm::Value* const rest = builder.CreateAnd(builder.CreatePtrToInt(access.pointer, hooks_.i64()),
                                              builder.getInt64(natural - 1));
  llvm::IRBuilder<> slow(branch_if(builder.CreateICmpNE(rest, builder.getInt64(0)), access.at));
  slow.CreateCall(hooks_.hook("solway_misaligned", hooks_.none(),
                              {hooks_.pointer(), hooks_.i64(), hooks_.pointer()}),
                  {access.pointer, slow.getInt64(natural), hooks_.site(*access.at)});
}

void HazardChecks::check(const Access& access, llvm::Value* root, llvm::Instruction* object) {
  auto* const null =
      llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(hooks_.module().getContext()));
  const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(root);
  if (global != nullptr && global->isConstant() && !is_ldm_global(*global)) return;
  if (!is_cpe(function_)) {
    const auto* const alloca = llvm::dyn_cast<llvm::AllocaInst>(root);
    if (alloca != nullptr && !llvm::PointerMayBeCaptured(alloca, true, true)) return;
    llvm::IRBuilder<> builder(access.at);
    llvm::Value* const watched = builder.CreateLoad(
        hooks_.i64(), hooks_.shared_field(builder, offsetof(SharedState, mpe_watched)));
    llvm::IRBuilder<> slow(
        branch_if(builder.CreateICmpNE(watched, builder.getInt64(0)), access.at));
    call_main(slow, access, null);
    return;
  }
  check_alignment(access);
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(root);
  if (argument != nullptr && argument->hasByValAttr()) return;  // written by the call itself
  const bool ldm =
      llvm::isa<llvm::AllocaInst>(root) || (global != nullptr && is_ldm_global(*global));
  if (ldm) {
    check_uses(access, check_ldm(access, access.at));
    return;
  }
  if (object == nullptr) {
    llvm::IRBuilder<> builder(access.at);
    call_main(builder, access, null);
    return;
  }
  llvm::Value* const in_ldm = in_region(root, object);
  llvm::Instruction* then = nullptr;
  llvm::Instruction* otherwise = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(in_ldm, access.at->getIterator(), &then, &otherwise);
  llvm::IRBuilder<> main(otherwise);
  if (!access.store) {
    // What nobody may write has no races.
    llvm::Value* const writable = main.CreateLoad(
        hooks_.i64(),
        main.CreateConstInBoundsGEP1_64(main.getInt8Ty(), object, offsetof(Object, store_size)));
    main.SetInsertPoint(branch_if(main.CreateICmpNE(writable, main.getInt64(0)), otherwise));
  }
  call_main(main, access, object);
  llvm::Value* const found = check_ldm(access, then);
  if (plans_[access.at].uses.empty()) return;
  llvm::BasicBlock* const tail = access.at->getParent();
  llvm::IRBuilder<> joined(tail, tail->begin());
  llvm::PHINode* const unwritten = joined.CreatePHI(joined.getInt1Ty(), 2);
  unwritten->addIncoming(found, then->getParent());
  unwritten->addIncoming(joined.getFalse(), otherwise->getParent());
  check_uses(access, unwritten);
}

void HazardChecks::check(llvm::MemIntrinsic& intrinsic) {
  llvm::IRBuilder<> builder(&intrinsic);
  llvm::Value* const bytes = builder.CreateZExtOrTrunc(intrinsic.getLength(), hooks_.i64());
  llvm::Instruction* before = &intrinsic;
  if (!is_cpe(function_)) {
    llvm::Value* const watched = builder.CreateLoad(
        hooks_.i64(), hooks_.shared_field(builder, offsetof(SharedState, mpe_watched)));
    before = branch_if(builder.CreateICmpNE(watched, builder.getInt64(0)), before);
  }
  builder.SetInsertPoint(before);
  llvm::Constant* const site = hooks_.site(intrinsic);
  if (auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic)) {
    builder.CreateCall(
        hooks_.hook("solway_hazard_copy", hooks_.none(),
                    {hooks_.pointer(), hooks_.pointer(), hooks_.i64(), hooks_.pointer()}),
        {transfer->getRawDest(), transfer->getRawSource(), bytes, site});
    return;
  }
  builder.CreateCall(hooks_.hook("solway_hazard_range", hooks_.none(),
                                 {hooks_.pointer(), hooks_.i64(), hooks_.pointer(), hooks_.i32()}),
                     {intrinsic.getRawDest(), bytes, site, builder.getInt32(kAccessStore)});
}

}  // namespace solway::emulator
