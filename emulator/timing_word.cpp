#include "emulator/timing_word.h"

#include <sstream>

namespace solway::emulator {
namespace {

/// All numbers of a timing but for the points, in the order of the word.
template <typename TimingType, typename Visitor>
void for_each_number(TimingType& timing, Visitor visit) {
  for (auto* const number :
       {&timing.load_latency, &timing.float_latency, &timing.multiply_latency,
        &timing.vector_latency, &timing.float_divide, &timing.integer_divide, &timing.library_call,
        &timing.main_load, &timing.main_store, &timing.main_access, &timing.barrier,
        &timing.message, &timing.spawn, &timing.join, &timing.dma_startup, &timing.dma_pending,
        &timing.dma_transaction_bytes, &timing.dma_buses}) {
    visit(*number);
  }
}

}  // namespace

std::string to_word(const MachineTiming& timing) {
  std::ostringstream out;
  out.precision(17);
  for_each_number(timing, [&](int number) { out << number << ','; });
  for (const DmaPoint& point : timing.dma) {
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
  for_each_number(timing, [&](int& number) { next(number); });
  for (DmaPoint point; next(point.block_bytes) && next(point.get_bytes_per_cycle) &&
                       next(point.put_bytes_per_cycle);) {
    timing.dma.push_back(point);
  }
  return timing;
}

}  // namespace solway::emulator
