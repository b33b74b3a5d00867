#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "support/target.h"

namespace solway::emulator {

/// A copy between the local memories of cores.
struct RmaWork {
  bool is_get = false;
  int issuer = 0;
  std::uint64_t others = 0;  ///< whose memory it is: a bit each
  std::uint64_t bytes = 0;
};

/// The bytes of a copy are where one of the others wants them, or were taken from there; or its
/// issuer has the reply that all is done.
struct RmaArrival {
  std::uint64_t copy = 0;  ///< its number
  int cpe = 0;
  bool is_reply = false;
  double cycle = 0;
};

/// Copies from LDM to LDM and when they are done. A core needs some time to issue one; clusters of
/// cores share an engine that sends their copies; what a core receives comes one after the other
/// (measured of single streams and of up to four cores: docs/calibration_sw26010pro.md).
class RmaQueue {
 public:
  /// `rows`, `columns`: of the mesh.
  RmaQueue(const RemoteCopyTiming& timing, int rows, int columns);

  /// From when a core can issue the next one.
  double next_issue(int cpe) const { return next_issue_[static_cast<std::size_t>(cpe)]; }
  /// Needs: no copy later than `cycle` before, and `next_issue(work.issuer)` not later.
  void issue(std::uint64_t copy, const RmaWork& work, double cycle);
  /// When the next arrival is; empty when nothing is under way.
  std::optional<double> next_arrival() const;
  /// What arrives up to `cycle`, in the order of time, then of issue.
  std::vector<RmaArrival> advance(double cycle);

 private:
  std::size_t cluster_of(int cpe) const;
  /// Until the first byte of one is at the other.
  double latency(int from, int to) const;

  RemoteCopyTiming timing_;
  int columns_;
  int clusters_per_row_;
  std::vector<double> next_issue_;   ///< by core
  std::vector<double> engine_free_;  ///< by cluster
  std::vector<double> port_free_;    ///< by core: from when it can receive
  std::multimap<double, RmaArrival> arrivals_;
};

}  // namespace solway::emulator
