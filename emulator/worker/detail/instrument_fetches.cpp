#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "emulator/worker/detail/call_graph.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

/// Stands for code that is needed from here on, until the program has its other hooks.
constexpr const char* kMarker = "solway_needs_code";
constexpr const char* kHook = "solway_fetch_code";

constexpr std::int64_t kInstructionBytes = 4;
constexpr std::int64_t kFunctionAlignment = 16;

/// Code in [begin, end).
struct CodeRange {
  std::int64_t begin;
  std::int64_t end;
};

using CodeRanges = std::vector<CodeRange>;

/// Where the code of a function lies.
struct FunctionCode {
  CodeRange whole;
  std::map<std::string, CodeRanges> blocks;  ///< of its bitcode
};

std::int64_t bytes_of(const CodeBlock& block) {
  std::int64_t instructions = 0;
  for (const auto& stretch : block.stretches) {
    for (const MachineInstruction& one : stretch) instructions += one.is_name ? 0 : 1;
  }
  return kInstructionBytes * instructions;
}

/// What the compiler has put between two blocks goes with the one before.
FunctionCode lay_out(const ProxyFunction& function, std::int64_t begin) {
  FunctionCode code{{begin, begin}, {}};
  std::string name;
  for (const CodeBlock& block : function.blocks) {
    if (!block.name.empty()) name = block.name;
    CodeRanges& ranges = code.blocks[name];
    const std::int64_t end = code.whole.end + bytes_of(block);
    if (!ranges.empty() && ranges.back().end == code.whole.end) {
      ranges.back().end = end;
    } else if (end != code.whole.end) {
      ranges.push_back({code.whole.end, end});
    }
    code.whole.end = end;
  }
  return code;
}

std::map<std::string, FunctionCode> lay_out(const llvm::Module& module, const ProxyCode& code) {
  std::map<std::string, FunctionCode> out;
  std::int64_t end = 0;
  for (const llvm::Function& function : module) {
    const std::string name = function.getName().str();
    const auto found = code.functions.find(name);
    if (function.isDeclaration() || found == code.functions.end()) continue;
    const std::int64_t begin = (end + kFunctionAlignment - 1) / kFunctionAlignment;
    out[name] = lay_out(found->second, begin * kFunctionAlignment);
    end = out[name].whole.end;
  }
  return out;
}

class FetchMarker {
 public:
  FetchMarker(llvm::Module& module, const ProxyCode& code, std::int64_t cache_bytes)
      : module_(module),
        cache_bytes_(cache_bytes),
        calls_(module),
        functions_(lay_out(module, code)) {}

  void mark_all() {
    for (llvm::Function& function : module_) {
      const auto found = functions_.find(function.getName().str());
      if (found == functions_.end()) continue;
      if (bytes_with_callees({function.getName().str()}) <= cache_bytes_) {
        mark(*first_of(function.getEntryBlock()), found->second.whole);
      } else {
        mark_parts(function, found->second);
      }
    }
  }

 private:
  static llvm::Instruction* first_of(llvm::BasicBlock& block) {
    return &*block.getFirstNonPHIOrDbgOrAlloca();
  }

  /// Code of these functions and all that they call.
  std::int64_t bytes_with_callees(const std::set<std::string>& functions) const {
    std::set<std::string> all;
    std::vector<std::string> open(functions.begin(), functions.end());
    std::int64_t bytes = 0;
    while (!open.empty()) {
      const std::string name = open.back();
      open.pop_back();
      const auto code = functions_.find(name);
      if (code == functions_.end() || !all.insert(name).second) continue;
      bytes += code->second.whole.end - code->second.whole.begin;
      const std::set<std::string>& callees = calls_.callees().at(name);
      open.insert(open.end(), callees.begin(), callees.end());
    }
    return bytes;
  }

  static CodeRanges ranges_of(const llvm::Loop& loop, const FunctionCode& code) {
    CodeRanges out;
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      const auto found = code.blocks.find(block->getName().str());
      if (found == code.blocks.end()) continue;
      out.insert(out.end(), found->second.begin(), found->second.end());
    }
    return out;
  }

  std::int64_t bytes_of_loop(const llvm::Loop& loop, const FunctionCode& code) const {
    std::int64_t bytes = 0;
    for (const CodeRange& range : ranges_of(loop, code)) bytes += range.end - range.begin;
    std::set<std::string> callees;
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      callees.merge(calls_.callees_of(*block));
    }
    return bytes + bytes_with_callees(callees);
  }

  /// Loops that the cache has room for where they are entered, other blocks one by one.
  void mark_parts(llvm::Function& function, const FunctionCode& code) {
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    std::set<const llvm::BasicBlock*> in_loops;
    std::vector<llvm::Loop*> open(loops.begin(), loops.end());
    std::vector<llvm::Loop*> fitting;
    while (!open.empty()) {
      llvm::Loop* const loop = open.back();
      open.pop_back();
      if (bytes_of_loop(*loop, code) <= cache_bytes_) {
        fitting.push_back(loop);
        in_loops.insert(loop->block_begin(), loop->block_end());
      } else {
        open.insert(open.end(), loop->begin(), loop->end());
      }
    }
    for (llvm::BasicBlock& block : function) {
      const auto found = code.blocks.find(block.getName().str());
      if (in_loops.count(&block) != 0 || found == code.blocks.end()) continue;
      for (const CodeRange& range : found->second) mark(*first_of(block), range);
    }
    for (llvm::Loop* const loop : fitting) {
      llvm::BasicBlock* before = loop->getLoopPreheader();
      if (before == nullptr) {
        before = llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false);
      }
      llvm::Instruction& where =
          before == nullptr ? *first_of(*loop->getHeader()) : *before->getTerminator();
      for (const CodeRange& range : ranges_of(*loop, code)) mark(where, range);
    }
  }

  void mark(llvm::Instruction& before, const CodeRange& range) {
    llvm::IRBuilder<> builder(&before);
    llvm::Type* const number = builder.getInt64Ty();
    auto marker = module_.getOrInsertFunction(kMarker, builder.getVoidTy(), number, number);
    auto* const function = llvm::cast<llvm::Function>(marker.getCallee());
    // As for time: loops that only wait are told by what they do beside.
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    const auto constant = [&](std::int64_t value) {
      return builder.getInt64(static_cast<std::uint64_t>(value));
    };
    builder.CreateCall(marker, {constant(range.begin), constant(range.end - range.begin)});
  }

  llvm::Module& module_;
  std::int64_t cache_bytes_;
  CallGraph calls_;
  std::map<std::string, FunctionCode> functions_;
};

}  // namespace

void mark_fetches(llvm::Module& cpe, const ProxyCode& code, const MachineTiming& timing) {
  if (!timing.figures.instruction_cache) return;
  FetchMarker(cpe, code, timing.icache_bytes).mark_all();
}

void count_fetches(HookBuilder& hooks) {
  llvm::Function* const marker = hooks.module().getFunction(kMarker);
  if (marker == nullptr) return;
  auto hook = hooks.hook(kHook, hooks.none(), {hooks.i64(), hooks.i64()});
  marker->replaceAllUsesWith(hook.getCallee());
  marker->eraseFromParent();
}

}  // namespace solway::emulator
