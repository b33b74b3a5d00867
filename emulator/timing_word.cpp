#include "emulator/timing_word.h"

#include <sstream>

namespace solway::emulator {
namespace {

/// All numbers of a timing but for the points, in the order of the word.
template <typename TimingType, typename Visitor>
void for_each_number(TimingType& timing, Visitor visit) {
  for_each_figure(timing.figures, [&](const char*, auto& figure, int) { visit(figure); });
  visit(timing.load_latency);
  visit(timing.float_latency);
  visit(timing.dma.startup);
  visit(timing.dma.pending);
  visit(timing.dma.transaction_bytes);
  visit(timing.dma.buses);
  visit(timing.dma.misaligned_bytes_per_cycle);
  visit(timing.dma.partial_put);
}

}  // namespace

std::string to_word(const MachineTiming& timing) {
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
