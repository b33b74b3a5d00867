#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/buffer.h"
#include "lowering/ir/expr.h"
#include "support/source_loc.h"

namespace solway::ir {

enum class StmtKind : std::uint8_t {
  For,
  If,
  Let,
  Store,
  VectorStore,
  Allocate,
  Block,
  TransferIssue,
  TransferWait,
  Call,
  Barrier,
  Exchange,
  Prefetch
};

/// Base of statement nodes. Immutable after `make`.
struct StmtNode {
  const StmtKind kind;
  SourceLoc where;  ///< the user's line that asked for it, for error reports; not printed

  StmtNode(const StmtNode&) = delete;
  StmtNode& operator=(const StmtNode&) = delete;
  virtual ~StmtNode() = default;

 protected:
  explicit StmtNode(StmtKind k) : kind(k) {}
};

/// A shared handle to an immutable statement; a default one is undefined.
class Stmt {
 public:
  Stmt() = default;
  explicit Stmt(std::shared_ptr<const StmtNode> node) : node_(std::move(node)) {}

  bool defined() const { return node_ != nullptr; }
  StmtKind kind() const { return node_->kind; }
  const SourceLoc& where() const { return node_->where; }
  const StmtNode& node() const { return *node_; }
  /// The same node, not only equal text.
  bool same_as(const Stmt& other) const { return node_ == other.node_; }
  /// The node when it is a `T`, else null (also for an undefined statement).
  template <class T>
  const T* as_or_null() const {
    return node_ && node_->kind == T::kKind ? static_cast<const T*>(node_.get()) : nullptr;
  }
  /// The node as a `T`; requires kind() == T::kKind.
  template <class T>
  const T& as() const {
    return static_cast<const T&>(*node_);
  }

 private:
  std::shared_ptr<const StmtNode> node_;
};

/// How a loop runs. Unrolled and Vectorized are requests that passes replace.
enum class ForKind : std::uint8_t { Serial, Parallel, Unrolled, Vectorized };

/// Runs `body` for var = begin, begin + 1, ..., end - 1. Empty when end <= begin.
///
///   for i in [0, n) {
///     C[i] = 0
///   }
struct For final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::For;
  std::string var;  ///< an int64
  Expr begin;       ///< evaluated once, before the first iteration
  Expr end;         ///< half-open; evaluated once
  ForKind for_kind = ForKind::Serial;
  Stmt body;

  static Stmt make(std::string var, Expr begin, Expr end, ForKind for_kind, Stmt body,
                   SourceLoc where = {});

 private:
  For() : StmtNode(kKind) {}
};

/// `if c { ... } else { ... }`; the else part may be undefined.
struct If final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::If;
  Expr condition;
  Stmt then_body;
  Stmt else_body;

  static Stmt make(Expr condition, Stmt then_body, Stmt else_body = {}, SourceLoc where = {});

 private:
  If() : StmtNode(kKind) {}
};

/// `let x = value { ... }`: names a value within its body.
struct Let final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Let;
  std::string var;
  Expr value;
  Stmt body;

  static Stmt make(std::string var, Expr value, Stmt body, SourceLoc where = {});

 private:
  Let() : StmtNode(kKind) {}
};

/// `C[i, j] = value`: one element; one int64 index per dimension.
struct Store final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Store;
  Buffer buffer;
  std::vector<Expr> indices;
  Expr value;

  static Stmt make(Buffer buffer, std::vector<Expr> indices, Expr value, SourceLoc where = {});

 private:
  Store() : StmtNode(kKind) {}
};

/// `vstore(C[i, j], 8, stride 4, active n) = value`: lane l goes to the row-major position of the
/// indices plus l * stride_elems. With `active` (int64), lanes at and after it are not written.
struct VectorStore final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::VectorStore;
  Buffer buffer;
  std::vector<Expr> indices;
  std::int64_t stride_elems = 1;
  Expr value;
  Expr active;  ///< undefined: all lanes

  static Stmt make(Buffer buffer, std::vector<Expr> indices, std::int64_t stride_elems, Expr value,
                   Expr active = {}, SourceLoc where = {});

 private:
  VectorStore() : StmtNode(kKind) {}
};

