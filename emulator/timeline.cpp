#include "emulator/timeline.h"

#include <sstream>

namespace solway::emulator {
namespace {

// One visitor for both ways: the numbers of a line, in their order.

template <typename Record, typename Visitor>
void for_each_number(Record& record, Visitor visit) requires requires {
  record.in_flight;
}
{
  visit(record.running);
  for (auto& stall : record.stalled) visit(stall);
  visit(record.in_flight);
  visit(record.get_bytes);
  visit(record.put_bytes);
  visit(record.ldm_peak_bytes);
}

template <typename Record, typename Visitor>
void for_each_number(Record& record, Visitor visit) requires(
    requires { record.name; } && !requires { record.bytes; }) {
  visit(record.core);
  visit(record.name);
  visit(record.begin);
  visit(record.end);
}

template <typename Record, typename Visitor>
void for_each_number(Record& record, Visitor visit) requires requires {
  record.waited;
}
{
  visit(record.core);
  visit(record.stall);
  visit(record.begin);
  visit(record.end);
  visit(record.waited);
}

template <typename Record, typename Visitor>
void for_each_number(Record& record, Visitor visit) requires requires {
  record.issued;
}
{
  visit(record.core);
  visit(record.is_put);
  visit(record.name);
  visit(record.requests);
  visit(record.bytes);
  visit(record.issued);
  visit(record.completed);
}

template <typename Record, typename Visitor>
void for_each_number(Record& record, Visitor visit) requires requires {
  record.cycle;
}
{
  visit(record.core);
  visit(record.cycle);
  visit(record.bytes);
}

template <typename Record>
void write(std::ostream& out, const char* word, const std::vector<Record>& records) {
  for (const Record& record : records) {
    out << word;
    for_each_number(record,
                    [&](const auto& number) { out << ' ' << static_cast<std::int64_t>(number); });
    out << '\n';
  }
}

template <typename Record>
bool read(std::istream& in, std::vector<Record>& records) {
  Record record;
  for_each_number(record, [&](auto& number) {
    std::int64_t value = 0;
    in >> value;
    number = static_cast<std::remove_reference_t<decltype(number)>>(value);
  });
  records.push_back(record);
  return static_cast<bool>(in);
}

}  // namespace

std::int64_t Timeline::stalled(Stall stall) const {
  std::int64_t sum = 0;
  for (const CoreTimes& core : cores) sum += core.stalled[static_cast<std::size_t>(stall)];
  return sum;
}

std::string to_text(const Timeline& timeline) {
  std::ostringstream out;
  out << "resolution " << timeline.resolution << '\n';
  for (const std::string& name : timeline.names) out << "name " << name << '\n';
  write(out, "core", timeline.cores);
  write(out, "run", timeline.runs);
  write(out, "wait", timeline.waits);
  write(out, "transfer", timeline.transfers);
  write(out, "level", timeline.levels);
  out << "end\n";
  return out.str();
}

std::optional<Timeline> timeline_from_text(const std::string& text) {
  Timeline timeline;
  std::istringstream in(text);
  std::string word;
  bool right = true;
  while (right && in >> word && word != "end") {
    if (word == "resolution") {
      right = static_cast<bool>(in >> timeline.resolution);
    } else if (word == "name") {
      in.get();
      right = static_cast<bool>(std::getline(in, timeline.names.emplace_back()));
    } else {
      right = (word == "core" && read(in, timeline.cores)) ||
              (word == "run" && read(in, timeline.runs)) ||
              (word == "wait" && read(in, timeline.waits)) ||
              (word == "transfer" && read(in, timeline.transfers)) ||
              (word == "level" && read(in, timeline.levels));
    }
  }
  if (!right || word != "end") return std::nullopt;
  return timeline;
}

}  // namespace solway::emulator
