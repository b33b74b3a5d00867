#include "emulator/timing_word.h"

#include <sstream>

namespace solway::emulator {
namespace {

/// A table that may be missing: 1 and its figures, or 0.
template <typename Table, typename Visitor>
void visit_if_there(std::optional<Table>& table, Visitor visit, auto for_each_of_its_figures) {
  int is_there = table.has_value() ? 1 : 0;
  visit(is_there);
  if (is_there == 0) return;
  if (!table) table.emplace();
  for_each_of_its_figures(*table, [&](const char*, auto& figure, int) { visit(figure); });
}

/// All numbers of a timing but for the points, in the order of the word.
template <typename Visitor>
void for_each_number(MachineTiming& timing, Visitor visit) {
  for_each_figure(timing.figures, [&](const char*, auto& figure, int) { visit(figure); });
  visit_if_there(timing.figures.instruction_cache, visit,
                 [](auto& table, auto each) { for_each_instruction_cache_figure(table, each); });
  visit_if_there(timing.figures.messages, visit,
                 [](auto& table, auto each) { for_each_message_figure(table, each); });
  visit_if_there(timing.figures.remote_copies, visit,
                 [](auto& table, auto each) { for_each_remote_copy_figure(table, each); });
  visit(timing.load_latency);
  visit(timing.float_latency);
  visit(timing.icache_bytes);
  visit(timing.dma.startup);
  visit(timing.dma.put_startup);
  visit(timing.dma.pending);
  visit(timing.dma.transaction_bytes);
  visit(timing.dma.buses);
  visit(timing.dma.misaligned_bytes_per_cycle);
  visit(timing.dma.partial_put);
  visit(timing.dma.aligned_partial_put);
}

}  // namespace

std::string to_word(MachineTiming timing) {
  std::ostringstream out;
  out.precision(17);
  for_each_number(timing, [&](auto number) { out << number << ','; });
  for (const DmaPoint& point : timing.dma.points) {
    out << point.block_bytes << ',' << point.get_bytes_per_cycle << ',' << point.put_bytes_per_cycle
        << ',';
  }
  return out.str();
}

MachineTiming timing_from_word(const std::string& word) {
  std::istringstream in(word);
  const auto next = [&](auto& number) {
    char comma = 0;
    return static_cast<bool>(in >> number >> comma);
  };
  MachineTiming timing;
  for_each_number(timing, [&](auto& number) { next(number); });
  for (DmaPoint point; next(point.block_bytes) && next(point.get_bytes_per_cycle) &&
                       next(point.put_bytes_per_cycle);) {
    timing.dma.points.push_back(point);
  }
  return timing;
}

}  // namespace solway::emulator
