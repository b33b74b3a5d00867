#include "python/bindings/bind.h"

PYBIND11_MODULE(_core, m) { solway::python::bind_all(m); }
