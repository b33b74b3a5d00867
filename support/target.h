#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/dtype.h"
#include "support/source_loc.h"

namespace solway {

enum class MemoryKind : std::uint8_t {
  Main,        ///< where the caller's arrays are
  Scratchpad,  ///< its size is a hard limit
  Cache,       ///< a copy that is meant to stay in a cache; the size is what pays
  Register
};

/// Who sees one and the same instance of a memory.
enum class MemorySharing : std::uint8_t { Core, Row, Column, All };

struct Memory {
  std::string name;  ///< the scope that schedules name: "ldm", "panel", "register", "main"
  MemoryKind kind = MemoryKind::Main;
  std::int64_t size_bytes = 0;      ///< of one instance
  std::int64_t reserved_bytes = 0;  ///< of that, what the system keeps for itself
  std::int64_t alignment_bytes = 1;
  MemorySharing shared_by = MemorySharing::All;
};

/// Measured throughput of one engine with all cores transferring.
struct BandwidthPoint {
  std::int64_t block_bytes = 0;  ///< contiguous bytes in main memory
  double get_gb_per_s = 0;       ///< 1e9 bytes per second, into the near memory
  double put_gb_per_s = 0;
};

/// Moves data between main memory and a near memory while the core computes.
struct TransferEngine {
  std::string name;
  std::string near;                  ///< name of the near memory
  int ranks = 1;                     ///< (count, stride) pairs in main memory per descriptor
  int max_pending = 1;               ///< unfinished transfers per core before the issue stalls
  std::int64_t alignment_bytes = 1;  ///< of both addresses and of every size
  std::int64_t min_size_bytes = 1;
  std::int64_t max_size_bytes = 0;      ///< of one transfer
  std::int64_t max_block_bytes = 0;     ///< of its contiguous piece
  std::int64_t transaction_bytes = 1;   ///< main memory moves multiples of this
  std::int64_t startup_cycles = 0;      ///< of the core's clock
  std::int64_t put_startup_cycles = 0;  ///< of puts; the same unless a target file says otherwise
  int buses = 1;                        ///< that cores share, neighbouring columns together
  /// Throughput of whole transactions that blocks touch which begin within one; 0: not known.
  double misaligned_gb_per_s = 0;
  /// A transaction that such a block writes in part takes so much longer, of the core's clock.
  int partial_put_cycles = 0;
  /// And one that a block ends in which begins with a transaction.
  int aligned_partial_put_cycles = 0;
  std::vector<BandwidthPoint> bandwidth;  ///< by rising block size
  /// A scratchpad of all cores that it fills from main memory too, and from which it fills `near`;
  /// "": none.
  std::string through{};
};

/// An instruction that adds to each lane of int32 the products of 4 lanes of `a` and of `b`.
struct DotForm {
  DType a = DType::UInt8;
  DType b = DType::Int8;

  bool operator==(const DotForm&) const = default;
};

struct VectorUnit {
  int register_bits = 0;
  int registers = 0;
  std::map<DType, int> lanes;  ///< types that are absent have no vector form
  /// Registers hold some multiple of `lanes`, which is known when a kernel runs.
  bool is_scalable = false;
  int fma_latency_cycles = 0;
  int load_latency_cycles = 0;
  /// Follow from the features of the processor, not from the target file alone.
  std::vector<DotForm> dots{};

