#include "driver/frontend/kernel.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "driver/frontend/size_values.h"
#include "driver/require_assumptions.h"
#include "support/error.h"

namespace solway {
namespace {

void require_fits(const ArrayRef& array, const Tensor& tensor, std::int64_t elements, ir::Role role,
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
  if (array.count() != elements) {
    fail("size", std::to_string(array.count()) + " elements", std::to_string(elements));
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

driver::RunReport Kernel::operator()(const std::vector<ArrayRef>& arrays, Line line) const {
  return (*this)(arrays, {}, line);
}

driver::RunReport Kernel::operator()(const std::vector<ArrayRef>& arrays,
                                     const CallOptions& options, Line line) const {
  const SourceLoc where = to_source_loc(line);
  const std::string& name = code_.kernel().name;
  if (arrays.size() != args_.size()) {
    std::string names;
    for (const Tensor& arg : args_) names += (names.empty() ? "" : ", ") + arg.name();
    throw ArgumentMismatchError({where, name + " takes " + std::to_string(args_.size()) + " arrays",
                                 "got " + std::to_string(arrays.size()), "pass " + names});
  }
  std::vector<std::int64_t> counts;
  for (const ArrayRef& array : arrays) counts.push_back(array.count());
  const detail::SizeValues sizes =
      detail::size_values(name, code_.sizes(), args_, counts, options.sizes, where);
  driver::require_assumptions(code_, sizes, where);
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    require_fits(arrays[k], args_[k], detail::elements_of(args_[k], sizes),
                 code_.kernel().params[k].role, where);
    pointers.push_back(arrays[k].data());
  }
  require_no_overlap(arrays, args_, code_, where);
  std::vector<std::int64_t> values;
  for (const dsl::Size& size : code_.sizes()) values.push_back(sizes.at(size->name));
  driver::RunOptions run = options.run;
  if (!values.empty()) {
    pointers.push_back(values.data());
    for (const ArrayRef& array : arrays)
      run.argument_bytes.push_back(array.count() * size_bytes(array.type()));
    run.argument_bytes.push_back(std::ssize(values) * std::int64_t{sizeof values[0]});
  }
  driver::RunReport report = code_.run(pointers, run);
  if (report.status != 0) {
    throw InternalError({where, name + " returned " + std::to_string(report.status),
                         "the generated code could not do its work", ""});
  }
  return report;
}

std::vector<std::string> Kernel::save(const std::string& folder, Line line) const {
  std::vector<std::string> out;
  for (const auto& [name, text] : code_.sources()) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      throw ArgumentMismatchError({to_source_loc(line), "'" + folder + "' cannot be written",
                                   path.string() + " cannot be made", "name a folder that can be"});
    }
    out.push_back(path.string());
  }
  return out;
}

Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
             const driver::BuildOptions& options, Line line) {
  std::vector<dsl::Tensor> nodes;
  for (const Tensor& arg : args) nodes.push_back(arg.node());
  return {driver::build(schedule.state(), nodes, options, to_source_loc(line)), args};
}

}  // namespace solway
