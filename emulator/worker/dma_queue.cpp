#include "emulator/worker/dma_queue.h"

#include <algorithm>
#include <limits>

namespace solway::emulator {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kStart = -1;

}  // namespace

int DmaQueue::Bus::active() const {
  return static_cast<int>(std::count_if(serving.begin(), serving.end(),
                                        [&](const Request& one) { return one.start <= now; }));
}

DmaQueue::Event DmaQueue::Bus::next_event() const {
  const double share = active();
  Event next{kNever, kStart};
  for (std::size_t k = 0; k < serving.size(); ++k) {
    const Request& one = serving[k];
    const Event event = one.start <= now ? Event{now + one.left * share, static_cast<int>(k)}
                                         : Event{one.start, kStart};
    if (event.cycle < next.cycle) next = event;
  }
  return next;
}

void DmaQueue::Bus::pass(double cycle) {
  const double share = active();
  for (Request& one : serving) {
    if (one.start <= now) one.left = std::max(0.0, one.left - (cycle - now) / share);
  }
  now = cycle;
}

void DmaQueue::Bus::insert(const Request& request) {
  const auto behind = std::find_if(serving.begin(), serving.end(),
                                   [&](const Request& other) { return other.cpe > request.cpe; });
  serving.insert(behind, request);
}

DmaQueue::DmaQueue(int cpes, int buses)
    : buses_(static_cast<std::size_t>(buses)),
      waiting_(static_cast<std::size_t>(cpes)),
      pending_(static_cast<std::size_t>(cpes), 0) {}

void DmaQueue::issue(int cpe, int bus, std::uint64_t number, double cycle, const DmaWork& work) {
  const Request request{cpe, number, cycle + work.startup_cycles,
                        work.cycles * static_cast<double>(buses_.size())};
  is_known_ = false;
  if (pending_[static_cast<std::size_t>(cpe)]++ == 0) {
    buses_[static_cast<std::size_t>(bus)].insert(request);
  } else {
    waiting_[static_cast<std::size_t>(cpe)].push_back(request);
  }
}

std::optional<double> DmaQueue::next_completion() const {
  if (!is_known_) completion_ = find_completion();
  is_known_ = true;
  return completion_;
}

std::optional<double> DmaQueue::find_completion() const {
  double first = kNever;
  for (Bus bus : buses_) {  // a copy: what starts on the way slows the others down
    for (Event event = bus.next_event(); event.cycle < first; event = bus.next_event()) {
      if (event.done != kStart) {
        first = event.cycle;
        break;
      }
      bus.pass(event.cycle);
    }
  }
  if (first == kNever) return std::nullopt;
  return first;
}

std::vector<DmaCompletion> DmaQueue::advance(double cycle) {
  is_known_ = false;
  std::vector<DmaCompletion> out;
  for (Bus& bus : buses_) {
    for (Event event = bus.next_event(); event.cycle <= cycle; event = bus.next_event()) {
      bus.pass(event.cycle);
      if (event.done == kStart) continue;
      const Request done = bus.serving[static_cast<std::size_t>(event.done)];
      bus.serving.erase(bus.serving.begin() + event.done);
      out.push_back({done.cpe, done.number, event.cycle});
      --pending_[static_cast<std::size_t>(done.cpe)];
      auto& waiting = waiting_[static_cast<std::size_t>(done.cpe)];
      if (waiting.empty()) continue;
      bus.insert(waiting.front());
      waiting.pop_front();
    }
    bus.pass(std::max(cycle, bus.now));
  }
  std::sort(out.begin(), out.end(), [](const DmaCompletion& a, const DmaCompletion& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.request < b.request;
  });
  return out;
}

}  // namespace solway::emulator
