#include <exception>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "python/bindings/bind.h"
#include "support/analysis_limit.h"
#include "support/error.h"
#include "support/target.h"

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
    fields["group"] = emulator->group() < 0 ? py::object(py::none()) : py::int_(emulator->group());
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
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    raise(InternalError({{}, "solway stopped where it must not", error.what(), ""}));
  }
}

const char* word_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Main:
      return "main";
    case MemoryKind::Scratchpad:
      return "scratchpad";
    case MemoryKind::Cache:
      return "cache";
    case MemoryKind::Register:
      return "register";
  }
  return "";
}

const char* word_of(MemorySharing sharing) {
  switch (sharing) {
    case MemorySharing::Core:
      return "core";
    case MemorySharing::Row:
      return "row";
    case MemorySharing::Column:
      return "column";
    case MemorySharing::All:
      return "all";
  }
  return "";
}

/// (name, kind, size, reserved, alignment, shared by) of each memory.
using MemoryRow =
    std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::int64_t, std::string>;
std::vector<MemoryRow> memories_of(const Target& target) {
  std::vector<MemoryRow> out;
  for (const Memory& m : target.memories) {
    out.emplace_back(m.name, word_of(m.kind), m.size_bytes, m.reserved_bytes, m.alignment_bytes,
                     word_of(m.shared_by));
  }
  return out;
}

/// Fields of each engine in the order of TransferEngine; the bandwidth as (block, get, put).
using EngineRow = std::tuple<std::string, std::string, int, int, std::int64_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                             std::vector<std::tuple<std::int64_t, double, double>>>;
std::vector<EngineRow> engines_of(const Target& target) {
  std::vector<EngineRow> out;
  for (const TransferEngine& e : target.transfer_engines) {
    std::vector<std::tuple<std::int64_t, double, double>> bandwidth;
    for (const BandwidthPoint& p : e.bandwidth) {
      bandwidth.emplace_back(p.block_bytes, p.get_gb_per_s, p.put_gb_per_s);
    }
    out.emplace_back(e.name, e.near, e.ranks, e.max_pending, e.alignment_bytes, e.min_size_bytes,
                     e.max_size_bytes, e.max_block_bytes, e.transaction_bytes, e.startup_cycles,
                     std::move(bandwidth));
  }
  return out;
}

std::optional<std::map<std::string, double>> timing_of(const Target& target) {
  if (!target.timing) return std::nullopt;
  std::map<std::string, double> out;
  for_each_figure(*target.timing, [&](const char* name, auto figure, int) {
    out[name] = static_cast<double>(figure);
  });
  return out;
}

/// (bits, registers, lanes by NumPy's type name, FMA latency, load latency, whether scalable).
using VectorRow = std::tuple<int, int, std::map<std::string, int>, int, int, bool>;
std::optional<VectorRow> vector_of(const Target& target) {
  if (!target.vector) return std::nullopt;
  const VectorUnit& v = *target.vector;
  std::map<std::string, int> lanes;
  for (const auto& [type, count] : v.lanes) lanes[std::string(to_string(type))] = count;
  return VectorRow{v.register_bits,      v.registers,           lanes,
                   v.fma_latency_cycles, v.load_latency_cycles, v.is_scalable};
}

std::tuple<int, int, int, std::int64_t, std::int64_t, int> cores_of(const Target& target) {
  const Cores& c = target.cores;
  return {c.count, c.mesh_rows, c.mesh_columns, c.clock_mhz, c.icache_bytes, c.groups};
}

void bind_target(py::module_& m) {
  py::class_<ForeignMachine>(m, "ForeignMachine", "How code is made and run for another machine.")
      .def_readonly("triple", &ForeignMachine::triple, "LLVM's name of the machine.")
      .def_readonly("features", &ForeignMachine::features, "LLVM's names of what code uses.")
      .def_readonly("emulator", &ForeignMachine::emulator, "The words that run a program; [].")
      .def_readonly("compiler", &ForeignMachine::compiler, "A C compiler that links programs.");
  py::class_<Target>(m, "Target", "A machine as data.")
      .def_readonly("name", &Target::name, "The name.")
      .def_readonly("description", &Target::description, "One line for people.")
      .def_readonly("dialect", &Target::dialect,
                    "How code is written: host, c, athread or generic.")
      .def_readonly("pragmas", &Target::pragmas, "Whose directives loops in C carry, or ''.")
      .def_readonly("llvm_cpu", &Target::llvm_cpu, "LLVM's name of the processor, or ''.")
      .def_readonly("foreign", &Target::foreign, "Of another machine than this one; else None.")
      .def_property_readonly("is_emulated", &Target::is_emulated,
                             "Whether calls run in the emulator.")
      .def_readonly("default_scope", &Target::default_scope, "Where buffers are unless told.")
      .def_property_readonly(
          "cores", &cores_of,
          "(count, mesh rows, mesh columns, MHz, instruction cache bytes, groups).")
      .def_property_readonly("memories", &memories_of,
                             "(name, kind, size, reserved, alignment, shared by) of each memory.")
      .def_property_readonly("transfer_engines", &engines_of, "The fields of each engine.")
      .def_property_readonly("vector", &vector_of,
                             "(bits, registers, lanes by type, FMA latency, load latency).")
      .def_property_readonly("timing", &timing_of,
                             "What timed mode goes by, by its key; None without it.");
}

}  // namespace

void bind_support(py::module_& m) {
  py::class_<SourceLoc>(m, "SourceLoc", "A line of the user's program; line 0 means unknown.")
      .def(py::init<std::string, int, std::string>(), py::arg("file"), py::arg("line"),
           py::arg("text"), "The line `line` (1-based) of `file`, and its text.")
      .def_readonly("file", &SourceLoc::file, "The file's path.")
      .def_readonly("line", &SourceLoc::line, "The 1-based line.")
      .def_readonly("text", &SourceLoc::text, "The line without surrounding blanks.");
  bind_target(m);
  m.def("exchange_analysis_seconds", &exchange_analysis_seconds, py::arg("seconds"),
        "Gives the proofs of this thread their processor time, and returns what they had; None "
        "leaves it to the environment.");
  py::register_exception_translator(&translate);
}

}  // namespace solway::python
