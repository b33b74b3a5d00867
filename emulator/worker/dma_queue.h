#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace solway::emulator {

/// A request that the engine has done.
struct DmaCompletion {
  int cpe = 0;
  std::uint64_t request = 0;  ///< its number
  double cycle = 0;           ///< when
};

/// What a request takes of the engine.
struct DmaWork {
  double startup_cycles = 0;  ///< before anything moves; other requests may meanwhile
  double cycles = 0;          ///< of the whole engine
};

/// Requests of all CPEs and when they are done. A request starts some cycles after its issue; then
/// the CPEs that share a bus have equal parts of it as long as they have something to move, and the
/// requests of one CPE follow each other (Fang, thesis, section 3.2.3: four buses, each shared by
/// two columns of the mesh).
class DmaQueue {
 public:
  /// `buses`: each has as large a part of the engine's throughput.
  DmaQueue(int cpes, int buses);

  /// Needs: no request later than `cycle` before, and `advance(cycle)` first.
  void issue(int cpe, int bus, std::uint64_t request, double cycle, const DmaWork& work);
  /// When the next request will be done if no more come; empty when none is under way.
  std::optional<double> next_completion() const;
  /// Goes on to `cycle` and says what is done by then, in the order of time, then of CPEs.
  std::vector<DmaCompletion> advance(double cycle);
  /// Requests of a CPE that are not done.
  int pending(int cpe) const { return pending_[static_cast<std::size_t>(cpe)]; }

 private:
  struct Request {
    int cpe;
    std::uint64_t number;
    double start;  ///< the cycle
    double left;   ///< cycles of a whole bus
  };
  /// When something changes on a bus, and the request that is done then; -1: one starts.
  struct Event {
    double cycle;
    int done;
  };
  struct Bus {
    std::vector<Request> serving;  ///< the first of each CPE, by CPE
    double now = 0;

    int active() const;
    Event next_event() const;
    /// Lets what is served go on to `cycle`, before which nothing changes.
    void pass(double cycle);
    void insert(const Request& request);
  };

  std::optional<double> find_completion() const;

  std::vector<Bus> buses_;
  std::vector<std::deque<Request>> waiting_;  ///< by CPE: behind the one that is served
  std::vector<int> pending_;                  ///< by CPE
  mutable bool is_known_ = false;             ///< `completion_` is what `find_completion` gives
  mutable std::optional<double> completion_;
};

}  // namespace solway::emulator
