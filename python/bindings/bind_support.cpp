#include <exception>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway::python {

namespace {

/// solway.errors.Where
py::object where_of(const SourceLoc& where) {
  return py::module_::import("solway.errors").attr("Where")(where.file, where.line, where.text);
}

py::object pair_of(const Instance& instance) {
  return py::make_tuple(instance.stage, py::tuple(py::cast(instance.iteration)));
}

/// The fields that only some classes have, as keyword arguments of their Python class.
py::dict fields_of(const Error& error) {
  py::dict fields;
  if (const auto* illegal = dynamic_cast<const IllegalScheduleError*>(&error)) {
    const IllegalScheduleError::Violation& violation = illegal->violation();
    fields["source"] = pair_of(violation.source);
    fields["sink"] = pair_of(violation.sink);
    fields["tensor"] = violation.tensor;
    fields["element"] = py::tuple(py::cast(violation.element));
    fields["primitive"] = violation.primitive;
  } else if (const auto* capacity = dynamic_cast<const CapacityError*>(&error)) {
    py::list buffers;
    for (const CapacityError::Buffer& b : capacity->buffers()) {
      buffers.append(py::make_tuple(b.name, b.size_bytes, b.primitive));
    }
    fields["needed_bytes"] = capacity->needed_bytes();
    fields["available_bytes"] = capacity->available_bytes();
    fields["buffers"] = py::tuple(buffers);
  } else if (const auto* emulator = dynamic_cast<const EmulatorError*>(&error)) {
    fields["kind"] = emulator->kind();
    fields["cause"] = emulator->cause().line == 0 ? py::none() : where_of(emulator->cause());
    fields["cpe"] = emulator->cpe() < 0 ? py::object(py::none()) : py::int_(emulator->cpe());
  }
  return fields;
}

/// Raises solway.errors.<class>(what, why, fix, where, **fields).
void raise(const Error& error) {
  const py::object cls = py::module_::import("solway.errors").attr(error.class_name());
  const Error::Report& r = error.report();
  const py::object raised = cls(r.what, r.why, r.fix, where_of(r.where), **fields_of(error));
  PyErr_SetObject(cls.ptr(), raised.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const Error& error) {
    raise(error);
  }
}

}  // namespace

void bind_support(py::module_& m) {
  py::class_<SourceLoc>(m, "SourceLoc", "A line of the user's program; line 0 means unknown.")
      .def(py::init<std::string, int, std::string>(), py::arg("file"), py::arg("line"),
           py::arg("text"), "The line `line` (1-based) of `file`, and its text.")
      .def_readonly("file", &SourceLoc::file, "The file's path.")
      .def_readonly("line", &SourceLoc::line, "The 1-based line.")
      .def_readonly("text", &SourceLoc::text, "The line without surrounding blanks.");
  py::register_exception_translator(&translate);
}

}  // namespace solway::python