/// `allocate CC: float32[1, 128] in ldm align 64 { ... }`: the buffer lives within the body; its
/// elements start undefined.
struct Allocate final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Allocate;
  Buffer buffer;
  Stmt body;

  static Stmt make(Buffer buffer, Stmt body, SourceLoc where = {});

 private:
  Allocate() : StmtNode(kKind) {}
};

/// Statements in order. `make` flattens nested blocks and gives a single statement itself, so a
/// Block holds none or at least two.
struct Block final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Block;
  std::vector<Stmt> stmts;

  static Stmt make(std::vector<Stmt> stmts, SourceLoc where = {});

 private:
  Block() : StmtNode(kKind) {}
};

/// Get moves main memory to near memory, Put the reverse.
enum class TransferDirection : std::uint8_t { Get, Put };

/// One dimension of a transfer: `count` elements, this far apart on each side. A count below 1
/// moves nothing.
struct TransferDim {
  Expr count;              ///< int64
  Expr main_stride_elems;  ///< int64; rows of an argument may be as long as a size says
  std::int64_t near_stride_elems = 1;
};

/// Starts a transfer; elements arrive at the matching TransferWait, and until then the destination
/// is undefined and the source must not change. Element (k0, k1, ...) lies at the row-major
/// position of a side's indices plus the sum of k_d * stride_d. Printed source -> destination, then
/// (count, main stride, near stride) of each dimension, outermost first.
///
///   issue AA get A[0, (ko * 64)] -> AA[0, 0] (4, 1024, 64) (64, 1, 1)
///   issue CC put CC[0] -> C[(yo * 128)] (128, 1, 1) slot (yo % 2) of 2
///
/// A get in units may fill whole units of so many elements around each row: both sides of a row
/// begin at the same place of a unit, rows are as far apart on both sides but for whole units, and
/// cells of the units around a row belong to nobody else.
///
///   issue AA get A[i, 0] -> AA[0, ((i * 67) % 4)] (4, 67, 71) (64, 1, 1) in units of 4
struct TransferIssue final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::TransferIssue;
  std::string id;
  TransferDirection direction = TransferDirection::Get;
  Buffer main;
  std::vector<Expr> main_index;
  Buffer near;
  std::vector<Expr> near_index;
  std::vector<TransferDim> dims;
  Expr slot;          ///< 0 <= slot < num_slots: which of the id's transfers; undefined: 0
  int num_slots = 1;  ///< transfers of this id that may be pending together
  std::int64_t unit_elems = 1;  ///< 1: exactly these elements

  struct Fields {
    std::string id;
    TransferDirection direction = TransferDirection::Get;
    Buffer main;
    std::vector<Expr> main_index;
    Buffer near;
    std::vector<Expr> near_index;
    std::vector<TransferDim> dims;
    Expr slot;
    int num_slots = 1;
    std::int64_t unit_elems = 1;
  };
  static Stmt make(Fields fields, SourceLoc where = {});

 private:
  TransferIssue() : StmtNode(kKind) {}
};

/// `wait AA slot (yo % 2)`: completes the pending transfer of that id and slot.
struct TransferWait final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::TransferWait;
  std::string id;
  Expr slot;  ///< undefined: 0

  static Stmt make(std::string id, Expr slot = {}, SourceLoc where = {});

 private:
  TransferWait() : StmtNode(kKind) {}
};

/// An array that a call takes: the address of one element, and how far apart in elements neighbours
/// of each dimension are that the called code indexes.
struct CallOperand {
  std::string name;  ///< in the called code
  Buffer buffer;
  std::vector<Expr> indices;
  std::vector<std::int64_t> strides_elems;
};

/// Extents of a product of matrices, C[i, j] += A[i, k] * B[k, j]; with rounds, C[i, j] +=
/// A[i, r.., k] * B[r.., k, j].
struct ProductExtents {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::vector<std::int64_t> rounds = {};
};

