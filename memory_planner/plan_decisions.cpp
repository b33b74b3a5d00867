#include "memory_planner/plan_decisions.h"

#include <algorithm>
#include <cmath>

#include "memory_planner/epilogue.h"
#include "memory_planner/micro_kernel_cost.h"
#include "memory_planner/shared_read_cost.h"
#include "memory_planner/sliding_cost.h"
#include "memory_planner/widened_cost.h"
#include "schedule/broadcast.h"

namespace solway::memory_planner {
namespace {

using schedule::SharedBy;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

class Decisions {
 public:
  Decisions(const CostInputs& in, const Room& room, const Means& means, const FoundPlans& found)
      : in_(in), room_(room), means_(means), found_(found), plan_(found.best), now_(found.cycles) {}

  std::vector<Decision> all() {
    for (int t = 0; t < static_cast<int>(in_.stage->tensors.size()); ++t) {
      staging(t);
      if (plan_.depths[at(t)] == 0) continue;
      double_buffer(t);
      running_across(t);
      sharing(t);
      sliding(t);
      widening(t);
    }
    micro_kernel();
    if (!plan_.micro_kernel) vectors();
    out_.push_back({"search", "the best plan", now_, "the greedy plan", found_.greedy_cycles, ""});
    return std::move(out_);
  }

 private:
  const std::string& name(int t) const { return shown_name(in_.stage->tensors[at(t)]); }
  double cycles(const NestPlan& plan) const { return cost_of(in_, plan).total(); }

  NestPlan with_depth(int t, int depth) const {
    NestPlan plan = plan_;
    plan.depths[at(t)] = depth;
    if (depth == 0) {
      plan.micro_kernel.reset();
      if (!plan.shared.empty()) plan.shared[at(t)] = SharedBy::Core;
      if (!plan.slides.empty()) plan.slides[at(t)] = false;
      if (!plan.units.empty()) plan.units[at(t)] = 0;
    }
    return plan;
  }

  void staging(int t) {
    if (is_used_up(t)) return;
    if (plan_.depths[at(t)] == 0) {
      Decision made{"stage " + name(t), "accessed in main memory", now_, "staged", -1, ""};
      if (means_.may_stage(t)) {
        made.instead_cycles = cycles(with_depth(t, 1));
      } else {
        made.why_not = "no buffer of it can be made";
      }
      out_.push_back(made);
      return;
    }
    // A micro-kernel multiplies what is in near memory only.
    const char* const instead =
        plan_.micro_kernel ? "accessed in main memory, by loops of C" : "accessed in main memory";
    out_.push_back({"stage " + name(t), "staged", now_, instead, cycles(with_depth(t, 0)), ""});
  }

  std::string regions(const NestPlan& plan, int t) const {
    if (plan.depths[at(t)] == 2) return "two regions";
    if (is_late(plan, t)) return "one region, waited for where it is written again";
    return can_load_early(*in_.stage, plan, t) ? "one region, loaded while nothing uses it"
                                               : "one region";
  }

  void double_buffer(int t) {
    if (is_used_up(t)) return;
    const int depth = plan_.depths[at(t)];
    const NestPlan other = with_depth(t, 3 - depth);
    Decision made{"double-buffer " + name(t), regions(plan_, t), now_, regions(other, t), -1, ""};
    const std::int64_t bytes = buffer_bytes(*in_.stage, other, room_.alignment_bytes);
    if (unit_of(plan_, t) > 0 && !has_one_lead(*in_.stage, plan_, t)) {
      made.why_not = "its tiles begin at several places of a unit";
    } else if (!can_overlap(*in_.stage, plan_, t)) {
      made.why_not = "a core fills it once in each part that it runs";
    } else if (bytes > room_.capacity_bytes) {
      made.why_not = "no room: " + std::to_string(bytes) + " of " +
                     std::to_string(room_.capacity_bytes) + " bytes";
    } else {
      made.instead_cycles = cycles(other);
    }
    out_.push_back(made);
  }

  /// Only where several loops are around the transfers.
  void running_across(int t) {
    if (!runs_ahead(*in_.stage, plan_, t) || !can_run_across(*in_.stage, plan_, t)) return;
    NestPlan other = plan_;
    other.across.resize(in_.stage->tensors.size(), false);
    const bool now = is_across(plan_, t);
    other.across[at(t)] = !now;
    const std::string& loop = in_.stage->loops[at(plan_.outer.front())].name;
    const std::string across = "across the loops from that over tiles of " + loop;
    const std::string drained = "drained at the end of the innermost loop";
    out_.push_back({"pipeline of " + name(t), now ? across : drained, now_, now ? drained : across,
                    cycles(other), ""});
  }

  /// The results of a product that its epilogue takes: nothing else can become of them.
  bool is_used_up(int t) const {
    return in_.stage->tensors[at(t)].is_local && has_epilogue(*in_.stage);
  }

