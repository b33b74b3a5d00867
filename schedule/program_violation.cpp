#include "schedule/program_violation.h"

#include <optional>
#include <string>
#include <vector>

#include "schedule/general_fix.h"
#include "schedule/violation.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

using Violation = IllegalScheduleError::Violation;

struct Element {
  std::string array;
  std::vector<std::int64_t> at;

  std::string text() const { return element_text(array, at); }
};

/// One side of a breach in the user's terms.
struct Site {
  isl::union_set set;
  const Statement* statement = nullptr;  ///< null for the caller, before and after the program
  Instance instance;
  Element element;  ///< what a transfer moves, what the caller passed or sees
  bool before_program = false;

  bool is_transfer() const { return statement != nullptr && statement->is_transfer(); }
  /// "U[k=1] (user.py:4)", "the transfer of AA[ko=0] (user.py:9)"
  std::string text() const {
    return (is_transfer() ? "the transfer of " : "") + instance.to_string() +
           (statement == nullptr ? "" : located(statement->where));
  }
};

/// Writes the report of one breach.
class Reporter {
 public:
  Reporter(const Comparison& programs, const Breach& breach, const Request& request)
      : programs_(programs), breach_(breach), request_(request) {}

  IllegalScheduleError report() {
    const isl::union_set sinks =
        isl_ext::fix_params(breach_.sinks, isl_ext::smallest_params(breach_.sinks));
    sink_ = site(first_of(sinks, time_of_breach()), programs_.program);
    found_ = target(breach_.found);
    expected_ = target(breach_.expected);
    switch (breach_.kind) {
      case BreachKind::OutOfBounds:
        return out_of_bounds();
      case BreachKind::SharedCell:
        return shared_cell();
      case BreachKind::UsedInFlight:
        return used_in_flight();
      case BreachKind::NeverAwaited:
        return in_flight(" would never wait for the transfer of ", "nothing completes it");
      case BreachKind::Overwritten:
        return changed(sink_.statement->copy->direction == CopyDirection::Get ? near_cell()
                                                                              : sink_.element);
      case BreachKind::SlotBusy:
        return busy_slot();
      case BreachKind::SourceChanged:
        return changed(sink_.statement->copy->direction == CopyDirection::Get ? sink_.element
                                                                              : near_cell());
      case BreachKind::LostPartial:
      case BreachKind::SharedPartial:
        return lost_term();
      case BreachKind::EarlyRead:
        return early_read();
      case BreachKind::SharedMerge:
      case BreachKind::WrongTerms:
        return wrong_terms();
      case BreachKind::WrongValue:
        return wrong_value();
    }
    throw InternalError({{}, "no text for a breach", "", ""});
  }

 private:
  const isl::union_map& time_of_breach() const {
    const bool replies = breach_.kind == BreachKind::SlotBusy;
    return replies ? programs_.after.replies.time : programs_.after.time;
  }

  /// An instance [S[position] -> T[element]], S[iteration], or of a virtual statement.
  Site site(const isl::point& point, const Program& program) const {
    Site out;
    out.set = point.to_union_set();
    const isl::set set = point.to_set();
    const std::vector<std::int64_t> all = isl_ext::coordinates(point);
    if (set.is_wrapping()) {
      const isl::map pair = set.unwrap();
      const std::string name = isl_ext::tuple_name(pair, isl_ext::Dim::Domain);
      const auto depth = all.begin() + isl_ext::dim_count(pair, isl_ext::Dim::Domain);
      out.statement = &programs_.program.statement(name);
      if (!out.statement->is_transfer()) return inlined_site(out, pair);
      out.instance = instance_of(*out.statement, {all.begin(), depth});
      out.element = {isl_ext::tuple_name(pair, isl_ext::Dim::Range), {depth, all.end()}};
      return out;
    }
    const std::string name = isl_ext::tuple_name(set);
    const auto before = array_before_program(name);
    const auto after = array_after_program(name);
    if (before || after) {
      out.before_program = before.has_value();
      out.element = {before ? *before : *after, all};
      out.instance = {out.element.array, {}};
      return out;
    }
    const auto known = program.statements.find(name);
    out.statement =
        known != program.statements.end() ? &known->second : &programs_.program.statement(name);
    if (&program == &programs_.program && out.statement->origin) return original_site(out, all);
    out.instance = instance_of(*out.statement, all);
    return out;
  }

  /// An instance whose user is in `pair`: what it computes, in the user's terms.
  Site inlined_site(Site out, const isl::map& pair) const {
    out.set = pair.wrap().to_union_set();
    return original_site(std::move(out), isl_ext::coordinates(pair.domain().sample_point()));
  }

