#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/build.h"
#include "driver/frontend/array_ref.h"
#include "driver/frontend/schedule.h"

namespace solway {

/// How one call runs.
struct CallOptions {
  /// Values of sizes by name. Those that the numbers of elements tell may be left out: of an array
  /// with one size in its shape, all extents of which grow with it.
  std::map<std::string, std::int64_t> sizes = {};
  driver::RunOptions run = {};  ///< of an emulated machine
};

/// A schedule compiled for one target.
class Kernel {
 public:
  /// Runs on one array per argument, in order; outputs are written in place. Throws
  /// ArgumentMismatchError for another number of arrays, of elements, another type, or a size that
  /// is out of its bounds or that nothing tells.
  driver::RunReport operator()(const std::vector<ArrayRef>& arrays,
                               Line line = Line::current()) const;
  driver::RunReport operator()(const std::vector<ArrayRef>& arrays, const CallOptions& options,
                               Line line = Line::current()) const;
  /// Writes the generated files into a folder, which is made if it is not there; their paths.
  std::vector<std::string> save(const std::string& folder, Line line = Line::current()) const;
  /// The same with libraries whose parallel loops run on threads of their own.
  std::vector<std::string> save_with_threads(const std::string& folder,
                                             Line line = Line::current()) const;
  /// Generated files by name.
  std::map<std::string, std::string> source() const { return code_.sources(); }
  /// What was asked for and done otherwise, each with the reason.
  const Remarks& report() const { return code_.remarks(); }

 private:
  friend Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
                      const driver::BuildOptions& options, Line line);
  Kernel(driver::CompiledKernel code, std::vector<Tensor> args)
      : code_(std::move(code)), args_(std::move(args)) {}

  /// The sources and the libraries in that form; their paths.
  std::vector<std::string> write(codegen::ParallelForm form, const std::string& folder,
                                 const SourceLoc& where) const;

  driver::CompiledKernel code_;
  std::vector<Tensor> args_;
};

/// Compiles `schedule` with `args`, every placeholder and every output, as parameters in order.
///
///   Kernel k = build(s, {A, B, C}, {.target = "c", .name = "matmul"});
///   k({a, b, c});
Kernel build(const Schedule& schedule, const std::vector<Tensor>& args,
             const driver::BuildOptions& options = {}, Line line = Line::current());

}  // namespace solway