/// Runs code that a person wrote, or that the code generator makes for a product of matrices. It
/// stores to its first operand, which it may read too, and reads the others.
///
///   call gemm4(C = CC[0, (j * 4)] by (16, 1), A = A[i, 0] by (64, 1))
struct Call final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Call;
  std::string name;
  std::vector<CallOperand> operands;
  std::map<std::string, std::string> code;  ///< C text by target; not printed
  std::string text;                         ///< that of the present target, once it is known
  /// Of a product that code is made for, with the operands C, A and B; empty: a person's code.
  std::optional<ProductExtents> product;

  static Stmt make(std::string name, std::vector<CallOperand> operands,
                   std::map<std::string, std::string> code, std::string text = {},
                   SourceLoc where = {}, std::optional<ProductExtents> product = {});

 private:
  Call() : StmtNode(kKind) {}
};

/// No core goes on before all that run the kernel are here, and what each of them wrote to main
/// memory is there for the others. Stands outside of parallel loops, where every core passes as
/// often.
///
///   barrier
struct Barrier final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Barrier;

  static Stmt make(SourceLoc where = {});

 private:
  Barrier() : StmtNode(kKind) {}
};

/// The cores of a mesh that a core can pass data to: those of its row, or of its column.
enum class MeshLine : std::uint8_t { Row, Column };

/// The first `parts` cores of a row, or of a column, of the mesh fill a region of near memory
/// together: part p of it, elements [p * part_elems, (p + 1) * part_elems) from the indices on, is
/// there on core p of the line, and then on all of them. The region ends at num_elems, which may
/// leave parts without elements. All cores of the line run the same exchanges in the same order.
///
///   exchange AA[0, 0] row part (xo % 8) of 8 (64, 512)
struct Exchange final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Exchange;
  Buffer buffer;
  std::vector<Expr> indices;
  MeshLine line = MeshLine::Row;
  Expr part;  ///< int64: the place of this core in its line
  std::int64_t parts = 0;
  std::int64_t part_elems = 0;
  Expr num_elems;  ///< int64; below 1: nothing happens

  struct Fields {
    Buffer buffer;
    std::vector<Expr> indices;
    MeshLine line = MeshLine::Row;
    Expr part;
    std::int64_t parts = 0;
    std::int64_t part_elems = 0;
    Expr num_elems;
  };
  static Stmt make(Fields fields, SourceLoc where = {});

 private:
  Exchange() : StmtNode(kKind) {}
};

/// Asks the caches for the line of an element that is read later. Changes nothing: the indices may
/// lie outside of the buffer, and the machine may do nothing at all.
///
///   prefetch W[(k + 16), 0]
struct Prefetch final : StmtNode {
  static constexpr StmtKind kKind = StmtKind::Prefetch;
  Buffer buffer;
  std::vector<Expr> indices;

  static Stmt make(Buffer buffer, std::vector<Expr> indices, SourceLoc where = {});

 private:
  Prefetch() : StmtNode(kKind) {}
};

enum class Role : std::uint8_t { In, Out, InOut };

/// One argument of a kernel.
struct Param {
  Buffer buffer;
  Role role = Role::In;
};

/// A buffer that the kernel brings with it; only read.
struct Constant {
  Buffer buffer;
  std::shared_ptr<const std::vector<std::byte>> values;  ///< its memory, row-major
};

/// A function over buffers.
///
///   kernel copy(in A: float32[8], out C: float32[8]) {
///     ...
///   }
///
/// Requirements are conditions on elements of In parameters. A call for which one fails does
/// nothing but say so.
///
///   kernel copy(..., in sizes: int64[1]) requires ((sizes[0] % 16) == 0) {
struct Kernel {
  std::string name;
  std::vector<Param> params;
  Stmt body;
  SourceLoc where;
  std::vector<Constant> constants{};
  std::vector<Expr> requirements{};
};

}  // namespace solway::ir
