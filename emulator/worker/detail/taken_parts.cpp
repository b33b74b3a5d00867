#include "emulator/worker/detail/taken_parts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Instructions.h>

namespace solway::emulator {
namespace {

/// Which lanes of a loaded vector are used, where shuffles and lanes by number are all that takes
/// it; empty: all of them, as where several lanes share a byte.
std::vector<bool> taken_lanes(const llvm::Instruction& load) {
  constexpr unsigned kByte = 8;
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(load.getType());
  if (type == nullptr || type->getScalarSizeInBits() % kByte != 0) return {};
  const auto count = static_cast<int>(type->getNumElements());
  std::vector<bool> out(static_cast<std::size_t>(count), false);
  for (const llvm::Use& use : load.uses()) {
    if (const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(use.getUser())) {
      const int begin = use.getOperandNo() == 0 ? 0 : count;
      for (const int lane : shuffle->getShuffleMask()) {
        if (lane >= begin && lane < begin + count)
          out[static_cast<std::size_t>(lane - begin)] = true;
      }
      continue;
    }
    const auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(use.getUser());
    const auto* const lane = extract == nullptr
                                 ? nullptr
                                 : llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
    if (lane == nullptr || lane->getZExtValue() >= out.size()) return {};
    out[lane->getZExtValue()] = true;
  }
  return out;
}

}  // namespace

std::vector<TakenPart> taken_parts(const llvm::Instruction& load, std::uint64_t bytes) {
  const std::vector<bool> lanes = taken_lanes(load);
  std::vector<TakenPart> out;
  const std::uint64_t lane_bytes = lanes.empty() ? 0 : bytes / lanes.size();
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    if (!lanes[k]) continue;
    if (k == 0 || !lanes[k - 1]) out.push_back({k * lane_bytes, 0});
    out.back().bytes += lane_bytes;
  }
  if (out.empty()) out.push_back({0, bytes});
  return out;
}

}  // namespace solway::emulator
