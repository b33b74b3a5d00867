#pragma once

#include <cstddef>
#include <cstdint>

/// What instrumented code and the worker's runtime share: layouts and the names of the hooks.
/// The instrumentation writes constants of these layouts into the kernel's object file.
namespace solway::emulator {

/// One C statement that may be reported.
struct Site {
  const char* file;
  const char* function;
  std::int32_t line;
  std::int32_t column;
};

enum class ObjectKind : std::uint64_t {
  Unknown,
  Ldm,
  LdmHeap,
  LdmStack,
  Main,
  MainHeap,
  MainStack,
  Shared  ///< in the scratchpad that all CPEs see
};

/// One object with bounds. Instrumented code reads `lo`, `load_size`, `store_size` and adds to the
/// two counters; so these five stand first. Sizes are 0 once the object is gone.
struct Object {
  std::uint64_t lo;
  std::uint64_t load_size;
  std::uint64_t store_size;
  std::uint64_t loaded_bytes;
  std::uint64_t stored_bytes;
  std::uint64_t size;  ///< as declared
  const char* name;
  const Site* declared;  ///< null: unknown
  Object* previous;      ///< the next older automatic variable of the same thread
  ObjectKind kind;
  void* cells;              ///< of the main memory's shadow in hazard mode; null: none yet
  std::uint64_t main_mask;  ///< all ones: in main memory; 0: elsewhere
};

/// The modes of a DMA request, as slave.h numbers them.
inline constexpr int kOwnMode = 0;
inline constexpr int kBroadcastMode = 1;
inline constexpr int kRowMode = 2;
inline constexpr int kRowBroadcastMode = 3;
inline constexpr int kRankMode = 4;
/// Its operations that the emulator knows.
inline constexpr int kPutOperation = 0;
inline constexpr int kGetOperation = 1;

/// The scopes of athread_syn, as slave.h numbers them.
inline constexpr int kRowScope = 0;
inline constexpr int kColumnScope = 1;
inline constexpr int kArrayScope = 2;
inline constexpr int kPairScope = 3;     ///< two CPEs; of SW26010-Pro only
inline constexpr int kMachineScope = 4;  ///< all CPEs of all groups; of SW26010-Pro only

/// How CPEs reach the LDM of others in a program: flags.
inline constexpr std::uint64_t kSharesByTransfer = 1;  ///< transfers that may go to several
inline constexpr std::uint64_t kSharesByPut = 2;       ///< RMA into others
inline constexpr std::uint64_t kSharesByGet = 4;       ///< RMA from others

/// The name of an automatic variable that the compiler has optimised away.
inline constexpr const char* kUnnamedVariable = "an automatic variable";

inline constexpr unsigned kObjectWords = sizeof(Object) / 8;

/// A `__thread_local` object, as laid out in the LDM.
struct LdmObjectInfo {
  const char* name;
  const Site* declared;
  const void* initial;  ///< null: no initialiser
  std::uint64_t offset;
  std::uint64_t size;
};

/// A static object in main memory, or one that all CPEs see.
struct MainObjectInfo {
  const char* name;
  const Site* declared;
  const void* address;
  std::uint64_t size;
  std::uint64_t writable;
  std::uint64_t shared;  ///< 1: it lies in the scratchpad that all CPEs see
};

/// A CPE function, with the stack that it and what it calls need on the machine.
struct FunctionInfo {
  const char* name;
  const Site* declared;
  const void* address;
  std::uint64_t stack_bytes;
};

/// Heads the kernel's object file, under the name `solway_program`.
struct Program {
  const LdmObjectInfo* ldm_objects;
  std::uint64_t ldm_object_count;
  const MainObjectInfo* main_objects;
  std::uint64_t main_object_count;
  const FunctionInfo* functions;
  std::uint64_t function_count;
  std::int64_t (*entry)(void** arguments);
  std::uint64_t shares_ldm;  ///< flags kShares...
};

/// Flag bits of an access that a hook is told about.
inline constexpr std::uint32_t kAccessStore = 1;
inline constexpr std::uint32_t kAccessCpe = 2;
inline constexpr std::uint32_t kAccessVolatile = 4;
inline constexpr std::uint32_t kAccessComputes = 8;   ///< the loaded value is more than copied
inline constexpr std::uint32_t kAccessTransfer = 16;  ///< by a transfer, not by code

}  // namespace solway::emulator