  /// The same instance as it was written, where there is one.
  Site original_site(Site out, const std::vector<std::int64_t>& at) const {
    const isl::union_set written =
        programs_.after.origin ? out.set.apply(*programs_.after.origin) : out.set;
    if (written.is_empty()) {
      out.instance = instance_of(*out.statement, at);
      return out;
    }
    const isl::point point = written.sample_point();
    const std::string name = isl_ext::tuple_name(point.to_set());
    out.statement = &programs_.original.statement(name);
    out.instance = instance_of(*out.statement, isl_ext::coordinates(point));
    return out;
  }

  /// The first instance that `map` gives for the sink; of a reduction's group, its first term.
  std::optional<Site> target(const isl::union_map& map) const {
    isl::union_set all = sink_.set.apply(map);
    if (all.is_empty() || breach_.kind == BreachKind::OutOfBounds) return std::nullopt;
    const bool written = breach_.kind == BreachKind::WrongValue;
    const ElementProgram& elements = written ? programs_.before : programs_.after;
    const isl::union_map& time = written ? elements.time : time_of_breach();
    const isl::union_set in_group = all.apply(elements.groups.reverse());
    if (!in_group.is_empty()) all = in_group;
    all = all.intersect(time.domain());  // a wait may lack its issue
    if (all.is_empty()) return std::nullopt;
    return site(first_of(all, time), written ? programs_.original : programs_.program);
  }

  Element element_of(const isl::union_map& access) const {
    const isl::point point = sink_.set.apply(access).lexmin().sample_point();
    return {isl_ext::tuple_name(point.to_set()), isl_ext::coordinates(point)};
  }

  /// What the user wrote that the sink reads.
  Element read_by_user() const {
    if (sink_.statement == nullptr || sink_.is_transfer()) return sink_.element;
    const std::vector<isl::union_map>& all = programs_.before.reads;
    if (breach_.operand >= all.size()) return read_now();
    const isl::union_map& reads = all[breach_.operand];
    const isl::union_map written =
        programs_.after.origin ? programs_.after.origin->apply_range(reads) : reads;
    // What merges partial results is no instance that the user wrote.
    return sink_.set.apply(written).is_empty() ? read_now() : element_of(written);
  }
  /// Where it reads it now.
  Element read_now() const { return element_of(programs_.after.reads.at(breach_.operand)); }

  Element near_cell() const { return element_of(sink_.statement->copy->storage.to_union_map()); }

  /// `place` says of a buffer which loops to pass as `at=`.
  IllegalScheduleError error(const std::string& what, const std::string& why,
                             const std::string& place, const Element& element) const {
    const std::string fix = general_fix(programs_.program, request_, place);
    const Site& source = expected_ ? *expected_ : found_ ? *found_ : sink_;
    return IllegalScheduleError(
        {request_.where, request_.text + what, why, fix},
        Violation{source.instance, sink_.instance, element.array, element.at, request_.text});
  }

  IllegalScheduleError out_of_bounds() const {
    const Element element = element_of(breach_.found);
    return error(" would use " + element.text() + ", which '" + element.array + "' does not have",
                 sink_.text() + " accesses it", "a loop further in", element);
  }

  IllegalScheduleError shared_cell() const {
    return error(
        " would keep " + sink_.element.text() + " and " + found_->element.text() + " in one place",
        "both are copied to " + near_cell().text() + " at " + sink_.text(), "a loop further in",
        sink_.element);
  }

  IllegalScheduleError used_in_flight() const {
    return error(" would use " + read_now().text() + " before its transfer is complete",
                 sink_.text() + " uses it after the issue and before the wait of " +
                     found_->instance.to_string(),
                 "a loop further out", read_now());
  }

  IllegalScheduleError in_flight(const std::string& what, const std::string& why) const {
    return error(what + sink_.instance.to_string(), why, "a loop further out", sink_.element);
  }

  IllegalScheduleError changed(const Element& element) const {
    const std::string transfer = sink_.instance.to_string();
    const bool lands = breach_.kind == BreachKind::Overwritten;
    if (lands && !expected_) {
      return in_flight(" would wait for the transfer of ", "nothing issues it");
    }
    if (lands && (!found_ || found_->statement == nullptr)) {
      return in_flight(" would wait for the transfer of ", "its issue comes later");
    }
    const std::string by =
        found_ && found_->statement != nullptr ? found_->text() : "something else";
    return error(" would change " + element.text() + " while a transfer uses it",
                 "between the issue and the wait of " + transfer + ", " + by + " writes it",
                 "a loop whose iterations share no element of '" + element.array + "'", element);
  }

  IllegalScheduleError busy_slot() const {
    const std::string& buffer = sink_.statement->copy->buffer;
    return error(" would use a slot of '" + buffer + "' for two transfers at once",
                 "the transfer of " + sink_.instance.to_string() +
                     " is not waited for when the slot is asked for again" +
                     (found_ ? " by " + found_->instance.to_string() : ""),
                 "a loop further in", {});
  }

