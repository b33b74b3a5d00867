#include "emulator/worker/detail/watched_heap.h"

#include <cstdlib>

namespace solway::emulator {
namespace {

void note_main_block(void* block, std::size_t bytes) {
  if (block != nullptr && bytes != 0) {
    machine().main_objects().add(ObjectKind::MainHeap, as_number(block), bytes, "malloc",
                                 shared_state().site);
  }
}

void forget_main_block(void* block) {
  Object* const object =
      block == nullptr ? nullptr : machine().main_objects().find(as_number(block));
  if (object != nullptr && object->kind == ObjectKind::MainHeap) {
    machine().main_objects().remove(object);
  }
}

void* watched_malloc(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  note_main_block(block, bytes);
  return block;
}

void* watched_calloc(std::size_t count, std::size_t each) {
  void* const block = std::calloc(count, each);
  note_main_block(block, count * each);
  return block;
}

void* watched_aligned_alloc(std::size_t align, std::size_t bytes) {
  void* const block = std::aligned_alloc(align, (bytes + align - 1) / align * align);
  note_main_block(block, bytes);
  return block;
}

int watched_posix_memalign(void** block, std::size_t align, std::size_t bytes) {
  const int result = posix_memalign(block, align, bytes);
  if (result == 0) note_main_block(*block, bytes);
  return result;
}

void watched_free(void* block) {
  forget_main_block(block);
  std::free(block);
}

void* watched_realloc(void* old, std::size_t bytes) {
  forget_main_block(old);
  void* const block = std::realloc(old, bytes);
  note_main_block(block, bytes);
  return block;
}

}  // namespace

Symbols heap_symbols() {
  return {
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
