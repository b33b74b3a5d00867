#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/source_loc.h"

namespace solway {

/// Base of every error that the compiler reports. Never thrown itself.
class Error : public std::exception {
 public:
  /// What the user needs to read, in the order they are printed.
  struct Report {
    SourceLoc where;   ///< the user's line that asked for this
    std::string what;  ///< the request that failed: "reorder(i, j) is illegal"
    std::string why;   ///< the fact that forbids it, with values
    std::string fix;   ///< one thing to try; empty only for InternalError
  };

  const Report& report() const noexcept { return report_; }
  const char* what() const noexcept override { return text_.c_str(); }
  /// The class name, the same in C++ and Python.
  virtual const char* class_name() const noexcept = 0;

 protected:
  Error(const char* class_name, Report report);

 private:
  Report report_;
  std::string text_;
};

/// The text of a report: "Class: what\n  why: ...\n  fix: ...\n  at:  file:line: text".
std::string format_report(const char* class_name, const Error::Report& report);

/// Ill-formed algorithm: shape, element type, rank, a read outside a tensor.
class DslError final : public Error {
 public:
  explicit DslError(Report r) : Error("DslError", std::move(r)) {}
  const char* class_name() const noexcept override { return "DslError"; }
};

/// No such loop, a factor that is not positive, an axis that was replaced.
class ScheduleArgumentError final : public Error {
 public:
  explicit ScheduleArgumentError(Report r) : Error("ScheduleArgumentError", std::move(r)) {}
  const char* class_name() const noexcept override { return "ScheduleArgumentError"; }
};

/// isl did not decide within its operation budget: neither legal nor illegal.
class AnalysisBudgetError final : public Error {
 public:
  explicit AnalysisBudgetError(Report r) : Error("AnalysisBudgetError", std::move(r)) {}
  const char* class_name() const noexcept override { return "AnalysisBudgetError"; }
};

/// Legal but not implemented; `fix` says what is.
class UnsupportedError final : public Error {
 public:
  explicit UnsupportedError(Report r) : Error("UnsupportedError", std::move(r)) {}
  const char* class_name() const noexcept override { return "UnsupportedError"; }
};

/// Run time: an argument's shape, type, stride or alignment differs from the compiled kernel.
class ArgumentMismatchError final : public Error {
 public:
  explicit ArgumentMismatchError(Report r) : Error("ArgumentMismatchError", std::move(r)) {}
  const char* class_name() const noexcept override { return "ArgumentMismatchError"; }
};

/// A bug of solway itself.
class InternalError final : public Error {
 public:
  explicit InternalError(Report r) : Error("InternalError", std::move(r)) {}
  const char* class_name() const noexcept override { return "InternalError"; }
};

/// One statement instance in the user's terms: stage name and iteration of its own axes.
struct Instance {
  std::string stage;
  std::vector<std::pair<std::string, std::int64_t>> iteration;  ///< axis name, value

  /// "H[t=1, i=3]".
  std::string to_string() const;
};

/// The schedule would break a dependence. Carries one violated pair.
class IllegalScheduleError final : public Error {
 public:
  struct Violation {
    Instance source;  ///< the one that runs first in the original program
    Instance sink;
    std::string tensor;
    std::vector<std::int64_t> element;
    std::string primitive;  ///< "reorder(i, t)"
  };
  IllegalScheduleError(Report r, Violation v)
      : Error("IllegalScheduleError", std::move(r)), violation_(std::move(v)) {}
  const char* class_name() const noexcept override { return "IllegalScheduleError"; }
  const Violation& violation() const noexcept { return violation_; }

 private:
  Violation violation_;
};

/// Buffers do not fit a scratchpad.
class CapacityError final : public Error {
 public:
  struct Buffer {
    std::string name;
    std::int64_t size_bytes = 0;
    std::string primitive;  ///< the primitive that made it
  };
  CapacityError(Report r, std::int64_t needed_bytes, std::int64_t available_bytes,
                std::vector<Buffer> buffers)
      : Error("CapacityError", std::move(r)),
        needed_bytes_(needed_bytes),
        available_bytes_(available_bytes),
        buffers_(std::move(buffers)) {}
  const char* class_name() const noexcept override { return "CapacityError"; }
  std::int64_t needed_bytes() const noexcept { return needed_bytes_; }
  std::int64_t available_bytes() const noexcept { return available_bytes_; }
  const std::vector<Buffer>& buffers() const noexcept { return buffers_; }

 private:
  std::int64_t needed_bytes_;
  std::int64_t available_bytes_;
  std::vector<Buffer> buffers_;
};

/// The emulated program did what the machine forbids.
class EmulatorError final : public Error {
 public:
  EmulatorError(Report r, std::string kind, SourceLoc cause, int cpe, int group = -1)
      : Error("EmulatorError", std::move(r)),
        kind_(std::move(kind)),
        cause_(std::move(cause)),
        cpe_(cpe),
        group_(group) {}
  const char* class_name() const noexcept override { return "EmulatorError"; }
  const std::string& kind() const noexcept { return kind_; }
  const SourceLoc& cause() const noexcept { return cause_; }  ///< line 0: none
  int cpe() const noexcept { return cpe_; }                   ///< in its group; -1: none
  int group() const noexcept { return group_; }               ///< -1: the program uses one only

 private:
  std::string kind_;
  SourceLoc cause_;
  int cpe_;
  int group_;
};

}  // namespace solway
