#include "schedule/references.h"

#include <algorithm>
#include <set>

#include "support/error.h"
#include "support/isl_ext.h"

namespace solway::schedule {
namespace {

std::string array_of(const State& state, const std::pair<std::string, std::size_t>& operand) {
  const Operand& read = state.program->statement(operand.first).reads[operand.second];
  return isl_ext::tuple_name(read.relation, isl_ext::Dim::Range);
}

/// The buffer that serves all of a reference; nullptr where something still reads the tensor.
const Buffer* buffer_of(const State& state, const Reference& reference, const std::string& tensor) {
  for (const auto& operand : reference.operands) {
    if (array_of(state, operand) == tensor) return nullptr;
  }
  return &state.program->buffers.at(array_of(state, reference.operands.front()));
}

}  // namespace

std::vector<Reference> references_of(const State& state, const std::string& stage,
                                     const std::string& tensor) {
  std::vector<Reference> out;
  std::vector<dsl::Expr> reads;  // of each
  for (const std::string& name : statements_of(state, stage)) {
    const Statement& s = state.program->statement(name);
    if (s.serves_buffer()) continue;
    for (std::size_t k = 0; k < s.reads.size(); ++k) {
      const dsl::Expr& read = s.reads[k].read;
      if (read == nullptr || state.program->home_of(array_of(state, {name, k})) != tensor) continue;
      const auto known = std::find(reads.begin(), reads.end(), read);
      if (known != reads.end()) {
        out[static_cast<std::size_t>(known - reads.begin())].operands.emplace_back(name, k);
        continue;
      }
      reads.push_back(read);
      out.push_back({dsl::to_string(read), {{name, k}}});
    }
  }
  return out;
}

std::string to_string(const std::vector<Reference>& references) {
  std::string out;
  for (std::size_t k = 0; k < references.size(); ++k) {
    out += (k == 0 ? "" : ", ") + std::to_string(k) + ": " + references[k].text;
  }
  return out;
}

std::string to_string(const std::vector<int>& numbers) {
  std::string out = "[";
  for (const int number : numbers) {
    out += (out.size() == 1 ? "" : ", ") + std::to_string(number);
  }
  return out + "]";
}

void require_references(const State& state, const std::string& stage, const std::string& tensor,
                        const std::vector<int>& numbers, const Request& request) {
  const std::vector<Reference> all = references_of(state, stage, tensor);
  const auto refuse = [&](const std::string& what, const std::string& why, const std::string& fix) {
    throw ScheduleArgumentError({request.where, request.text + ": " + what, why, fix});
  };
  const std::string listed = "the references of '" + stage + "' to '" + tensor + "' are " +
                             (all.empty() ? "none" : to_string(all));
  if (numbers.empty()) {
    refuse("it names no reference", listed, "name some of them, or leave references= out");
  }
  std::set<int> seen;
  for (const int number : numbers) {
    if (number < 0 || number >= static_cast<int>(all.size())) {
      refuse("there is no reference " + std::to_string(number), listed,
             "name them by these numbers");
    }
    const Reference& one = all[static_cast<std::size_t>(number)];
    if (!seen.insert(number).second) {
      refuse("it names reference " + std::to_string(number) + " twice", listed,
             "name each of them once");
    }
    const Buffer* const buffer = buffer_of(state, one, tensor);
    if (buffer == nullptr) continue;
    refuse("reference " + std::to_string(number) + ", " + one.text + ", has a buffer already",
           buffer->primitive + " at " + buffer->where.to_string() + " made '" + buffer->name + "'",
           "leave it out of one of the two");
  }
}

}  // namespace solway::schedule
