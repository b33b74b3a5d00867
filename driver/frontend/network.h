#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/frontend/array_ref.h"
#include "driver/frontend/schedule.h"
#include "driver/network.h"

namespace solway {

/// A kernel of a network: a schedule, and its arguments as build() takes them.
struct Layer {
  const Schedule& schedule;
  std::vector<Tensor> args;
};

/// Several kernels compiled into one program.
class Network {
 public:
  /// What a call gives: what no layer computes, in the order in which layers name it, then outputs.
  std::vector<Tensor> arguments() const;
  /// Runs on one array per argument; outputs are written in place. Throws ArgumentMismatchError for
  /// another number of arrays, of elements, another type, or arrays that overlap.
  driver::RunReport operator()(const std::vector<ArrayRef>& arrays,
                               const driver::RunOptions& options = {},
                               Line line = Line::current()) const;
  /// Writes the generated files into a folder, which is made if it is not there; their paths.
  std::vector<std::string> save(const std::string& folder, Line line = Line::current()) const;
  /// Generated files by name.
  std::map<std::string, std::string> source() const { return code_.sources(); }
  /// What was asked for and done otherwise, each with the reason.
  const Remarks& report() const { return code_.remarks(); }
  /// Bytes of main memory for what layers pass on and for their temporaries.
  std::int64_t area_bytes() const { return code_.joined().network.area_bytes; }

 private:
  friend Network build_network(const std::vector<Layer>& layers,
                               const driver::BuildOptions& options,
                               const std::vector<Tensor>& outputs, Line line);
  explicit Network(driver::CompiledNetwork code) : code_(std::move(code)) {}

  driver::CompiledNetwork code_;
};

/// Compiles layers, joined by the tensors that their arguments have in common, into one program. A
/// schedule whose layer reads what an earlier one computes is made with ScheduleOptions::inputs.
/// `outputs` go to the caller; empty: what no later layer reads.
///
///   Schedule second({y}, {.inputs = {h}});
///   Network net = build_network({{first, {x, h}}, {second, {h, y}}}, {.name = "net"});
///   net({x_values, y_values});
Network build_network(const std::vector<Layer>& layers, const driver::BuildOptions& options = {},
                      const std::vector<Tensor>& outputs = {}, Line line = Line::current());

}  // namespace solway
