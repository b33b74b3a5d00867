#include "emulator/worker/detail/machine.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <sys/mman.h>

namespace solway::emulator {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kHostStackBytes = 1 << 20;

// A place in the LDM fits 31 bits, as on the machine: kernels keep some in an int, and add with
// addw.
#ifdef MAP_32BIT
constexpr int kPlacedLow = MAP_32BIT;
#else
constexpr int kPlacedLow = 0;
#endif

Machine* machine_of_fibers = nullptr;

std::uint64_t round_to_page(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

Machine& Machine::of_fibers() { return *machine_of_fibers; }

Machine::Machine(const MachineOptions& options, const Program& program, SharedState& shared)
    : options_(options),
      program_(program),
      shared_(shared),
      random_(options.seed),
      groups_(static_cast<std::size_t>(options.groups)) {
  shared_.steps_left = options.step_budget;
  describe(&unknown_, ObjectKind::Unknown, 0, 0, "", nullptr);
  machine_of_fibers = this;
  region_stride_ = kGuardBytes + kHostStackBytes + round_to_page(options.ldm_bytes) + kGuardBytes;
  region_bytes_ = region_stride_ * kCpes * groups_.size();
  void* const region = mmap(nullptr, region_bytes_, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | kPlacedLow, -1, 0);
  if (region == MAP_FAILED) {
    fail_internal("the memory of the CPEs could not be mapped", "");
  }
  region_ = static_cast<char*>(region);
  for (std::uint64_t i = 0; i < program.main_object_count; ++i) {
    const MainObjectInfo& info = program.main_objects[i];
    Object* const object = main_objects_.add(
        info.shared == 0 ? ObjectKind::Main : ObjectKind::Shared,
        reinterpret_cast<std::uint64_t>(info.address), info.size, info.name, info.declared);
    if (info.writable == 0) object->store_size = 0;
  }
  for (std::uint64_t i = 0; i < program.ldm_object_count; ++i) {
    const LdmObjectInfo& info = program.ldm_objects[i];
    static_bytes_ = std::max(static_bytes_, info.offset + info.size);
  }
  check_static_fit();
  check_shared_fit();
  if (options.timing) recorder_.emplace(0, kTicksPerCycle);
  if (options.hazards) {
    shared_.region = reinterpret_cast<std::uint64_t>(region_);
    shared_.region_bytes = region_bytes_;
    hazards_ =
        std::make_unique<Hazards>(*this, shared_.region, shared_.region_bytes, program.shares_ldm);
    shared_.cell_bias = hazards_->ldm().bias();
  }
  mpe_threads_.push_back(std::make_unique<MpeThread>());
  mpe_ = mpe_threads_.front().get();
  mpe_->thread = kMpeThread;
  mpe_->group = &group(0);
}

CoreGroup& Machine::group(int number) {
  std::unique_ptr<CoreGroup>& group = groups_[static_cast<std::size_t>(number)];
  if (group != nullptr) return *group;
  if (recorder_) recorder_->require_cores((number + 1) * kCpes);
  group = std::make_unique<CoreGroup>(*this, number);
  present_.clear();
  cpes_.clear();
  for (const auto& one : groups_) {
    if (one == nullptr) continue;
    present_.push_back(one.get());
    for (const auto& cpe : one->cpes()) cpes_.push_back(cpe.get());
  }
  if (hazards_ != nullptr) hazards_->add(*group);
  return *group;
}

void Machine::place(Cpe& cpe) const {
  cpe.host_stack = region_ + region_stride_ * static_cast<std::uint64_t>(cpe.number) + kGuardBytes;
  cpe.host_stack_bytes = kHostStackBytes;
  cpe.ldm = cpe.host_stack + kHostStackBytes;
  mprotect(cpe.host_stack, kHostStackBytes + round_to_page(options_.ldm_bytes),
           PROT_READ | PROT_WRITE);
}

void Machine::check_static_fit() const {
  if (static_bytes_ + options_.reserved_bytes <= options_.ldm_bytes) return;
  const LdmObjectInfo* largest = program_.ldm_objects;
  for (std::uint64_t i = 1; i < program_.ldm_object_count; ++i) {
    if (program_.ldm_objects[i].size > largest->size) largest = &program_.ldm_objects[i];
  }
  fail({.kind = "ldm_overflow",
        .where = largest->declared,
        .what = "the static LDM objects do not fit",
        .why = "they need " + std::to_string(static_bytes_) + " bytes" + " and " +
               std::to_string(options_.reserved_bytes) + " bytes" +
               " are reserved, the LDM of a CPE has " + std::to_string(options_.ldm_bytes) +
               " bytes" + "; the largest is '" + largest->name + "' with " +
               std::to_string(largest->size) + " bytes",
        .fix = "make '" + std::string(largest->name) + "' smaller and loop over more tiles"});
}

void Machine::run_fiber() {
  Machine& machine = of_fibers();
  Cpe& cpe = *machine.running_;
  reinterpret_cast<void (*)(void*)>(const_cast<void*>(cpe.task.entry->address))(cpe.task.argument);
  cpe.group->finish_running();
  cpe.state = CpeState::Finished;
}

void Machine::resume(Cpe& cpe) {
  const Site* const caller_site = shared_.site;
  const std::int64_t caller_ticks = shared_.ticks;
  shared_.main_ticks = 0;
  running_ = &cpe;
  shared_.ticks = cpe.ticks;
  shared_.main_load_ticks = cpe.group->main_load_ticks();
  shared_.main_store_ticks = cpe.group->main_store_ticks();
  shared_.ldm = cpe.ldm;
  shared_.site = cpe.site;
  cpe.state = CpeState::Ready;
  cpe.fiber.resume();
  cpe.site = shared_.site;
  cpe.ticks = shared_.ticks;
  if (recorder_) recorder_->main_memory(cpe.number, shared_.main_ticks);
  shared_.ticks = caller_ticks;
  shared_.ldm = nullptr;
  shared_.site = caller_site;
  running_ = nullptr;
}

void Machine::block(Cpe& cpe, CpeState state, Wait wait) {
  cpe.state = state;
  cpe.wait = std::move(wait);
  cpe.fiber.suspend();
}

void Machine::let_others_go_on() {
  Cpe& self = *running_;
  self.stands_still = true;
  while (std::any_of(cpes_.begin(), cpes_.end(),
                     [&](const auto& cpe) { return !cpe->stands_still && is_runnable(*cpe); })) {
    block(self, CpeState::Ready, {});
  }
}

bool Machine::is_runnable(const Cpe& cpe) const {
  if (cpe.state == CpeState::Ready) return true;
  if (cpe.state != CpeState::Polling) return false;
  std::uint64_t now = 0;
  std::memcpy(&now, reinterpret_cast<const void*>(cpe.wait.address), cpe.wait.bytes);
  return now != cpe.wait.seen;
}

bool Machine::run_ready() {
  if (recorder_) return run_in_order();
  bool any = false;
  for (;;) {
    std::vector<Cpe*> order;
    for (Cpe* const cpe : cpes_) {
      if (is_runnable(*cpe)) order.push_back(cpe);
    }
    if (order.empty()) {
      if (mpe_threads_.size() == 1 || !run_mpe_threads()) return any;
      any = true;
      continue;
    }
    if (options_.seed != 0) std::shuffle(order.begin(), order.end(), random_);
    for (Cpe* const cpe : order) {
      if (is_runnable(*cpe)) resume(*cpe);
    }
    any = true;
  }
}

void Machine::poll(std::uint64_t address, std::uint64_t bytes, const Site* site) {
  std::uint64_t seen = 0;
  bytes = std::min<std::uint64_t>(bytes, sizeof seen);
  std::memcpy(&seen, reinterpret_cast<const void*>(address), bytes);
  if (running_ == nullptr && mpe_->number != 0) {
    shared_.site = site;
    wait_on_mpe("a loop", " that reads a flag", [address, bytes, seen] {
      std::uint64_t now = 0;
      std::memcpy(&now, reinterpret_cast<const void*>(address), bytes);
      return now != seen;
    });
    if (recorder_) shared_.ticks = std::max(shared_.ticks, now_);
    return;
  }
  if (running_ == nullptr) {
    if (run_ready()) return;
    shared_.site = site;
    report_deadlock("a loop of the MPE that reads a flag");
  }
  // The loop may wait for other counters beside this one.
  constexpr std::uint64_t kAnywhere = ~std::uint64_t{0};
  if (!recorder_ && running_->group->try_land_one(*running_, address, bytes)) return;
  if (!recorder_ && running_->group->try_land_one(*running_, 0, kAnywhere)) return;
  if (recorder_ && !running_->pending.empty()) {
    stall(*running_, Stall::Transfer,
          {.reason = "waits for a transfer", .where = site, .is_for_transfer = true});
    return;
  }
  const bool in_ldm = in_region(address);
  Cpe& self = *running_;
  const std::int64_t before = shared_.ticks;
  block(self, CpeState::Polling,
        {.reason = in_ldm ? "polls a word of LDM with value " + std::to_string(seen) +
                                " and no pending transfer counts in it"
                          : "polls a word of main memory that nobody writes",
         .where = site,
         .is_for_transfer = in_ldm,
         .address = address,
         .bytes = bytes,
         .seen = seen});
  if (recorder_ && in_ldm) {
    recorder_->wait(self.number, Stall::Message, before, shared_.ticks);
  }
}

void Machine::report_deadlock(const char* who) {
  std::map<std::string, std::vector<const Cpe*>> held;
  const Cpe* first = nullptr;
  for (const Cpe* const cpe : cpes_) {
    if (cpe->state != CpeState::Blocked && cpe->state != CpeState::Polling) continue;
    if (first == nullptr) first = cpe;
    held[cpe->wait.reason + " (" + to_string(cpe->wait.where) + ")"].push_back(cpe);
  }
  std::string why;
  for (const auto& [reason, cpes] : held) {
    why += why.empty() ? "" : "; ";
    why += name_of(*cpes.front());
    why += cpes.size() == 1 ? "" : ", like " + std::to_string(cpes.size() - 1) + " others,";
    why += " " + reason;
  }
  const Site* where = first == nullptr ? shared_.site : first->wait.where;
  const bool is_threaded = mpe_threads_.size() > 1;
  for (const auto& thread : mpe_threads_) {
    if (thread == nullptr || thread->number == 0 || thread->has_ended) continue;
    why += why.empty() ? "" : "; ";
    why += name_of(*thread) + " " + thread->reason + " (" + to_string(thread->waits_at) + ")";
  }
  fail({.kind = "deadlock",
        .where = where,
        .cpe = first == nullptr ? -1 : first->id,
        .group = failure_group(first),
        .what = std::string(is_threaded ? "no CPE and no thread of the MPE can go on, and "
                                        : "no CPE can go on, and ") +
                who + " waits for them",
        .why = why.empty() ? "no CPE runs that could change it" : why,
        .fix = "issue what is waited for, or wait for what was issued"});
}

void Machine::fault(const char* kind, const Site* site, std::string what, std::string why,
                    std::string fix, const Site* cause) {
  if (running_ != nullptr && has_several_groups()) why = "on " + name_of(*running_) + ": " + why;
  if (running_ == nullptr && mpe_->number != 0) why = "on " + name_of(*mpe_) + ": " + why;
  fail({.kind = kind,
        .where = site,
        .cause = cause,
        .cpe = running_ == nullptr ? -1 : running_->id,
        .group = failure_group(running_),
        .what = std::move(what),
        .why = std::move(why),
        .fix = std::move(fix)});
}

std::string Machine::name_of(const Cpe& cpe) const {
  const std::string name = "CPE " + std::to_string(cpe.id);
  return has_several_groups() ? name + " of group " + std::to_string(cpe.group->number()) : name;
}

std::string Machine::name_of(unsigned thread) const {
  const Cpe* const cpe = cpe_of(thread);
  if (cpe != nullptr) return name_of(*cpe);
  const unsigned number = thread == kMpeThread ? 0 : thread - mpe_thread(1) + 1;
  return number == 0 ? "the MPE" : "thread " + std::to_string(number) + " of the MPE";
}

const Cpe* Machine::cpe_of(unsigned thread) const {
  if (is_mpe_thread(thread)) return nullptr;
  const unsigned number = thread < kMpeThread ? thread : thread - 1;
  return groups_[number / kCpes]->cpes()[number % kCpes].get();
}

int Machine::failure_group(const Cpe* cpe) const {
  return cpe != nullptr && has_several_groups() ? cpe->group->number() : -1;
}

}  // namespace solway::emulator
