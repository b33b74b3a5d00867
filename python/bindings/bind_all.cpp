#include <map>
#include <string>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "support/isl_context.h"

namespace solway::python {
namespace {

/// What this module was built from.
std::map<std::string, std::string> versions() {
  return {{"core", SOLWAY_VERSION},
          {"compiler", __VERSION__},
          {"isl", isl_version()},
          {"llvm", SOLWAY_LLVM_VERSION}};
}

}  // namespace

void bind_all(pybind11::module_& m) {
  m.doc() = "The compiled part of solway. Use the package `solway`, not this module.";
  m.def("versions", &versions, "Versions of this module and of what it was built with, by name.");
  bind_support(m);
  bind_dsl(m);
  bind_schedule(m);
  bind_order(m);
  bind_stages(m);
  bind_buffer(m);
  bind_planner(m);
  bind_algorithms(m);
  bind_timeline(m);
  bind_driver(m);
  bind_network(m);
  bind_explain(m);
}

}  // namespace solway::python
