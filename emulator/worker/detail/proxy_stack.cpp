#include <algorithm>

#include "emulator/worker/detail/call_graph.h"
#include "emulator/worker/detail/instrument.h"
#include "emulator/worker/detail/proxy_code.h"

namespace solway::emulator {
namespace {

class DeepestChain {
 public:
  DeepestChain(const std::map<std::string, std::set<std::string>>& calls, ProxyStack& stack)
      : calls_(calls), stack_(stack) {}

  std::uint64_t total(const std::string& name) {
    const auto known = stack_.total_bytes.find(name);
    if (known != stack_.total_bytes.end()) return known->second;
    const auto on_path = std::find(path_.begin(), path_.end(), name);
    if (on_path != path_.end()) {
      stack_.recursive.insert(on_path, path_.end());
      return 0;
    }
    path_.push_back(name);
    std::uint64_t deepest = 0;
    for (const std::string& callee : calls_.at(name)) deepest = std::max(deepest, total(callee));
    path_.pop_back();
    const std::uint64_t sum = stack_.own_bytes[name] + deepest;
    stack_.total_bytes[name] = sum;
    return sum;
  }

 private:
  const std::map<std::string, std::set<std::string>>& calls_;
  ProxyStack& stack_;
  std::vector<std::string> path_;
};

}  // namespace

ProxyStack measure_stack(const llvm::Module& cpe, const ProxyCode& code) {
  const CallGraph graph(cpe);
  ProxyStack stack;
  for (const auto& [name, function] : code.functions) stack.own_bytes[name] = function.frame_bytes;
  DeepestChain chain(graph.callees(), stack);
  for (const auto& [name, callees] : graph.callees()) chain.total(name);
  return stack;
}

}  // namespace solway::emulator
