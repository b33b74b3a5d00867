#include "emulator/timeline.h"

#include <sstream>
#include <tuple>
#include <type_traits>

namespace solway::emulator {
namespace {

/// The numbers of a line, in their order, to read and to write.
template <typename Record>
auto numbers_of(Record& record) {
  using Kind = std::remove_const_t<Record>;
  if constexpr (std::is_same_v<Kind, CoreTimes>) {
    return std::tuple_cat(
        std::tie(record.running), std::tie(record.in_flight, record.get_bytes),
        std::tie(record.put_bytes, record.ldm_peak_bytes),
        std::apply([](auto&... stall) { return std::tie(stall...); }, record.stalled));
  } else if constexpr (std::is_same_v<Kind, TimelineRun>) {
    return std::tie(record.core, record.name, record.begin, record.end);
  } else if constexpr (std::is_same_v<Kind, TimelineWait>) {
    return std::tie(record.core, record.stall, record.begin, record.end, record.waited);
  } else if constexpr (std::is_same_v<Kind, TimelineTransfer>) {
    return std::tie(record.core, record.is_put, record.name, record.requests, record.bytes,
                    record.issued, record.completed);
  } else {
    return std::tie(record.core, record.cycle, record.bytes);  // of an LdmLevel
  }
}

template <typename Record>
void write(std::ostream& out, const char* word, const std::vector<Record>& records) {
  for (const Record& record : records) {
    out << word;
    std::apply([&](auto&... number) { ((out << ' ' << static_cast<std::int64_t>(number)), ...); },
               numbers_of(record));
    out << '\n';
  }
}

template <typename Record>
bool read(std::istream& in, std::vector<Record>& records) {
  Record record;
  const auto next = [&](auto& number) {
    std::int64_t value = 0;
    in >> value;
    number = static_cast<std::remove_reference_t<decltype(number)>>(value);
  };
  std::apply([&](auto&... number) { (next(number), ...); }, numbers_of(record));
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
