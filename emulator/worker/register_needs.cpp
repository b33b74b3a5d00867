#include "emulator/worker/register_needs.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>

namespace solway::emulator {
namespace {

/// A bit each.
using RegisterSet = std::uint64_t;

constexpr int kWholeFunction = -1;

/// Registers of a loop, or of the function outside of all loops.
struct Needs {
  RegisterSet used = 0;
  RegisterSet written = 0;
  int most = 0;   ///< at once
  int inner = 0;  ///< too many in one of the loops in it
};

class Counting {
 public:
  Counting(const std::vector<CodeBlock>& blocks, const std::vector<int>& places)
      : blocks_(blocks), places_(places), live_before_(blocks.size(), 0) {
    find_uses();
    find_live();
    for (const CodeBlock& block : blocks_) count(block);
  }

  /// By the block that a loop begins with.
  std::map<int, Needs>& needs() { return needs_; }

 private:
  RegisterSet set_of(const std::vector<int>& registers) const {
    RegisterSet out = 0;
    for (const int reg : registers) {
      const int place = places_[static_cast<std::size_t>(reg)];
      if (place >= 0) out |= RegisterSet{1} << place;
    }
    return out;
  }

  RegisterSet read_by(const MachineInstruction& one) const {
    const RegisterSet all = set_of(one.reads);
    return one.index == -1 ? all : all & ~set_of({one.index});
  }

  /// The loops that a block is in, and the function.
  static std::vector<int> scopes_of(const CodeBlock& block) {
    std::vector<int> scopes = {kWholeFunction};
    scopes.insert(scopes.end(), block.loops.begin(), block.loops.end());
    return scopes;
  }

  void find_uses() {
    for (const CodeBlock& block : blocks_) {
      RegisterSet read = 0;
      RegisterSet written = 0;
      for (const auto& stretch : block.stretches) {
        for (const MachineInstruction& one : stretch) {
          read |= read_by(one);
          written |= set_of(one.writes);
        }
      }
      for (const int scope : scopes_of(block)) {
        needs_[scope].used |= read | written;
        needs_[scope].written |= written;
      }
    }
  }

  /// Calls `visit` with what is live between the instructions of a block, from its end on; gives
  /// what is live before it.
  template <typename Visitor>
  RegisterSet walk_back(const CodeBlock& block, Visitor visit) const {
    RegisterSet live = 0;
    for (const int next : block.successors) live |= live_before_[static_cast<std::size_t>(next)];
    visit(live);
    for (auto stretch = block.stretches.rbegin(); stretch != block.stretches.rend(); ++stretch) {
      for (auto one = stretch->rbegin(); one != stretch->rend(); ++one) {
        live = (live & ~set_of(one->writes)) | read_by(*one);
        visit(live);
      }
    }
    return live;
  }

  void find_live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;) {
        const RegisterSet live = walk_back(blocks_[b], [](RegisterSet) {});
        changed = changed || live != live_before_[b];
        live_before_[b] = live;
      }
    }
  }

  void count(const CodeBlock& block) {
    for (const int scope : scopes_of(block)) {
      Needs& needs = needs_.at(scope);
      walk_back(block, [&](RegisterSet live) {
        needs.most = std::max(needs.most, std::popcount(live & needs.used));
      });
    }
  }

  const std::vector<CodeBlock>& blocks_;
  const std::vector<int>& places_;
  std::vector<RegisterSet> live_before_;  ///< by block
  std::map<int, Needs> needs_;
};

/// Puts `more` among the instructions of the block, at equal distances.
void spread(CodeBlock& block, const std::vector<MachineInstruction>& more) {
  auto& stretch =
      *std::max_element(block.stretches.begin(), block.stretches.end(),
                        [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::vector<MachineInstruction> out;
  for (std::size_t k = 0, put = 0; k <= stretch.size(); ++k) {
    for (; put < more.size() && put * stretch.size() <= k * more.size(); ++put) {
      out.push_back(more[put]);
    }
    if (k < stretch.size()) out.push_back(stretch[k]);
  }
  stretch = std::move(out);
}

}  // namespace

void add_spills(std::vector<CodeBlock>& blocks, const std::vector<int>& places, int registers,
                int load_latency_cycles) {
  std::map<int, Needs> needs = Counting(blocks, places).needs();
  const auto too_many = [&](int scope) { return std::max(0, needs.at(scope).most - registers); };
  for (const CodeBlock& block : blocks) {
    int outer = kWholeFunction;
    for (const int loop : block.loops) {
      needs.at(outer).inner = std::max(needs.at(outer).inner, too_many(loop));
      outer = loop;
    }
  }
  for (const auto& [scope, of_scope] : needs) {
    const int spills = too_many(scope) - of_scope.inner;
    const int only_read = std::popcount(of_scope.used & ~of_scope.written);
    const MachineInstruction store{Pipe::One, 1, 1, {}, {}};
    const MachineInstruction load{Pipe::One, load_latency_cycles, 1, {}, {}};
    std::vector<MachineInstruction> more;
    for (int k = 0; k < spills; ++k) {
      if (k >= only_read) more.push_back(store);
      more.push_back(load);
    }
    const std::size_t head = scope == kWholeFunction ? 0 : static_cast<std::size_t>(scope);
    if (!more.empty()) spread(blocks[head], more);
  }
}

}  // namespace solway::emulator
