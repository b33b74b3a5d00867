#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <isl/cpp.h>

#include "dsl/tensor.h"
#include "schedule/order.h"
#include "schedule/statement.h"
#include "support/isl_context.h"

namespace solway::schedule {

/// Tensor: what the user defined. Temporary: the value of a reduction nested in an expression.
/// Buffer: near memory that a transfer fills or drains; starts with no value.
enum class ArrayKind : std::uint8_t { Tensor, Temporary, Buffer };

/// Where each element of an array lies: per dimension of the memory, an index of the axes, which
/// stand for the dimensions of the array.
struct Layout {
  std::vector<dsl::Axis> axes;
  std::vector<dsl::Expr> index;
  isl::map places;  ///< { T[element] -> T[place] }: the same
};

/// What statements read and write.
struct Array {
  std::string name;  ///< the isl tuple of its elements
  ArrayKind kind = ArrayKind::Tensor;
  DType type = DType::Float32;
  std::vector<std::int64_t> shape;  ///< the most that each extent can be
  isl::set extent;                  ///< { T[element] : 0 <= element < extent }
  dsl::Tensor tensor;               ///< null for a buffer
  std::string scope = "main";       ///< of a buffer: "" is the target's default
  std::optional<Layout> layout{};   ///< of a constant, where its values do not lie row-major
};

/// One dimension of a buffer: the elements along a dimension of its tensor, or, where those are
/// kept in panels, one digit of their number: which panel, or which element of it.
struct BufferDim {
  int dim = 0;            ///< of the tensor
  std::int64_t step = 1;  ///< elements from one index to the next
  std::int64_t wrap = 0;  ///< indices until it begins again; 0: it does not

  bool operator==(const BufferDim&) const = default;
};

/// Which cores of a mesh read a region together: each of them a part, which it passes on to the
/// others. Core: none, each reads all of it.
enum class SharedBy : std::uint8_t { Core, Row, Column, All };

/// A region of a tensor in near memory, or several that take turns. Its position is that of its
/// transfers: the loops of their placements. Each core has its own.
struct Buffer {
  std::string name;                    ///< of its array
  std::string tensor;                  ///< the array in main memory
  std::string stage;                   ///< whose statements use it
  std::vector<std::string> also = {};  ///< other stages that do
  /// Per dimension of the buffer, what it counts; other dimensions of the tensor have one element.
  std::vector<BufferDim> dims;
  std::vector<std::string> dim_names;  ///< the loop that runs along each, "" when there is no one
  std::string primitive;               ///< "buffer_read(B, [k.i, y.i])"
  SourceLoc where;
  /// Regions that it holds at once, each in a slot: its array's first dimension when over 1.
  int depth = 1;
  int distance = 0;  ///< how many iterations before the use a region is asked for
  int across = 1;    ///< innermost loops around its transfers that count as one for that
  SharedBy shared_by = SharedBy::Core;
  SourceLoc shared_at = {};  ///< the line of broadcast
  /// The array that its elements are moved from, where the tensor only copies that one with a
  /// border around it, which is filled in near memory; "": the tensor's own.
  std::string memory = {};
  /// Elements of the units in which a get may fill it: see whole_units.h. 1: exactly what is read.
  std::int64_t unit_elems = 1;

  const std::string& moved_from() const { return memory.empty() ? tensor : memory; }
  /// The dimension of its array at which `dims` begin.
  std::size_t first_dim() const { return depth > 1 ? 1 : 0; }
};

/// A condition on sizes that holds in every call: the caller states it, and each call checks it.
struct Assumption {
  dsl::Expr condition;
  SourceLoc where;         ///< the line of assume
  bool has_effect = true;  ///< bounds and earlier assumptions leave values for which it fails
};

/// What is computed: statements, arrays, and an order of execution that defines the meaning.
/// Immutable once made; primitives make new ones.
struct Program {
  std::shared_ptr<const IslContext> isl;  ///< declared first: outlives the objects made in it
  std::vector<dsl::Tensor> outputs;
  std::vector<dsl::Tensor> given;   ///< computed tensors that the caller brings, as placeholders
  std::vector<dsl::Tensor> stages;  ///< computes, each after what it reads
  std::map<std::string, Statement> statements;
  std::map<std::string, Array> arrays;
  std::map<std::string, Buffer> buffers;  ///< by name; each has an array too
  std::vector<dsl::Size> sizes;           ///< the parameters of all sets and relations
  std::vector<Assumption> assumptions;    ///< that hold for them
  isl::union_map reference;  ///< { S[iteration] -> [time] } of the order that defines the meaning
  /// Arrays whose elements something looks at after the program, where it is a part of another one;
  /// nullopt: what the caller sees.
  std::optional<std::set<std::string>> seen = std::nullopt;

  isl::ctx ctx() const { return isl->get(); }
  const Statement& statement(const std::string& name) const { return statements.at(name); }
  const Array& array(const std::string& name) const { return arrays.at(name); }
  bool has_stage(const dsl::Tensor& tensor) const {
    return std::find(stages.begin(), stages.end(), tensor) != stages.end();
  }
  std::map<std::string, isl::set> domains() const;
  /// { S[iteration] -> reply[slot] }: the word in which a transfer counts that it is complete.
  isl::map reply_of(const Statement& transfer) const;
  /// The array in main memory of which `array`, where it is a buffer, holds a region.
  std::string home_of(std::string array) const;
  /// Whether the caller brings the values of `array`: a placeholder, or one of `given`.
  bool is_input(const Array& array) const;
  /// Whether the memory of `array` is that of an output.
  bool is_output(const Array& array) const;
  /// Whether a stage changes `array` in place.
  bool is_updated(const Array& array) const;
};

/// The program of `outputs` and all that they read, with its order: each stage a nest of its
/// spatial loops then its reduction loops, the initialisation immediately before the outermost
/// reduction loop. Tensors of `given`, and those that are computed together with one of them, are
/// read as they are and not computed. Throws DslError when two tensors share a name, or when a
/// given tensor shares its memory with another version that is used, ScheduleArgumentError for a
/// given tensor that nothing reads. `isl` is where its sets are made; null: in a new context.
struct ProgramAndOrder {
  std::shared_ptr<const Program> program;
  Order order;
  /// Per stage, the loop of each of its axes.
  std::map<std::string, std::vector<std::pair<dsl::Axis, LoopId>>> axis_loops;
};
ProgramAndOrder make_program(const std::vector<dsl::Tensor>& outputs, const SourceLoc& where,
                             const std::vector<dsl::Tensor>& given = {},
                             std::shared_ptr<const IslContext> isl = nullptr);

}  // namespace solway::schedule
