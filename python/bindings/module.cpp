#include <map>
#include <string>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"

namespace {

/// What this module was built from.
std::map<std::string, std::string> versions() {
  return {{"core", SOLWAY_VERSION},
          {"compiler", __VERSION__},
          {"isl", SOLWAY_ISL_VERSION},
          {"llvm", SOLWAY_LLVM_VERSION}};
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled part of solway. Use the package `solway`, not this module.";
  m.def("versions", &versions, "Versions of this module and of what it was built with, by name.");
  solway::python::bind_support(m);
  solway::python::bind_dsl(m);
  solway::python::bind_schedule(m);
  solway::python::bind_buffer(m);
  solway::python::bind_planner(m);
  solway::python::bind_driver(m);
}