  bool has_dot(DType a, DType b) const;
};

/// Of messages between registers of cores.
struct MessageTiming {
  int latency_cycles = 0;          ///< until another core has what was sent
  double interval_cycles = 0;      ///< between two that a core sends, or two that it has
  int receive_latency_cycles = 1;  ///< until what a core has received can be used
};

template <typename TimingType, typename Visitor>
void for_each_message_figure(TimingType& timing, Visitor visit) {
  visit("latency_cycles", timing.latency_cycles, 0);
  visit("interval_cycles", timing.interval_cycles, 0);
  visit("receive_latency_cycles", timing.receive_latency_cycles, 1);
}

/// Of copies between the local memories of cores. Clusters of neighbouring cores share an engine.
struct RemoteCopyTiming {
  int cluster_rows = 1;
  int cluster_columns = 1;
  int latency_cycles = 0;      ///< until the first byte is there, within a cluster
  int hop_cycles = 0;          ///< more for each cluster further along rows and columns
  int reply_cycles = 0;        ///< until the issuer has the reply, beside the bytes' time
  int interval_cycles = 0;     ///< between two that a core issues
  int request_cycles = 0;      ///< of the engine, for a small one
  double bytes_per_cycle = 1;  ///< of the engine, and of what a core receives
};

template <typename TimingType, typename Visitor>
void for_each_remote_copy_figure(TimingType& timing, Visitor visit) {
  visit("cluster_rows", timing.cluster_rows, 1);
  visit("cluster_columns", timing.cluster_columns, 1);
  visit("latency_cycles", timing.latency_cycles, 0);
  visit("hop_cycles", timing.hop_cycles, 0);
  visit("reply_cycles", timing.reply_cycles, 0);
  visit("interval_cycles", timing.interval_cycles, 0);
  visit("request_cycles", timing.request_cycles, 0);
  visit("bytes_per_cycle", timing.bytes_per_cycle, 1);
}

/// Of what the instruction cache of a core, Cores::icache_bytes, has not. Behind it lies a cache
/// that all cores share, then main memory.
struct InstructionCacheTiming {
  int line_bytes = 1;  ///< of both caches
  int ways = 1;        ///< lines of both that compete for the same place
  int shared_bytes = 0;
  int shared_cycles = 0;  ///< until a line of the shared cache is there
  int main_cycles = 0;    ///< until one of main memory is
};

template <typename TimingType, typename Visitor>
void for_each_instruction_cache_figure(TimingType& timing, Visitor visit) {
  visit("line_bytes", timing.line_bytes, 1);
  visit("ways", timing.ways, 1);
  visit("shared_bytes", timing.shared_bytes, 0);
  visit("shared_cycles", timing.shared_cycles, 0);
  visit("main_cycles", timing.main_cycles, 0);
}

/// What the cores take for what they do, in cycles of their clock, beside what VectorUnit has.
struct Timing {
  int multiply_latency_cycles = 1;  ///< of integers
  int vector_latency_cycles = 1;    ///< shuffles, integer and logical operations on vectors
  int float_divide_cycles = 1;      ///< not pipelined; roots too
  int integer_divide_cycles = 1;
  int library_call_cycles = 0;  ///< of the C library's functions
  int main_load_cycles = 0;     ///< of main memory, without a transfer engine
  int main_store_cycles = 0;
  int main_access_cycles = 0;  ///< for which one such access keeps main memory busy
  int barrier_cycles = 0;
  int counter_latency_cycles = 1;  ///< until a reading of the cycle counter can be used
  int spawn_cycles = 0;            ///< until the cores start what they are given
  int join_cycles = 0;
  int shared_registers = 0;  ///< that integers and vectors have together; 0: each have their own
  std::optional<InstructionCacheTiming> instruction_cache;  ///< empty: not known
  std::optional<MessageTiming> messages;                    ///< empty: not known
  std::optional<RemoteCopyTiming> remote_copies;            ///< empty: not known
};

/// Calls `visit(name, figure, least)` for every figure of a Timing itself, with its name in target
/// files and the least that it can be.
template <typename TimingType, typename Visitor>
void for_each_figure(TimingType& timing, Visitor visit) {
  visit("multiply_latency_cycles", timing.multiply_latency_cycles, 1);
  visit("vector_latency_cycles", timing.vector_latency_cycles, 1);
  visit("float_divide_cycles", timing.float_divide_cycles, 1);
  visit("integer_divide_cycles", timing.integer_divide_cycles, 1);
  visit("library_call_cycles", timing.library_call_cycles, 0);
  visit("main_load_cycles", timing.main_load_cycles, 0);
  visit("main_store_cycles", timing.main_store_cycles, 0);
  visit("main_access_cycles", timing.main_access_cycles, 0);
  visit("barrier_cycles", timing.barrier_cycles, 0);
  visit("counter_latency_cycles", timing.counter_latency_cycles, 1);
  visit("spawn_cycles", timing.spawn_cycles, 0);
  visit("join_cycles", timing.join_cycles, 0);
  visit("shared_registers", timing.shared_registers, 0);
}

struct Cores {
  int count = 0;  ///< 0: as many as the user allows when the kernel runs
  int mesh_rows = 0;
  int mesh_columns = 0;           ///< 0 by 0: no mesh; else rows * columns == count
  std::int64_t clock_mhz = 0;     ///< 0: unknown when compiling
  std::int64_t icache_bytes = 0;  ///< per core
  int groups = 1;  ///< of so many cores each, on one main memory, that a program may use
};

/// A machine that is not the one which compiles: how code is made for it, and run without it.
struct ForeignMachine {
  std::string triple;                 ///< LLVM's name of the architecture and its system
  std::string features;               ///< what its code uses beyond `Target::llvm_cpu`: "+v"
  std::vector<std::string> emulator;  ///< the program that runs its programs here, and options;
                                      ///< empty: none
  std::string compiler;               ///< a C compiler that runs here and links its programs
};

/// The scope that schedules name for a scratchpad of all cores: of a buffer there is one, not one
/// for each core.
inline constexpr const char* kSharedScope = "shared";

/// A machine as data: everything that schedules, planners and code generators ask about it.
struct Target {
  std::string name;
  std::string description;
  std::string dialect;   ///< how transfers and calls are written: "host", "c", "athread", "generic"
  std::string llvm_cpu;  ///< for dialect "host": LLVM's name of the processor; else empty
  std::optional<ForeignMachine> foreign;  ///< for dialect "host": empty: this machine
  std::string pragmas;        ///< for dialect "c": whose directives loops carry, "nec"; empty: none
  std::string machine;        ///< whose calls and headers: for dialect "athread" "sw26010" or
                              ///< "sw26010pro", for "generic" "generic"; else empty
  std::string default_scope;  ///< where buffer_read and buffer_write stage unless told
  Cores cores;
  std::vector<Memory> memories;
  std::vector<TransferEngine> transfer_engines;  ///< empty: plain loads and stores copy
  std::optional<VectorUnit> vector;
  std::optional<Timing> timing;  ///< empty: time cannot be emulated