  /// Only where cores could share.
  void sharing(int t) {
    const SharedBy chosen = shared_by(plan_, t);
    const SharedBy possible = sharing_of(*in_.stage, plan_, t, *in_.target);
    if (possible == SharedBy::Core || !means_.may_share(t)) return;
    NestPlan other = plan_;
    other.shared.resize(in_.stage->tensors.size(), SharedBy::Core);
    other.shared[at(t)] = chosen == SharedBy::Core ? possible : SharedBy::Core;
    const std::string who =
        possible == SharedBy::All ? "all cores" : "the cores of a " + schedule::to_string(possible);
    const std::string together = "by " + who + " together";
    const std::string alone = "by each core";
    const bool is_shared = chosen != SharedBy::Core;
    out_.push_back({"read " + name(t), is_shared ? together : alone, now_,
                    is_shared ? alone : together, cycles(other), ""});
  }

  /// Only where tiles overlap.
  void sliding(int t) {
    const auto overlap = tile_overlap(*in_.stage, plan_, t);
    if (!overlap) return;
    NestPlan other = plan_;
    other.slides.resize(in_.stage->tensors.size(), false);
    const bool slides = is_sliding(plan_, t);
    other.slides[at(t)] = !slides;
    const std::string kept =
        "kept from tile to tile along " + in_.stage->loops[at(overlap->loop)].name;
    const std::string moved = "moved with each tile";
    out_.push_back({"overlap of " + name(t), slides ? kept : moved, now_, slides ? moved : kept,
                    cycles(other), ""});
  }

  /// Only where the engine does not move exactly what is read, and could more.
  void widening(int t) {
    const std::int64_t unit = unit_elems(in_.stage->tensors[at(t)], *in_.engine);
    const bool is_alone = !is_sliding(plan_, t) && shared_by(plan_, t) == SharedBy::Core;
    if (unit == 0 || plan_.micro_kernel || !is_alone) return;
    const bool is_widened = unit_of(plan_, t) > 0;
    NestPlan other = plan_;
    other.units.resize(in_.stage->tensors.size(), 0);
    other.units[at(t)] = is_widened ? 0 : unit;
    if (!tensor_cost(in_, is_widened ? other : plan_, t).is_copied) return;
    const std::string whole = "in whole units of " +
                              std::to_string(unit * in_.stage->tensors[at(t)].element_bytes) +
                              " bytes";
    const std::string exact = "by loads and stores of what is read";
    Decision made{
        "copy " + name(t), is_widened ? whole : exact, now_, is_widened ? exact : whole, -1, ""};
    const std::int64_t bytes = buffer_bytes(*in_.stage, other, room_.alignment_bytes);
    if (bytes > room_.capacity_bytes) {
      made.why_not = "no room: " + std::to_string(bytes) + " of " +
                     std::to_string(room_.capacity_bytes) + " bytes";
    } else {
      made.instead_cycles = cycles(other);
    }
    out_.push_back(made);
  }

  /// Only for products, where assembly could run.
  void micro_kernel() {
    if (!has_micro_kernels(*in_.target) || !means_.micro_kernels || !means_.loops_of_c) return;
    if (product_forms(*in_.stage, *in_.body).empty()) return;
    if (plan_.micro_kernel) {
      out_.push_back(
          {"inner product", "a micro-kernel in assembly", now_, "vectors of C", found_.in_c, ""});
      return;
    }
    Decision made{"inner product", "loops of C", now_, "a micro-kernel in assembly", -1, ""};
    if (std::isinf(found_.by_micro_kernel)) {
      made.why_not = "no tile has whole vectors and fits";
    } else {
      made.instead_cycles = found_.by_micro_kernel;
    }
    out_.push_back(made);
  }

  void vectors() {
    if (plan_.vector >= 0) {
      out_.push_back({"vectors", "along " + in_.stage->loops[at(plan_.vector)].name, now_,
                      "one by one", found_.scalar, ""});
      return;
    }
    out_.push_back({"vectors", "one by one", now_, "vectors", -1,
                    in_.body->no_vector.empty()
                        ? "no loop along which every tensor is contiguous or the same pays"
                        : in_.body->no_vector});
  }

  const CostInputs& in_;
  const Room& room_;
  const Means& means_;
  const FoundPlans& found_;
  const NestPlan& plan_;
  double now_ = 0;
  std::vector<Decision> out_;
};

}  // namespace

bool Means::may_share(int tensor) const {
  return std::find(alone.begin(), alone.end(), tensor) == alone.end();
}

bool Means::may_stage(int tensor) const {
  return std::find(direct.begin(), direct.end(), tensor) == direct.end();
}

bool Means::may_tile(int loop) const {
  return std::find(single.begin(), single.end(), loop) == single.end();
}

std::vector<Decision> decisions_of(const CostInputs& in, const Room& room, const Means& means,
                                   const FoundPlans& found) {
  return Decisions(in, room, means, found).all();
}

}  // namespace solway::memory_planner
