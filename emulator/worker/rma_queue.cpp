#include "emulator/worker/rma_queue.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace solway::emulator {
namespace {

int parts(int whole, int part) { return (whole + part - 1) / part; }

}  // namespace

RmaQueue::RmaQueue(const RemoteCopyTiming& timing, int rows, int columns)
    : timing_(timing),
      columns_(columns),
      clusters_per_row_(parts(columns, timing.cluster_columns)),
      next_issue_(static_cast<std::size_t>(rows * columns), 0),
      engine_free_(static_cast<std::size_t>(parts(rows, timing.cluster_rows) * clusters_per_row_),
                   0),
      port_free_(static_cast<std::size_t>(rows * columns), 0) {}

std::size_t RmaQueue::cluster_of(int cpe) const {
  const int row = cpe / columns_ / timing_.cluster_rows;
  const int cluster = row * clusters_per_row_ + cpe % columns_ / timing_.cluster_columns;
  return static_cast<std::size_t>(cluster);
}

double RmaQueue::latency(int from, int to) const {
  const int rows =
      std::abs(from / columns_ / timing_.cluster_rows - to / columns_ / timing_.cluster_rows);
  const int columns =
      std::abs(from % columns_ / timing_.cluster_columns - to % columns_ / timing_.cluster_columns);
  return timing_.latency_cycles + timing_.hop_cycles * (rows + columns);
}

void RmaQueue::issue(std::uint64_t copy, const RmaWork& work, double cycle) {
  const auto issuer = static_cast<std::size_t>(work.issuer);
  double& engine = engine_free_[cluster_of(work.issuer)];
  const double start = std::max(cycle, engine);
  const double moving = static_cast<double>(work.bytes) / timing_.bytes_per_cycle;
  next_issue_[issuer] = cycle + timing_.interval_cycles;
  engine = start + std::max<double>(timing_.request_cycles, moving);
  const auto arrive = [&](int cpe, bool is_reply, double when) {
    arrivals_.emplace(when, RmaArrival{copy, cpe, is_reply, when});
  };
  double reply = start + timing_.reply_cycles + moving;
  for (std::uint64_t left = work.others; left != 0; left &= left - 1) {
    const int other = std::countr_zero(left);
    const double reached = start + latency(work.issuer, other);
    if (work.is_get) {  // it has asked; the bytes come back
      arrive(other, false, reached + moving);
      double& port = port_free_[issuer];
      port = std::max(reached + timing_.reply_cycles, port) + moving;
      reply = std::max(reply, port);
      continue;
    }
    double& port = port_free_[static_cast<std::size_t>(other)];
    const double late = std::max(0.0, port - reached);
    port = reached + late + moving;
    arrive(other, false, port);
    reply = std::max(reply, start + timing_.reply_cycles + moving + late);
  }
  arrive(work.issuer, true, reply);
}

std::optional<double> RmaQueue::next_arrival() const {
  if (arrivals_.empty()) return std::nullopt;
  return arrivals_.begin()->first;
}

std::vector<RmaArrival> RmaQueue::advance(double cycle) {
  std::vector<RmaArrival> out;
  while (!arrivals_.empty() && arrivals_.begin()->first <= cycle) {
    out.push_back(arrivals_.begin()->second);
    arrivals_.erase(arrivals_.begin());
  }
  return out;
}

}  // namespace solway::emulator
