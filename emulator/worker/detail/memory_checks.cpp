#include <algorithm>

#include "emulator/worker/detail/machine.h"
#include "emulator/worker/detail/poison.h"

namespace solway::emulator {
namespace {

constexpr std::uint64_t kNullPage = 4096;

Object* in_frames(Object* frames, std::uint64_t address) {
  for (Object* object = frames; object != nullptr; object = object->previous) {
    if (address - object->lo < object->load_size) return object;
  }
  return nullptr;
}

std::string range_text(const Object& object, std::uint64_t address, std::uint64_t bytes) {
  const auto begin = static_cast<std::int64_t>(address - object.lo);
  std::string text = quoted(object) + " has " + std::to_string(object.size) + " bytes, and bytes " +
                     std::to_string(begin) + " to " +
                     std::to_string(begin + static_cast<std::int64_t>(bytes)) + " were used";
  return object.declared == nullptr ? text
                                    : text + "; it is declared at " + to_string(object.declared);
}

}  // namespace

bool Machine::in_region(std::uint64_t address) const {
  return address - reinterpret_cast<std::uint64_t>(region_) < region_bytes_;
}

bool Machine::in_memory_of(const Cpe& cpe, std::uint64_t address) const {
  const std::uint64_t at = address - reinterpret_cast<std::uint64_t>(region_);
  return at / region_stride_ == static_cast<std::uint64_t>(cpe.number);
}

bool Machine::in_stack_guard(std::uint64_t address) const {
  if (!in_region(address)) return false;
  const std::uint64_t at = (address - reinterpret_cast<std::uint64_t>(region_)) % region_stride_;
  return at < kGuardBytes;
}

Object* Machine::ldm_object(Cpe& cpe, std::uint64_t address) {
  if (address < reinterpret_cast<std::uint64_t>(cpe.ldm)) return in_frames(cpe.frames, address);
  return cpe.objects.find(address);
}

Object* Machine::object_at(std::uint64_t address) {
  Object* found = nullptr;
  if (in_region(address)) {
    if (running_ != nullptr && in_memory_of(*running_, address)) {
      found = ldm_object(*running_, address);
    }
  } else {
    found = main_objects_.find(address);
    if (found == nullptr || !is_live(*found)) {
      for (const auto& thread : mpe_threads_) {
        if (thread == nullptr) continue;
        Object* const automatic = in_frames(thread->frames, address);
        if (automatic != nullptr) found = automatic;
      }
    }
  }
  return found == nullptr ? &unknown_ : found;
}

void Machine::check_access(std::uint64_t address, std::uint64_t bytes, std::uint64_t root,
                           const Site* site, std::uint32_t flags) {
  const bool store = (flags & kAccessStore) != 0;
  const std::string what =
      std::string(store ? "a store" : "a load") + " of " + std::to_string(bytes) + " bytes";
  if (address < kNullPage || root < kNullPage) {
    fault("null_pointer", site, what + " through a null pointer",
          "the address is " + std::to_string(address), "pass the address of an object");
  }
  Object* object = object_at(root);
  if (object->kind == ObjectKind::Unknown || root == object->lo) {
    // A pointer behind the last element is also the address of what follows.
    Object* const target = object_at(address);
    if (holds(*target, address, bytes) &&
        (object->kind == ObjectKind::Unknown || target->lo + target->size == root)) {
      object = target;
    }
  }
  if (holds(*object, address, bytes)) {
    if (store && object->store_size == 0) {
      fault("out_of_bounds_main", site, what + " into memory that must not be written",
            quoted(*object) + " is an \"in\" argument or a constant",
            "write to an \"out\" or \"inout\" argument", object->declared);
    }
    if ((flags & kAccessCpe) != 0) {
      (store ? object->stored_bytes : object->loaded_bytes) += bytes;
      constexpr std::uint64_t kWidest = 32;  // bytes of one access
      const auto accesses = static_cast<std::int64_t>((bytes + kWidest - 1) / kWidest);
      if (object->main_mask != 0) {
        const std::int64_t each = store ? shared_.main_store_ticks : shared_.main_load_ticks;
        shared_.ticks += accesses * each;
        shared_.main_ticks += accesses * each;
      }
    }
    return;
  }
  if (object->kind != ObjectKind::Unknown && !is_live(*object)) {
    const bool ldm = is_ldm(object->kind);
    fault(ldm ? "use_after_free" : "out_of_bounds_main", site,
          what + (ldm ? " after ldm_free" : " after free"),
          "the block of " + std::to_string(object->size) + " bytes was freed",
          "free it after the last use", object->declared);
  }
  if (object->kind != ObjectKind::Unknown) {
    fault(is_ldm(object->kind) ? "out_of_bounds_ldm" : "out_of_bounds_main", site,
          what + " leaves its object", range_text(*object, address, bytes),
          "keep the index inside the object", object->declared);
  }
  if (running_ == nullptr) {
    if (!in_region(address)) return;  // memory of the C library
    fault("out_of_bounds_main", site, what + " of LDM by the MPE",
          "the LDM of a CPE is not reached from the MPE here", "pass data through main memory");
  }
  const auto ldm = reinterpret_cast<std::uint64_t>(running_->ldm);
  if (address < ldm && ldm - address <= running_->host_stack_bytes) return;  // spilled values
  fault(in_region(address) ? "out_of_bounds_ldm" : "out_of_bounds_main", site,
        what + " outside of every object",
        in_region(address)
            ? "the address belongs to no LDM object of this CPE"
            : "the address belongs to no argument, static, malloc block or automatic variable",
        "check how the address was made");
}

void Machine::push_frame(Object* object, std::uint64_t address, std::uint64_t bytes,
                         const char* name, const Site* declared) {
  describe(object, running_ == nullptr ? ObjectKind::MainStack : ObjectKind::LdmStack, address,
           bytes, name, declared);
  Object*& frames = running_ == nullptr ? mpe_->frames : running_->frames;
  if (hazards_ != nullptr && running_ != nullptr) {
    hazards_->define(address, bytes);
    if (options_.stack == CpeStack::Ldm) hazards_->declare(address, bytes);
  }
  object->previous = frames;
  frames = object;
}

void Machine::mark_frame(std::uint64_t* mark) const {
  mark[0] = reinterpret_cast<std::uint64_t>(running_ == nullptr ? mpe_->frames : running_->frames);
  mark[1] = running_ == nullptr ? 0 : running_->extra_stack;
}

void Machine::reset_frame(const std::uint64_t* mark) {
  Object* const* const frames = running_ == nullptr ? &mpe_->frames : &running_->frames;
  while (*frames != nullptr && reinterpret_cast<std::uint64_t>(*frames) != mark[0]) pop_frame();
  if (running_ != nullptr) running_->extra_stack = mark[1];
}

void Machine::pop_frame() {
  Object*& frames = running_ == nullptr ? mpe_->frames : running_->frames;
  if (running_ != nullptr) {
    for (const Transfer& t : running_->pending) {
      if (t.ldm_address - frames->lo < frames->size || t.counter - frames->lo < frames->size) {
        fault("unfinished_transfer", t.issued,
              "a function returns while a transfer uses its automatic variable",
              quoted(*frames) + " ends with the function",
              "wait for the transfer before the return", frames->declared);
      }
    }
  }
  if (running_ == nullptr) {
    mpe_stack_traffic_.loaded_bytes += frames->loaded_bytes;
    mpe_stack_traffic_.stored_bytes += frames->stored_bytes;
  }
  frames->load_size = frames->store_size = 0;
  frames = frames->previous;
}

std::uint64_t Machine::stack_in_ldm(const FunctionInfo& entry) const {
  return options_.stack == CpeStack::Ldm ? entry.stack_bytes : 0;
}

void Machine::note_ldm_use(const Cpe& cpe) {
  const std::uint64_t used = static_bytes_ + options_.reserved_bytes + cpe.heap.used_bytes() +
                             stack_in_ldm(*cpe.task.entry) + cpe.extra_stack;
  ldm_peak_ = std::max(ldm_peak_, used);
  if (recorder_) {
    recorder_->ldm(cpe.number, static_cast<std::int64_t>(used), shared_.ticks);
  }
}

void* Machine::ldm_malloc(std::uint64_t bytes) {
  Cpe& cpe = *running_;
  const auto offset = cpe.heap.allocate(bytes);
  if (!offset) {
    fault("ldm_overflow", shared_.site,
          "ldm_malloc of " + std::to_string(bytes) + " bytes does not fit",
          "the largest free block has " + std::to_string(cpe.heap.largest_free()) +
              " bytes: static objects " + std::to_string(static_bytes_) + ", heap " +
              std::to_string(cpe.heap.used_bytes()) + ", stack " +
              std::to_string(stack_in_ldm(*cpe.task.entry)) + ", reserved " +
              std::to_string(options_.reserved_bytes) + " of " + std::to_string(options_.ldm_bytes),
          "ask for less, or free a block first");
  }
  const auto address = reinterpret_cast<std::uint64_t>(cpe.ldm) + *offset;
  cpe.objects.add(ObjectKind::LdmHeap, address, std::max<std::uint64_t>(bytes, 1), "ldm_malloc",
                  shared_.site);
  poison(address, bytes);
  if (hazards_ != nullptr) hazards_->declare(address, bytes);
  note_ldm_use(cpe);
  return reinterpret_cast<void*>(address);
}

void Machine::ldm_free(std::uint64_t address) {
  if (address == 0) return;
  Cpe& cpe = *running_;
  Object* const object = object_at(address);
  if (object->kind == ObjectKind::LdmHeap && !is_live(*object)) {
    fault("use_after_free", shared_.site, "ldm_free of a block that was freed",
          "the block has been freed before", "free each block once", object->declared);
  }
  if (object->kind != ObjectKind::LdmHeap || object->lo != address) {
    fault("out_of_bounds_ldm", shared_.site, "ldm_free of an address that ldm_malloc did not give",
          "the address is not the start of a heap block", "pass what ldm_malloc returned");
  }
  for (const Transfer& t : cpe.pending) {
    if (t.ldm_address - object->lo >= object->size && t.counter - object->lo >= object->size) {
      continue;
    }
    fault("use_after_free", t.issued, "ldm_free of a block that a transfer uses",
          "the transfer has not been waited for, and the block of " + std::to_string(object->size) +
              " bytes is freed at " + to_string(shared_.site),
          "free the block after its last transfer", shared_.site);
  }
  cpe.objects.remove(object);
  cpe.heap.release(address - reinterpret_cast<std::uint64_t>(cpe.ldm));
  note_ldm_use(cpe);
}

void Machine::grow_stack(std::uint64_t bytes, const Site* site) {
  if (running_ == nullptr) return;
  Cpe& cpe = *running_;
  cpe.extra_stack += bytes;
  const std::uint64_t used = static_bytes_ + options_.reserved_bytes + cpe.heap.used_bytes() +
                             stack_in_ldm(*cpe.task.entry) + cpe.extra_stack;
  if (options_.stack == CpeStack::Ldm && used > options_.ldm_bytes) {
    fault("stack_overflow", site, "the stack meets the other LDM objects",
          std::to_string(used) + " bytes of LDM would be in use, " +
              std::to_string(cpe.extra_stack) + " of them for recursion and variable arrays; " +
              "there are " + std::to_string(options_.ldm_bytes),
          "bound the recursion, or use a static LDM object");
  }
  note_ldm_use(cpe);
}

}  // namespace solway::emulator
