#pragma once

#include <deque>
#include <map>
#include <string>

#include "emulator/worker/detail/abi.h"

namespace solway::emulator {

/// Objects with bounds in one address space, found by any address inside. Descriptors live as long
/// as the table, because instrumented code keeps pointers to them; a removed object has size 0.
class ObjectTable {
 public:
  /// Replaces what overlaps [lo, lo + size).
  Object* add(ObjectKind kind, std::uint64_t lo, std::uint64_t size, const std::string& name,
              const Site* declared);
  /// Leaves a descriptor without bytes, so that later uses can be told from wild addresses.
  void remove(Object* object);
  /// Null when no object, removed or not, holds `address`.
  Object* find(std::uint64_t address);
  /// Sum of one counter over all objects of `kind`.
  std::uint64_t sum(ObjectKind kind, std::uint64_t Object::*counter) const;

 private:
  std::map<std::uint64_t, Object*> by_address_;
  std::deque<Object> objects_;
  std::deque<std::string> names_;
  Object* last_found_ = nullptr;
};

inline bool is_ldm(ObjectKind kind) {
  return kind == ObjectKind::Ldm || kind == ObjectKind::LdmHeap || kind == ObjectKind::LdmStack;
}

/// True while the object has bytes.
inline bool is_live(const Object& object) { return object.load_size != 0; }

inline bool holds(const Object& object, std::uint64_t address, std::uint64_t bytes) {
  return address >= object.lo && address - object.lo <= object.load_size &&
         bytes <= object.load_size - (address - object.lo);
}

/// Fills a descriptor for an object with `size` readable and writable bytes.
void describe(Object* object, ObjectKind kind, std::uint64_t lo, std::uint64_t size,
              const char* name, const Site* declared);

}  // namespace solway::emulator
