#include "driver/frontend/network.h"

#include "driver/frontend/call_arguments.h"
#include "driver/frontend/size_values.h"
#include "support/error.h"

namespace solway {
namespace {

std::vector<dsl::Tensor> nodes_of(const std::vector<Tensor>& tensors) {
  std::vector<dsl::Tensor> out;
  for (const Tensor& tensor : tensors) out.push_back(tensor.node());
  return out;
}

}  // namespace

std::vector<Tensor> Network::arguments() const {
  std::vector<Tensor> out;
  for (const dsl::Tensor& node : code_.joined().params) out.emplace_back(node);
  return out;
}

driver::RunReport Network::operator()(const std::vector<ArrayRef>& arrays,
                                      const driver::RunOptions& options, Line line) const {
  const SourceLoc where = to_source_loc(line);
  const std::vector<Tensor> args = arguments();
  detail::require_count(code_.name(), arrays, args, where);
  std::vector<ir::Role> roles;
  std::vector<void*> pointers;
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    roles.push_back(code_.joined().network.params[k].role);
    detail::require_fits(arrays[k], args[k], detail::elements_of(args[k], {}), roles.back(), where);
    pointers.push_back(arrays[k].data());
  }
  detail::require_no_overlap(arrays, args, roles, {}, where);
  driver::RunReport report = code_.run(pointers, options);
  if (report.status != 0) {
    throw InternalError({where, code_.name() + " returned " + std::to_string(report.status),
                         "the generated code could not do its work", ""});
  }
  return report;
}

std::vector<std::string> Network::save(const std::string& folder, Line line) const {
  return detail::write_sources(code_.sources(), folder, to_source_loc(line));
}

Network build_network(const std::vector<Layer>& layers, const driver::BuildOptions& options,
                      const std::vector<Tensor>& outputs, Line line) {
  std::vector<driver::NetworkLayer> parts;
  for (const Layer& layer : layers) {
    parts.push_back({layer.schedule.state(), nodes_of(layer.args)});
  }
  return Network(driver::build_network(parts, nodes_of(outputs), options, to_source_loc(line)));
}

}  // namespace solway
