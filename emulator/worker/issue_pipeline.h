#pragma once

#include <cstdint>
#include <vector>

namespace solway::emulator {

/// The pipes of a computing core (Fang, thesis, table 3.2): 0 has the floating-point and the vector
/// arithmetic and the multiplier, 1 loads, stores, messages and branches; either adds, compares and
/// shifts scalars.
enum class Pipe : std::uint8_t { Zero, One, Either };

/// What the issue logic has to know of one machine instruction.
struct MachineInstruction {
  Pipe pipe = Pipe::Either;
  int latency_cycles = 1;   ///< from its issue to the first use of what it writes; at least 1
  int blocking_cycles = 1;  ///< for so long its pipe takes no other one: more in a divider
  std::vector<int> reads;   ///< numbers of registers
  std::vector<int> writes;
  bool is_call = false;  ///< nothing is known of what comes in between; all has arrived after it
  bool is_name = false;  ///< not issued: what it writes is another name for what it reads
  int index = -1;  ///< of `reads`, one that it adds to an address; the core has offsets instead
};

/// Why cycles went by without an instruction.
struct IssueStalls {
  std::int64_t dependence_cycles = 0;  ///< an operand was not there yet
  std::int64_t pipe_cycles = 0;        ///< the pipe was blocked by what is not pipelined
};

/// Two instructions per cycle, in order (Fang, thesis, section 3.2.2): the second one goes with the
/// first when it needs another pipe and nothing that the first one writes. Of two that may use
/// either pipe the first takes pipe 1; one that may use either leaves its follower the pipe that
/// that needs.
///
/// Results arrive in any order, but two of the same register in the order of the program.
class IssuePipeline {
 public:
  explicit IssuePipeline(int registers);

  void issue(const MachineInstruction& instruction);
  /// Lets everything arrive.
  void drain();

  /// Issue slots that have gone by, two per cycle. An empty slot counts once the slot after it is
  /// taken; so the parts of a sequence add up to the whole.
  std::int64_t slots() const { return 2 * cycle_ + used_; }
  const IssueStalls& stalls() const { return stalls_; }

 private:
  struct Earliest {
    std::int64_t cycle;
    bool is_dependence;  ///< what it waits for longest
  };

  Earliest earliest(const MachineInstruction& instruction) const;
  bool goes_with_first(const MachineInstruction& instruction) const;
  bool is_free(Pipe pipe) const;  ///< zero or one, in this cycle

  std::vector<std::int64_t> ready_;  ///< by register: the cycle from which it can be read
  std::int64_t free_[2] = {0, 0};    ///< by pipe: the cycle from which it takes instructions
  std::int64_t cycle_ = 0;
  int used_ = 0;                   ///< instructions of this cycle
  Pipe first_ = Pipe::Either;      ///< where its first one goes
  std::vector<int> first_writes_;  ///< and what that writes
  IssueStalls stalls_;
};

}  // namespace solway::emulator
