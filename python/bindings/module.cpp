#include "python/bindings/bind.h"

PYBIND11_MODULE(_core, m) {
  m.doc() = "The compiled part of solway. Use the package `solway`, not this module.";
  solway::python::bind_support(m);
  solway::python::bind_dsl(m);
  solway::python::bind_schedule(m);
  solway::python::bind_buffer(m);
  solway::python::bind_driver(m);
}
