#include "emulator/worker/detail/watched_heap.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace solway::emulator {
namespace {

void note_main_block(void* block, std::size_t bytes) {
  if (block != nullptr && bytes != 0) {
    machine().main_objects().add(ObjectKind::MainHeap, as_number(block), bytes, "malloc",
                                 shared_state().site);
  }
}

/// Blocks lie alike in the transactions of main memory in every run, as timed mode goes by that:
/// 16 bytes behind the start of one, as the C library's large blocks do; or, where the program asks
/// for more alignment, at its start.
constexpr std::size_t kTransaction = 128;
constexpr std::size_t kBehind = 16;

std::size_t whole(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// What is no power of two, the C library refuses.
std::size_t alignment_for(std::size_t asked) {
  return std::has_single_bit(asked) ? std::max(asked, kTransaction) : asked;
}

void* allocate(std::size_t bytes) {
  auto* const begin = static_cast<char*>(std::aligned_alloc(
      kTransaction, whole(std::max<std::size_t>(bytes, 1) + kBehind, kTransaction)));
  return begin == nullptr ? nullptr : begin + kBehind;
}

void release(void* block) {
  const bool is_behind = as_number(block) % kTransaction == kBehind;
  std::free(is_behind ? static_cast<char*>(block) - kBehind : block);
}

/// The block that the program has allocated; null: the C library did.
Object* own_block(void* block) {
  if (block == nullptr) return nullptr;
  Object* const object = machine().main_objects().find(as_number(block));
  return object != nullptr && object->kind == ObjectKind::MainHeap ? object : nullptr;
}

void* watched_malloc(std::size_t bytes) {
  if (bytes == 0) return std::malloc(0);
  void* const block = allocate(bytes);
  note_main_block(block, bytes);
  return block;
}

void* watched_calloc(std::size_t count, std::size_t each) {
  const bool fits = each == 0 || count <= (std::size_t{1} << 48) / each;
  void* const block = fits ? watched_malloc(count * each) : nullptr;
  if (block != nullptr) std::memset(block, 0, count * each);
  return block;
}

void* watched_aligned_alloc(std::size_t align, std::size_t bytes) {
  const std::size_t unit = alignment_for(align);
  void* const block = std::aligned_alloc(unit, whole(bytes, unit));
  note_main_block(block, bytes);
  return block;
}

int watched_posix_memalign(void** block, std::size_t align, std::size_t bytes) {
  const int result = posix_memalign(block, alignment_for(align), bytes);
  if (result == 0) note_main_block(*block, bytes);
  return result;
}

void watched_free(void* block) {
  Object* const object = own_block(block);
  if (object == nullptr) {
    std::free(block);
    return;
  }
  machine().main_objects().remove(object);
  release(block);
}

void* watched_realloc(void* old, std::size_t bytes) {
  const Object* const object = own_block(old);
  if (object == nullptr && old != nullptr) return std::realloc(old, bytes);
  const std::size_t kept = object == nullptr ? 0 : std::min<std::size_t>(object->size, bytes);
  void* const block = watched_malloc(bytes);
  if (block == nullptr) return nullptr;
  if (kept != 0) std::memcpy(block, old, kept);
  if (old != nullptr) watched_free(old);
  return block;
}

/// The operator new of C++; it ends the program where there is no memory, as exceptions are off.
void* watched_new(std::size_t bytes) {
  void* const block = watched_malloc(std::max<std::size_t>(bytes, 1));
  if (block == nullptr) std::abort();
  return block;
}
void watched_delete(void* block) { watched_free(block); }
void watched_sized_delete(void* block, std::size_t) { watched_free(block); }

}  // namespace

Symbols heap_symbols() {
  return {
      {"_Znwm", address_of(watched_new)},
      {"_Znam", address_of(watched_new)},
      {"_ZdlPv", address_of(watched_delete)},
      {"_ZdaPv", address_of(watched_delete)},
      {"_ZdlPvm", address_of(watched_sized_delete)},
      {"_ZdaPvm", address_of(watched_sized_delete)},
      {"malloc", address_of(watched_malloc)},
      {"calloc", address_of(watched_calloc)},
      {"aligned_alloc", address_of(watched_aligned_alloc)},
      {"memalign", address_of(watched_aligned_alloc)},
      {"posix_memalign", address_of(watched_posix_memalign)},
      {"realloc", address_of(watched_realloc)},
      {"free", address_of(watched_free)},
  };
}

}  // namespace solway::emulator
