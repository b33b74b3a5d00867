#include "driver/frontend/kernel.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace solway {
namespace {

std::int64_t elements_of(const Tensor& tensor) {
  std::int64_t out = 1;
  for (const std::int64_t extent : tensor.shape()) out *= extent;
  return out;
}

void require_fits(const ArrayRef& array, const Tensor& tensor, ir::Role role,
                  const SourceLoc& where) {
  const auto fail = [&](const std::string& what, const std::string& got,
                        const std::string& wanted) {
    throw ArgumentMismatchError({where, "argument '" + tensor.name() + "' has another " + what,
                                 "got " + got + ", '" + tensor.name() + "' has " + wanted,
                                 "pass an array that fits '" + tensor.name() + "'"});
  };
  if (array.type() != tensor.dtype()) {
    fail("element type", std::string(to_string(array.type())),
         std::string(to_string(tensor.dtype())));
  }
  if (array.count() != elements_of(tensor)) {
    fail("size", std::to_string(array.count()) + " elements", std::to_string(elements_of(tensor)));
  }
  if (array.is_const() && role != ir::Role::In) {
    fail("mutability", "elements that are const", "values that the kernel writes");
  }
}

const char* end_of(const ArrayRef& array) {
  return static_cast<const char*>(array.data()) + array.count() * size_bytes(array.type());
}

/// What is written shares no byte with another argument, but for an output that may be an input.
void require_no_overlap(const std::vector<ArrayRef>& arrays, const std::vector<Tensor>& args,
                        const driver::CompiledKernel& code, const SourceLoc& where) {
  const auto& shareable = code.shareable();
  for (std::size_t a = 0; a < args.size(); ++a) {
    if (code.kernel().params[a].role == ir::Role::In) continue;
    for (std::size_t b = 0; b < args.size(); ++b) {
      const bool may_be_one =
          std::find(shareable.begin(), shareable.end(), std::pair(a, b)) != shareable.end();
      if (may_be_one && arrays[a].data() == arrays[b].data()) continue;
      if (a == b || arrays[a].data() >= end_of(arrays[b])) continue;
      if (arrays[b].data() >= end_of(arrays[a])) continue;
      throw ArgumentMismatchError(
          {where, "'" + args[a].name() + "' overlaps '" + args[b].name() + "'",
           "both arrays hold the same memory, and '" + args[a].name() + "' is written",
           "pass memory of its own for '" + args[a].name() + "'"});
    }
  }
}

}  // namespace

void Kernel::operator()(const std::vector<ArrayRef>& arrays, Line line) const {
  const SourceLoc where = to_source_loc(line);
  if (arrays.size() != args_.size()) {
    std::string names;
    for (const Tensor& arg : args_) names += (names.empty() ? "" : ", ") + arg.name();
    throw ArgumentMismatchError(
        {where, code_.kernel().name + " takes " + std::to_string(args_.size()) + " arrays",
         "got " + std::to_string(arrays.size()), "pass " + names});
  }
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    require_fits(arrays[k], args_[k], code_.kernel().params[k].role, where);
    pointers.push_back(arrays[k].data());
  }
  require_no_overlap(arrays, args_, code_, where);
  const driver::RunReport report = code_.run(pointers);
  if (report.status != 0) {
    throw InternalError({where, code_.kernel().name + " returned " + std::to_string(report.status),
                         "the generated code could not do its work", ""});
  }
}

Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
             const driver::BuildOptions& options, Line line) {
  std::vector<dsl::Tensor> nodes;
  for (const Tensor& arg : args) nodes.push_back(arg.node());
  return {driver::build(schedule.state(), nodes, options, to_source_loc(line)), args};
}

}  // namespace solway
