#include "driver/frontend/kernel.h"

#include <utility>

#include "driver/frontend/call_arguments.h"
#include "driver/frontend/size_values.h"
#include "driver/require_assumptions.h"
#include "driver/thread_count.h"
#include "support/error.h"

namespace solway {
namespace {

std::vector<ir::Role> roles_of(const ir::Kernel& kernel) {
  std::vector<ir::Role> out;
  for (const ir::Param& param : kernel.params) out.push_back(param.role);
  return out;
}

}  // namespace

driver::RunReport Kernel::operator()(const std::vector<ArrayRef>& arrays, Line line) const {
  return (*this)(arrays, {}, line);
}

driver::RunReport Kernel::operator()(const std::vector<ArrayRef>& arrays,
                                     const CallOptions& options, Line line) const {
  const SourceLoc where = to_source_loc(line);
  const std::string& name = code_.kernel().name;
  detail::require_count(name, arrays, args_, where);
  std::vector<std::int64_t> counts;
  for (const ArrayRef& array : arrays) counts.push_back(array.count());
  const detail::SizeValues sizes =
      detail::size_values(name, code_.sizes(), args_, counts, options.sizes, where);
  driver::require_assumptions(code_, sizes, where);
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    detail::require_fits(arrays[k], args_[k], detail::elements_of(args_[k], sizes),
                         code_.kernel().params[k].role, where);
    pointers.push_back(arrays[k].data());
  }
  detail::require_no_overlap(arrays, args_, roles_of(code_.kernel()), code_.shareable(), where);
  std::vector<std::int64_t> values;
  for (const dsl::Size& size : code_.sizes()) values.push_back(sizes.at(size->name));
  driver::RunOptions run = options.run;
  run.threads = driver::threads_of_call(run.threads, code_.has_threads(), where);
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
  return write(codegen::ParallelForm::OneThread, folder, to_source_loc(line));
}

std::vector<std::string> Kernel::save_with_threads(const std::string& folder, Line line) const {
  return write(codegen::ParallelForm::Team, folder, to_source_loc(line));
}

std::vector<std::string> Kernel::write(codegen::ParallelForm form, const std::string& folder,
                                       const SourceLoc& where) const {
  std::map<std::string, std::string> files = code_.sources();
  files.merge(code_.libraries(form, where));
  return detail::write_sources(files, folder, where);
}

Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
             const driver::BuildOptions& options, Line line) {
  std::vector<dsl::Tensor> nodes;
  for (const Tensor& arg : args) nodes.push_back(arg.node());
  return {driver::build(schedule.state(), nodes, options, to_source_loc(line)), args};
}

}  // namespace solway
