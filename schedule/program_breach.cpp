#include "schedule/program_breach.h"

#include <algorithm>
#include <utility>

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

/// How often partial results of partial results are merged.
constexpr int kMergeLevels = 8;

class Finder {
 public:
  Finder(const ElementProgram& before, const ElementProgram& after, const Request& request)
      : before_(before), after_(after), request_(request) {
    none_ = isl::union_map::empty(after.time.ctx());
  }

  std::optional<Breach> run(const isl::union_set& extents, FoundFlow* found) {
    std::optional<Breach> out = out_of_bounds(extents.unite(after_.inlined));
    if (!out) out = shared_cell();
    if (out) return out;
    const Sources old = required(sources_of(before_));
    Sources now = required(sources_of(after_));
    const isl::union_map replied = last_uses_of_replies();
    const isl::union_map landed = last_before_landings(replied);
    out = transfers(now, landed, replied);
    if (!out) out = reductions(now);
    if (!out) out = values(old, now);
    if (!out && found != nullptr) *found = {std::move(now), landed};
    return out;
  }

 private:
  Sources required(std::optional<Sources> sources) const {
    if (sources) return *std::move(sources);
    throw AnalysisBudgetError(
        {request_.where, request_.text + " is not decided",
         "a value passes through more than " + std::to_string(kMaxCopies) +
             " copies; this says neither that it is legal nor that it is illegal",
         "make the buffer hold the value while it is used, instead of storing and loading it"});
  }