  std::string reduction_name() const {
    if (sink_.statement != nullptr && sink_.statement->combiner) {
      return sink_.statement->combiner->name;
    }
    return sink_.statement != nullptr && sink_.statement->reduce
               ? std::string(to_string(*sink_.statement->reduce))
               : "reduction";
  }

  IllegalScheduleError lost_term() const {
    const Element element = read_by_user();
    const Element cell = read_now();
    std::string why = sink_.text() + " adds to " + cell.text();
    if (breach_.kind == BreachKind::SharedPartial) {
      why += ", and so does " + found_->text() + ", from the same partial result";
    } else if (!found_) {
      why += ", which holds no value then";
    } else if (found_->statement == nullptr) {
      why += ", which then holds " + found_->element.text() + " from before the program";
    } else {
      why += ", which then holds what " + found_->text() + " wrote";
    }
    return error(" would lose terms of the " + reduction_name() + " in " + element.text(), why,
                 "a loop outside those of the reduction", element);
  }

  IllegalScheduleError early_read() const {
    const Element element = read_by_user();
    const bool caller = sink_.statement == nullptr;
    return error(
        caller ? " would leave terms out of " + element.text()
               : " would use " + element.text() + " before its last term is added",
        (caller ? element.text() + " is stored for the last time" : sink_.text() + " reads it") +
            " after " + found_->text() + ", and more terms follow",
        "a loop outside those of the reduction", element);
  }

  IllegalScheduleError wrong_terms() const {
    return error(" would change the terms of a " + reduction_name(),
                 breach_.kind == BreachKind::SharedMerge
                     ? "a partial result would not be merged exactly once"
                     : "a result would not add each of its terms exactly once",
                 "a loop outside those of the reduction", sink_.element);
  }

  /// "W[i=3] (user.py:4) writes", "the caller passes".
  static std::string origin_text(const std::optional<Site>& source) {
    if (!source || source->statement == nullptr) return "the caller passes";
    return source->text() + " writes";
  }

  std::string found_text() const {
    if (!found_) return "holds no value";
    if (found_->statement != nullptr) return "holds what " + found_->text() + " wrote";
    return "holds " + found_->element.text() + " from before the program";
  }

  IllegalScheduleError wrong_value() const {
    const Element element = read_by_user();
    if (sink_.statement == nullptr) {
      return error(
          " would leave a wrong value in " + element.text(),
          "at the end it should hold what " + origin_text(expected_) + ", but it " + found_text(),
          "a loop further out", element);
    }
    const Element cell = read_now();
    const bool stale = found_ && found_->before_program && expected_ &&
                       expected_->statement != nullptr && cell.array != element.array;
    const std::string what =
        stale ? " would copy " + element.text() + " to '" + cell.array + "' before " +
                    expected_->instance.to_string() + " writes it"
              : " would give " + sink_.instance.to_string() + " a wrong value of " + element.text();
    const std::string why = sink_.text() + " reads " + element.text() + ", which " +
                            origin_text(expected_) + ", in " + cell.text() + ", which then " +
                            found_text();
    return error(what, why,
                 stale ? "a loop inside those that write '" + element.array + "'"
                       : "a loop inside which nothing else writes '" + element.array + "'",
                 element);
  }

  const Comparison& programs_;
  const Breach& breach_;
  const Request& request_;
  Site sink_;
  std::optional<Site> found_;
  std::optional<Site> expected_;
};

/// What a breach is, when its instances were not found.
std::string in_general(BreachKind kind) {
  switch (kind) {
    case BreachKind::OutOfBounds:
      return "an access leaves its array";
    case BreachKind::SharedCell:
      return "a transfer puts two elements into one place of its buffer";
    case BreachKind::UsedInFlight:
      return "something uses data before their transfer is complete";
    case BreachKind::NeverAwaited:
      return "a transfer is never waited for";
    case BreachKind::Overwritten:
    case BreachKind::SourceChanged:
      return "data change while a transfer uses them";
    case BreachKind::SlotBusy:
      return "a slot of a buffer is used by two transfers at once";
    case BreachKind::LostPartial:
    case BreachKind::SharedPartial:
      return "a reduction loses terms";
    case BreachKind::EarlyRead:
      return "something uses a reduction before its last term is added";
    case BreachKind::SharedMerge:
    case BreachKind::WrongTerms:
      return "a reduction would not add each of its terms exactly once";
    case BreachKind::WrongValue:
      return "a read gets another value than the program as written";
  }
  return "";
}

}  // namespace

IllegalScheduleError program_violation(const Comparison& programs, const Breach& breach,
                                       const Request& request) {
  try {
    const IslBudget budget(programs.program.ctx(), kProgramBudget);
    return Reporter(programs, breach, request).report();
  } catch (const isl::exception_quota&) {
    return IllegalScheduleError(
        {request.where, request.text + " would change what the program computes",
         in_general(breach.kind), general_fix(programs.program, request, "another loop")},
        Violation{{}, {}, "", {}, request.text});
  }
}

}  // namespace solway::schedule
