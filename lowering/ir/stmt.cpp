#include "lowering/ir/stmt.h"

#include "lowering/ir/detail/invariant.h"

namespace solway::ir {
namespace {

using detail::fail;

void require_type(const Expr& e, const Type& expected, const char* node, const char* field,
                  const SourceLoc& where) {
  if (!e.defined()) fail(node, std::string("its ") + field + " is undefined", where);
  if (e.type() != expected) {
    fail(node,
         std::string("its ") + field + " has type " + to_string(e.type()) + ", expected " +
             to_string(expected),
         where);
  }
}

void require_body(const Stmt& s, const char* node, const SourceLoc& where) {
  if (!s.defined()) fail(node, "its body is undefined", where);
}

void require_name(const std::string& name, const char* node, const SourceLoc& where) {
  if (!is_identifier(name)) fail(node, "name '" + name + "' is no identifier", where);
}

void require_indices(const Buffer& buffer, const std::vector<Expr>& indices, const char* node,
                     const SourceLoc& where) {
  if (!buffer) fail(node, "its buffer is undefined", where);
  if (indices.size() != buffer->shape.size()) {
    fail(node,
         "got " + std::to_string(indices.size()) + " indices, buffer '" + buffer->name +
             "' has rank " + std::to_string(buffer->shape.size()),
         where);
  }
  for (const Expr& index : indices) require_type(index, kInt64, node, "index", where);
}

}  // namespace

Stmt For::make(std::string var, Expr begin, Expr end, ForKind for_kind, Stmt body,
               SourceLoc where) {
  require_name(var, "for", where);
  require_type(begin, kInt64, "for", "begin", where);
  require_type(end, kInt64, "for", "end", where);
  require_body(body, "for", where);
  std::shared_ptr<For> node(new For);
  node->where = std::move(where);
  node->var = std::move(var);
  node->begin = std::move(begin);
  node->end = std::move(end);
  node->for_kind = for_kind;
  node->body = std::move(body);
  return Stmt(node);
}

Stmt If::make(Expr condition, Stmt then_body, Stmt else_body, SourceLoc where) {
  require_type(condition, kBool, "if", "condition", where);
  require_body(then_body, "if", where);
  std::shared_ptr<If> node(new If);
  node->where = std::move(where);
  node->condition = std::move(condition);
  node->then_body = std::move(then_body);
  node->else_body = std::move(else_body);
  return Stmt(node);
}

Stmt Let::make(std::string var, Expr value, Stmt body, SourceLoc where) {
  require_name(var, "let", where);
  if (!value.defined()) fail("let", "its value is undefined", where);
  require_body(body, "let", where);
  std::shared_ptr<Let> node(new Let);
  node->where = std::move(where);
  node->var = std::move(var);
  node->value = std::move(value);
  node->body = std::move(body);
  return Stmt(node);
}

Stmt Store::make(Buffer buffer, std::vector<Expr> indices, Expr value, SourceLoc where) {
  require_indices(buffer, indices, "store", where);
  require_type(value, {buffer->type, {}}, "store", "value", where);
  std::shared_ptr<Store> node(new Store);
  node->where = std::move(where);
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  node->value = std::move(value);
  return Stmt(node);
}

Stmt VectorStore::make(Buffer buffer, std::vector<Expr> indices, std::int64_t stride_elems,
                       Expr value, Expr active, SourceLoc where) {
  require_indices(buffer, indices, "vector store", where);
  if (!value.defined()) fail("vector store", "its value is undefined", where);
  if (!value.type().is_vector() || value.type().scalar != buffer->type) {
    fail("vector store",
         "a value of type " + to_string(value.type()) + " into buffer '" + buffer->name + "'",
         where);
  }
  if (stride_elems == 0) fail("vector store", "stride 0", where);
  if (active.defined()) require_type(active, kInt64, "vector store", "active length", where);
  std::shared_ptr<VectorStore> node(new VectorStore);
  node->where = std::move(where);
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  node->stride_elems = stride_elems;
  node->value = std::move(value);
  node->active = std::move(active);
  return Stmt(node);
}

Stmt Allocate::make(Buffer buffer, Stmt body, SourceLoc where) {
  if (!buffer) fail("allocate", "its buffer is undefined", where);
  require_body(body, "allocate", where);
  std::shared_ptr<Allocate> node(new Allocate);
  node->where = std::move(where);
  node->buffer = std::move(buffer);
  node->body = std::move(body);
  return Stmt(node);
}

Stmt Block::make(std::vector<Stmt> stmts, SourceLoc where) {
  std::vector<Stmt> flat;
  for (Stmt& s : stmts) {
    if (!s.defined()) fail("block", "one of its statements is undefined", where);
    if (const auto* inner = s.as_or_null<Block>()) {
      flat.insert(flat.end(), inner->stmts.begin(), inner->stmts.end());
    } else {
      flat.push_back(std::move(s));
    }
  }
  if (flat.size() == 1) return flat.front();
  std::shared_ptr<Block> node(new Block);
  node->where = std::move(where);
  node->stmts = std::move(flat);
  return Stmt(node);
}

Stmt TransferIssue::make(Fields fields, SourceLoc where) {
  require_name(fields.id, "transfer", where);
  require_indices(fields.main, fields.main_index, "transfer", where);
  require_indices(fields.near, fields.near_index, "transfer", where);
  if (fields.main->type != fields.near->type) {
    fail("transfer '" + fields.id + "'",
         "'" + fields.main->name + "' and '" + fields.near->name + "' differ in element type",
         where);
  }
  for (const TransferDim& dim : fields.dims) {
    require_type(dim.count, kInt64, "transfer", "count", where);
    require_type(dim.main_stride_elems, kInt64, "transfer", "stride", where);
  }
  if (fields.slot.defined()) require_type(fields.slot, kInt64, "transfer", "slot", where);
  if (fields.num_slots < 1 || (!fields.slot.defined() && fields.num_slots != 1)) {
    fail("transfer '" + fields.id + "'", std::to_string(fields.num_slots) + " slots", where);
  }
  const bool is_put = fields.direction == TransferDirection::Put;
  if (fields.unit_elems < 1 || (is_put && fields.unit_elems != 1)) {
    fail("transfer '" + fields.id + "'",
         (is_put ? "a put" : "a get") + std::string(" in units of ") +
             std::to_string(fields.unit_elems),
         where);
  }
  std::shared_ptr<TransferIssue> node(new TransferIssue);
  node->where = std::move(where);
  node->id = std::move(fields.id);
  node->direction = fields.direction;
  node->main = std::move(fields.main);
  node->main_index = std::move(fields.main_index);
  node->near = std::move(fields.near);
  node->near_index = std::move(fields.near_index);
  node->dims = std::move(fields.dims);
  node->slot = std::move(fields.slot);
  node->num_slots = fields.num_slots;
  node->unit_elems = fields.unit_elems;
  return Stmt(node);
}

Stmt TransferWait::make(std::string id, Expr slot, SourceLoc where) {
  require_name(id, "wait", where);
  if (slot.defined()) require_type(slot, kInt64, "wait", "slot", where);
  std::shared_ptr<TransferWait> node(new TransferWait);
  node->where = std::move(where);
  node->id = std::move(id);
  node->slot = std::move(slot);
  return Stmt(node);
}

Stmt Barrier::make(SourceLoc where) {
  std::shared_ptr<Barrier> node(new Barrier);
  node->where = std::move(where);
  return Stmt(node);
}

Stmt Exchange::make(Fields fields, SourceLoc where) {
  require_indices(fields.buffer, fields.indices, "exchange", where);
  require_type(fields.part, kInt64, "exchange", "part", where);
  require_type(fields.num_elems, kInt64, "exchange", "number of elements", where);
  if (fields.parts < 1 || fields.part_elems < 1) {
    fail("exchange of '" + fields.buffer->name + "'",
         std::to_string(fields.parts) + " parts of " + std::to_string(fields.part_elems) +
             " elements",
         where);
  }
  std::shared_ptr<Exchange> node(new Exchange);
  node->where = std::move(where);
  node->buffer = std::move(fields.buffer);
  node->indices = std::move(fields.indices);
  node->line = fields.line;
  node->part = std::move(fields.part);
  node->parts = fields.parts;
  node->part_elems = fields.part_elems;
  node->num_elems = std::move(fields.num_elems);
  return Stmt(node);
}

Stmt Prefetch::make(Buffer buffer, std::vector<Expr> indices, SourceLoc where) {
  require_indices(buffer, indices, "prefetch", where);
  std::shared_ptr<Prefetch> node(new Prefetch);
  node->where = std::move(where);
  node->buffer = std::move(buffer);
  node->indices = std::move(indices);
  return Stmt(node);
}

Stmt Call::make(std::string name, std::vector<CallOperand> operands,
                std::map<std::string, std::string> code, std::string text, SourceLoc where,
                std::optional<ProductExtents> product) {
  require_name(name, "call", where);
  for (const CallOperand& operand : operands) {
    require_name(operand.name, "call", where);
    for (const Expr& index : operand.indices) require_type(index, kInt64, "call", "index", where);
  }
  std::shared_ptr<Call> node(new Call);
  node->where = std::move(where);
  node->name = std::move(name);
  node->operands = std::move(operands);
  node->code = std::move(code);
  node->text = std::move(text);
  node->product = std::move(product);
  return Stmt(node);
}

}  // namespace solway::ir