  /// The memory of that name, or null.
  const Memory* memory_or_null(std::string_view scope) const;
  /// Throws UnsupportedError that lists the target's scopes when there is no such one, or when
  /// it is main memory, where nothing is staged.
  const Memory& require_scope(std::string_view scope, const SourceLoc& where) const;
  /// The engine that fills that memory, or null.
  const TransferEngine* engine_or_null(std::string_view near) const;
  /// Whether its code has two sides, that of a managing core and that of the others, which the
  /// emulator runs.
  bool is_emulated() const { return !machine.empty(); }
  /// The memory of each core that transfers of such code fill: "ldm" of dialect "athread", the
  /// default scope of "generic". Null when that is no scratchpad of one core.
  const Memory* scratchpad_or_null() const;
  /// The scratchpad of all cores that the engine of scratchpad_or_null() fills; null without.
  const Memory* shared_or_null() const;
  /// Elements of one vector register; 1 without a vector form.
  int lanes(DType type) const;
  /// Elements of so many bytes and more are loaded and stored by masks where only some lanes of a
  /// vector count: with AVX-512 all, with AVX2 4. 0: none are; where registers are scalable, code
  /// has other means.
  int masked_bytes() const;
};

/// Bits of a vector register for each unit of the vector scale (ir::VectorScale) of the machine of
/// an LLVM triple, where its registers can be scalable; 0 for others.
int vector_scale_bits(const std::string& triple);

/// Reads a target from TOML text; `file` names it in errors. Throws ScheduleArgumentError with the
/// key and its line for a key that is unknown, missing, of another type or out of range.
Target parse_target(std::string_view toml, const std::string& file, const SourceLoc& where);

/// A target that comes with solway, "host", or a path that ends in ".toml". Throws
/// ScheduleArgumentError for a name that is none of these or a file that cannot be read.
Target load_target(const std::string& name_or_path, const SourceLoc& where);

/// Names of the targets that come with solway, sorted; "host" is not among them.
std::vector<std::string> builtin_target_names();

/// The one of them that "host" stands for on this machine. Throws UnsupportedError when no target
/// matches this processor.
std::string host_target_name();

}  // namespace solway