  std::optional<Breach> out_of_bounds(const isl::union_set& extents) const {
    std::vector<isl::union_map> all = after_.reads;
    all.push_back(after_.writes);
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (all[k].range().is_subset(extents)) continue;
      const isl::union_map outside = all[k].subtract_range(extents);
      return Breach{BreachKind::OutOfBounds, outside.domain(), outside, none_, k};
    }
    return std::nullopt;
  }

  std::optional<Breach> shared_cell() const {
    const isl::union_map writes =
        after_.writes.intersect_domain(after_.issues.unite(after_.completes));
    const isl::union_map key = writes.range_product(after_.time.intersect_domain(writes.domain()));
    if (key.is_injective()) return std::nullopt;
    const isl::union_map pairs =
        key.apply_range(key.reverse()).subtract(writes.domain().identity());
    return Breach{BreachKind::SharedCell, pairs.domain(), pairs, none_};
  }

  /// { complete -> what used its reply last before it }, at the grain of iterations.
  isl::union_map last_uses_of_replies() const {
    const Replies& replies = after_.replies;
    return last_writers(replies.uses.intersect_domain(replies.partners.domain()), replies.uses,
                        LoopInstances(replies.time));
  }

  /// { complete -> what wrote last, before it, the cell where it lands }: its issue, if nothing
  /// else used the reply in between and that says it.
  isl::union_map last_before_landings(const isl::union_map& replied) const {
    if (after_.replied.empty() || !replied.is_equal(after_.replies.partners)) {
      return last_writers(after_, after_.landings);
    }
    isl::union_map out = none_;
    isl::union_map others = none_;
    after_.landings.foreach_map([&](const isl::map& one) {
      if (after_.replied.count(isl_ext::tuple_name(one, isl_ext::Dim::Range)) == 0) {
        others = others.unite(one.to_union_map());
      } else {
        out = out.unite(after_.partners.intersect_domain(one.domain().to_union_set()));
      }
    });
    // As flow is found: what asks further of it takes long where equalities do not show.
    out = out.detect_equalities().coalesce();
    return others.is_empty() ? out : out.unite(last_writers(after_, others));
  }

  /// Issue and complete pair one to one; nothing reads or changes what is in flight.
  std::optional<Breach> transfers(const Sources& now, const isl::union_map& landed,
                                  const isl::union_map& replied) const {
    const auto& partners = after_.partners;
    const isl::union_set alone = after_.issues.subtract(partners.range());
    if (!alone.is_empty()) return Breach{BreachKind::NeverAwaited, alone, none_, none_};
    if (!landed.is_equal(partners)) {
      const isl::union_map lost = partners.subtract(landed);
      return Breach{BreachKind::Overwritten, lost.domain(), landed, partners};
    }
    for (std::size_t k = 0; k < now.direct.size(); ++k) {
      const isl::union_map early = now.direct[k].intersect_range(after_.issues);
      if (early.is_empty()) continue;
      return Breach{BreachKind::UsedInFlight, early.domain(), early, none_, k};
    }
    if (auto out = busy_slot(replied)) return out;
    const isl::union_map ended = now.direct[0].intersect_domain(after_.completes);
    const isl::union_map begun =
        partners.apply_range(now.direct[0].intersect_domain(after_.issues));
    if (ended.is_equal(begun)) return std::nullopt;
    const isl::union_map wrong = ended.subtract(begun).unite(begun.subtract(ended));
    return Breach{BreachKind::SourceChanged, wrong.domain(), ended, begun};
  }

  /// A slot has one reply: between an issue and its complete no other transfer may count there,
  /// whichever cells it fills.
  std::optional<Breach> busy_slot(const isl::union_map& replied) const {
    const Replies& replies = after_.replies;
    if (replied.is_equal(replies.partners)) return std::nullopt;
    const isl::union_map lost = replies.partners.subtract(replied);
    return Breach{BreachKind::SlotBusy, lost.domain(), replied, replies.partners};
  }

  std::optional<Breach> reductions(const Sources& now) const {
    isl::union_set partials = isl::union_set::empty(none_.ctx());
    for (std::size_t k = 0; k < after_.accumulating.size(); ++k) {
      const isl::union_map chain = now.computed[k].intersect_domain(after_.accumulating[k]);
      if (auto out = broken_chain(chain, after_.accumulating[k], k)) return out;
      partials = partials.unite(chain.range());
    }
    for (std::size_t k = 0; k < now.computed.size(); ++k) {
      const isl::union_map early = readers(now, after_, k).intersect_range(partials);
      if (early.is_empty()) continue;
      return Breach{BreachKind::EarlyRead, early.domain(), early, none_, k};
    }
    return after_.origin ? terms(now) : std::nullopt;
  }

  /// One chain per group: from its init through each update once.
  std::optional<Breach> broken_chain(const isl::union_map& chain, const isl::union_set& updates,
                                     std::size_t operand) const {
    const isl::union_map& group = after_.groups;
    const isl::union_map own = group.intersect_domain(updates);
    const isl::union_map continued = chain.apply_range(group);
    if (!continued.is_equal(own)) {
      const isl::union_map wrong = own.subtract(continued).unite(continued.subtract(own));
      return Breach{BreachKind::LostPartial, wrong.domain(), chain, own, operand};
    }
    if (chain.is_injective()) return std::nullopt;
    const isl::union_map both = chain.apply_range(chain.reverse()).subtract(updates.identity());
    return Breach{BreachKind::SharedPartial, both.domain(), both, chain, operand};
  }

  /// What each group adds up, through merges, against the result as written.
  std::optional<Breach> terms(const Sources& now) const {
    const isl::union_map starts = after_.groups.intersect_domain(after_.inits);
    isl::union_map merged = none_;
    for (std::size_t k = 0; k < now.computed.size(); ++k) {
      const isl::union_map partial =
          readers(now, after_, k).intersect_domain(after_.merges).apply_range(after_.groups);
      merged = merged.unite(partial);
    }
    if (!merged.domain().is_equal(after_.merges) || !merged.is_injective() ||
        !merged.is_single_valued()) {
      return Breach{BreachKind::SharedMerge, after_.merges, merged, none_};
    }
    const isl::union_set leaves = after_.updates.subtract(after_.merges);
    const isl::union_map into = merged.reverse().apply_range(after_.groups);
    isl::union_map added = after_.groups.intersect_domain(leaves);
    isl::union_map all = added;
    for (int level = 0; level < kMergeLevels; ++level) {
      added = added.apply_range(into);
      if (added.is_empty()) break;
      all = all.unite(added);
    }
    const isl::union_map origins = origins_of_groups();
    all = all.intersect_range(origins.domain());
    const isl::union_map written = before_.groups.intersect_domain(before_.updates);
    const isl::union_map expected = origins.apply_range(written.reverse());
    const isl::union_map found = all.reverse().apply_range(*after_.origin);
    const bool once = all.range_product(after_.origin->intersect_domain(leaves)).is_injective();
    if (added.is_empty() && starts.is_injective() && once && found.is_equal(expected)) {
      return std::nullopt;
    }
    return Breach{BreachKind::WrongTerms, leaves, none_, none_};
  }

  /// { group -> the group as written }: what its initialisation starts.
  isl::union_map origins_of_groups() const {
    return after_.groups.intersect_domain(after_.inits)
        .reverse()
        .apply_range(*after_.origin)
        .apply_range(before_.groups);
  }

  /// Sources of operand `k`, but of accumulators of declared reductions.
  isl::union_map readers(const Sources& sources, const ElementProgram& program,
                         std::size_t k) const {
    if (k >= sources.computed.size()) return none_;
    if (k >= program.accumulating.size()) return sources.computed[k];
    return sources.computed[k].subtract_domain(program.accumulating[k]);
  }

  std::optional<Breach> values(const Sources& old, const Sources& now) const {
    isl::union_map back = none_;
    if (after_.origin) back = after_.origin->unite(origins_of_groups());
    for (std::size_t k = 0; k < std::max(old.computed.size(), now.computed.size()); ++k) {
      isl::union_map expected = by_group(readers(old, before_, k), before_);
      isl::union_map found = by_group(readers(now, after_, k), after_);
      if (after_.origin) {
        found = found.subtract_domain(after_.merges);
        const isl::union_map foreign = found.subtract_range(back.domain());
        found = foreign.unite(found.apply_range(back));
        expected = after_.origin->apply_range(expected);
      }
      if (found.is_equal(expected)) continue;
      const isl::union_map passed = last_writers(before_, before_.passed);
      const isl::union_map is = followed(found, passed);
      const isl::union_map should = followed(expected, passed);
      if (is.is_equal(should)) continue;
      const isl::union_set wrong = is.subtract(should).unite(should.subtract(is)).domain();
      return Breach{BreachKind::WrongValue, wrong, found, expected, k};
    }
    return std::nullopt;
  }

  /// Sources, those that store what they read replaced by where that comes from: `passed`,
  /// { instance as written -> what wrote the element that it passes on }. One value is the other.
  isl::union_map followed(isl::union_map sources, const isl::union_map& passed) const {
    const isl::union_map step = by_group(passed, before_);
    for (int copies = 0; copies < kMaxCopies; ++copies) {
      const isl::union_map here = sources.intersect_range(step.domain());
      if (here.is_empty()) break;
      sources = sources.subtract(here).unite(here.apply_range(step)).coalesce();
    }
    return sources;
  }

  const ElementProgram& before_;
  const ElementProgram& after_;
  const Request& request_;
  isl::union_map none_;
};

}  // namespace

isl::union_set extents_of(const Program& program) {
  isl::union_set out = isl::union_set::empty(program.ctx());
  for (const auto& [name, array] : program.arrays) {
    out = out.unite(array.extent.to_union_set());
  }
  return out;
}

std::optional<Breach> find_breach(const ElementProgram& before, const ElementProgram& after,
                                  const isl::union_set& extents, const Request& request,
                                  FoundFlow* found) {
  return Finder(before, after, request).run(extents, found);
}

}  // namespace solway::schedule
