#include "emulator/worker/object_table.h"

#include <iterator>

namespace solway::emulator {

void describe(Object* object, ObjectKind kind, std::uint64_t lo, std::uint64_t size,
              const char* name, const Site* declared) {
  const bool is_main = kind != ObjectKind::Unknown && !is_ldm(kind);
  *object = {lo,   size,     size,    0,    0,       size,
             name, declared, nullptr, kind, nullptr, is_main ? ~std::uint64_t{0} : 0};
}

Object* ObjectTable::add(ObjectKind kind, std::uint64_t lo, std::uint64_t size,
                         const std::string& name, const Site* declared) {
  auto it = by_address_.upper_bound(lo);
  if (it != by_address_.begin()) {
    const auto before = std::prev(it);
    if (before->second->lo + before->second->size > lo) it = before;
  }
  while (it != by_address_.end() && it->first < lo + size) {
    remove(it->second);
    it = by_address_.erase(it);
  }
  names_.push_back(name);
  Object* const object = &objects_.emplace_back();
  describe(object, kind, lo, size, names_.back().c_str(), declared);
  by_address_[lo] = object;
  last_found_ = object;
  return object;
}

void ObjectTable::remove(Object* object) { object->load_size = object->store_size = 0; }

Object* ObjectTable::find(std::uint64_t address) {
  if (last_found_ != nullptr && address - last_found_->lo < last_found_->load_size) {
    return last_found_;
  }
  auto it = by_address_.upper_bound(address);
  if (it == by_address_.begin()) return nullptr;
  Object* const object = std::prev(it)->second;
  if (address - object->lo >= object->size) return nullptr;
  if (is_live(*object)) last_found_ = object;
  return object;
}

std::uint64_t ObjectTable::sum(ObjectKind kind, std::uint64_t Object::*counter) const {
  std::uint64_t total = 0;
  for (const Object& object : objects_) {
    if (object.kind == kind) total += object.*counter;
  }
  return total;
}

}  // namespace solway::emulator
