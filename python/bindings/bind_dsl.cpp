#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <pybind11/stl.h>

#include "dsl/composed_functions.h"
#include "dsl/recurrence.h"
#include "dsl/reducer.h"
#include "dsl/tensor.h"
#include "dsl/terms_where.h"
#include "dsl/update.h"
#include "python/bindings/bind.h"
#include "python/bindings/handles.h"
#include "support/dtype.h"
#include "support/error.h"

namespace py = pybind11;

namespace solway::python {

namespace {

DType dtype_of(const std::string& name, const SourceLoc& where) {
  const std::optional<DType> type = try_dtype(name);
  if (type) return *type;
  throw UnsupportedError({where, "element type '" + name + "' is not supported",
                          "tensors hold float64, float32, float16, bfloat16, int64, int32, int16, "
                          "int8, uint8 and bool",
                          "use one of these"});
}

/// The operation that prints as `name`, among all up to `last`.
template <typename Op>
Op op_named(Op last, const std::string& name) {
  for (int k = 0; k <= static_cast<int>(last); ++k) {
    if (to_string(static_cast<Op>(k)) == name) return static_cast<Op>(k);
  }
  throw InternalError({{}, "no operation '" + name + "'", "", ""});
}

template <typename Handle, typename Node>
std::vector<Handle> handles(const std::vector<Node>& nodes) {
  std::vector<Handle> out;
  out.reserve(nodes.size());
  for (const Node& node : nodes) out.push_back({node});
  return out;
}

template <typename Handle>
auto nodes(const std::vector<Handle>& handles) {
  std::vector<decltype(Handle::node)> out;
  out.reserve(handles.size());
  for (const Handle& handle : handles) out.push_back(handle.node);
  return out;
}

/// None in Python for a node that is not there.
template <typename Handle, typename Node>
std::optional<Handle> if_set(const Node& node) {
  return node ? std::optional(Handle{node}) : std::nullopt;
}

dsl::Expr node_of(const std::optional<PyExpr>& expr) { return expr ? expr->node : nullptr; }

/// Python's name of an operation; empty for nodes that have none.
std::string op_name(const dsl::ExprNode& e) {
  if (e.kind == dsl::ExprKind::Unary) return std::string(to_string(e.unary));
  if (e.kind == dsl::ExprKind::Binary) return std::string(to_string(e.binary));
  if (e.kind == dsl::ExprKind::Reduce && e.combiner) return e.combiner->name;
  if (e.kind == dsl::ExprKind::Reduce) return std::string(to_string(e.reduce));
  return "";
}

std::string kind_name(const dsl::ExprNode& e) {
  switch (e.kind) {
    case dsl::ExprKind::Int:
      return "int";
    case dsl::ExprKind::Float:
      return "float";
    case dsl::ExprKind::SizeRef:
      return "size";
    case dsl::ExprKind::AxisRef:
      return "axis";
    case dsl::ExprKind::Read:
      return "read";
    case dsl::ExprKind::Unary:
      return "unary";
    case dsl::ExprKind::Binary:
      return "binary";
    case dsl::ExprKind::Select:
      return "select";
    case dsl::ExprKind::Cast:
      return "cast";
    case dsl::ExprKind::Reduce:
      return e.combiner ? "reducer" : "reduce";
    case dsl::ExprKind::Item:
      return "item";
    case dsl::ExprKind::Param:
      return "param";
    case dsl::ExprKind::Bounded:
      return "bounded";
  }
  return "";
}

template <typename Handle>
void bind_identity(py::class_<Handle>& cls) {
  cls.def(
         "__eq__",
         [](const Handle& a, const py::object& b) {
           return py::isinstance<Handle>(b) && a.node == b.cast<const Handle&>().node;
         },
         py::arg("other"), "True for a handle of the same node.")
      .def(
          "__hash__", [](const Handle& a) { return std::hash<const void*>()(a.node.get()); },
          "By the node's identity.");
}

/// An extent of Python: a number, or an expression of sizes.
using PyExtent = std::variant<std::int64_t, PyExpr>;

PyExtent py_extent(const dsl::Extent& extent) {
  if (extent.is_constant()) return extent.max;
  return PyExpr{extent.value};
}

void bind_axis(py::class_<PyAxis>& cls) {
  bind_identity(cls);
  cls.def_property_readonly(
         "name", [](const PyAxis& a) { return a.node->name; }, "The name of the loop.")
      .def_property_readonly(
          "is_reduce", [](const PyAxis& a) { return a.node->kind == dsl::AxisKind::Reduce; },
          "True for an axis of a reduction.")
      .def_property_readonly(
          "begin", [](const PyAxis& a) { return a.node->begin; },
          "The first value, the least that it can be.")
      .def_property_readonly(
          "end", [](const PyAxis& a) { return a.node->end; },
          "One past the last value, the most that it can be.")
      .def_property_readonly(
          "bounds",
          [](const PyAxis& a) {
            return std::pair(py_extent(dsl::begin_of(a.node)), py_extent(dsl::end_of(a.node)));
          },
          "The first value and one past the last: numbers, or expressions of sizes.")
      .def_property_readonly(
          "extent", [](const PyAxis& a) { return a.node->extent(); }, "end - begin.");
}

/// Without values where the node is no reducer.
const dsl::Combiner& combiner_of(const PyExpr& e) {
  static const dsl::Combiner kNone;
  return e.node->combiner ? *e.node->combiner : kNone;
}

void bind_expr(py::class_<PyExpr>& cls) {
  bind_identity(cls);
  cls.def_property_readonly(
         "kind", [](const PyExpr& e) { return kind_name(*e.node); },
         "int, float, size, axis, read, unary, binary, select, cast, reduce (sum, prod, min, max, "
         "all, any), reducer, item, param or bounded.")
      .def_property_readonly(
          "op", [](const PyExpr& e) { return op_name(*e.node); },
          "The operation of a unary, binary or reduce node, the name of a reducer, else ''.")
      .def_property_readonly(
          "dtype", [](const PyExpr& e) { return std::string(to_string(e.node->type)); },
          "NumPy's name of the element type.")
      .def_property_readonly(
          "int_value", [](const PyExpr& e) { return e.node->int_value; },
          "Of an int node; which value an item is, which parameter.")
      .def_property_readonly(
          "identity", [](const PyExpr& e) { return handles<PyExpr>(combiner_of(e).identity); },
          "Of a reducer node, the values that it starts with.")
      .def_property_readonly(
          "results", [](const PyExpr& e) { return handles<PyExpr>(combiner_of(e).results); },
          "Of a reducer node, what its combine function returns.")
      .def_property_readonly(
          "is_commutative", [](const PyExpr& e) { return combiner_of(e).is_commutative; },
          "Of a reducer node, whether its updates may run in any order.")
      .def_property_readonly(
          "where", [](const PyExpr& e) { return e.node->where; }, "The user's line.")
      .def_property_readonly(
          "float_value", [](const PyExpr& e) { return e.node->float_value; }, "Of a float node.")
      .def_property_readonly(
          "size", [](const PyExpr& e) { return if_set<PySize>(e.node->size); }, "Of a size node.")
      .def_property_readonly(
          "axis", [](const PyExpr& e) { return if_set<PyAxis>(e.node->axis); }, "Of an axis node.")
      .def_property_readonly(
          "axes", [](const PyExpr& e) { return handles<PyAxis>(e.node->axes); },
          "Of a reduce node.")
      .def_property_readonly(
          "tensor", [](const PyExpr& e) { return if_set<PyTensor>(e.node->tensor); },
          "Of a read node.")
      .def_property_readonly(
          "operands", [](const PyExpr& e) { return handles<PyExpr>(e.node->operands); },
          "The nodes that this one is made of; the indices of a read.")
      .def(
          "__str__", [](const PyExpr& e) { return dsl::to_string(e.node); },
          "Structural text: A[i, k] * B[k, j].");
}

dsl::Extent extent_of(const PyExtent& extent, const SourceLoc& where) {
  if (const auto* number = std::get_if<std::int64_t>(&extent)) return {*number};
  return dsl::make_extent(std::get<PyExpr>(extent).node, where);
}

dsl::Extents extents_of(const std::vector<PyExtent>& shape, const SourceLoc& where) {
  dsl::Extents out;
  for (const PyExtent& extent : shape) out.push_back(extent_of(extent, where));
  return out;
}

/// The shape as Python gave it.
std::vector<PyExtent> shape_of(const dsl::TensorNode& tensor) {
  std::vector<PyExtent> out;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) out.push_back(py_extent(tensor.extent(d)));
  return out;
}

void bind_size(py::class_<PySize>& cls) {
  cls.def_property_readonly(
         "name", [](const PySize& s) { return s.node->name; }, "The size's name.")
      .def_property_readonly(
          "min", [](const PySize& s) { return s.node->min; }, "The least that it can be.")
      .def_property_readonly(
          "max", [](const PySize& s) { return s.node->max; }, "The most that it can be.");
  bind_identity(cls);
}

void bind_tensor(py::class_<PyTensor>& cls) {
  bind_identity(cls);
  cls.def_property_readonly(
         "name", [](const PyTensor& t) { return t.node->name; }, "The tensor's name.")
      .def_property_readonly(
          "shape", [](const PyTensor& t) { return shape_of(*t.node); },
          "Extent of each dimension: a number, or an expression of sizes.")
      .def_property_readonly(
          "dtype", [](const PyTensor& t) { return std::string(to_string(t.node->type)); },
          "NumPy's name of the element type.")
      .def_property_readonly(
          "axis", [](const PyTensor& t) { return handles<PyAxis>(t.node->axis); },
          "One axis per dimension; none for a placeholder; those of the steps of an update.")
      .def_property_readonly(
          "reduce_axis", [](const PyTensor& t) { return handles<PyAxis>(t.node->reduce_axis); },
          "The axes of all reductions of the body, in order of appearance.")
      .def_property_readonly(
          "body", [](const PyTensor& t) { return if_set<PyExpr>(t.node->body); },
          "The expression of one element; None for a placeholder.")
      .def_property_readonly(
          "domain", [](const PyTensor& t) { return if_set<PyExpr>(t.node->domain); },
          "The condition on the axes under which the body is stored; None: always.")
      .def_property_readonly(
          "self", [](const PyTensor& t) { return if_set<PyTensor>(t.node->self); },
          "Of a recurrence, what its body reads earlier elements by.")
      .def_property_readonly(
          "base", [](const PyTensor& t) { return if_set<PyTensor>(t.node->base); },
          "Of an update, what it changes.")
      .def_property_readonly(
          "index", [](const PyTensor& t) { return handles<PyExpr>(t.node->index); },
          "Of an update, the element that a step stores.")
      .def_property_readonly(
          "storage_name", [](const PyTensor& t) { return t.node->storage_name(); },
          "The name of its memory: updates share that of what they change.")
      .def_property_readonly(
          "is_constant", [](const PyTensor& t) { return t.node->is_constant(); },
          "Whether its values are known when building.")
      .def_property_readonly(
          "values",
          [](const PyTensor& t) {
            const auto& values = t.node->values;
            if (!values) return py::bytes();
            return py::bytes(reinterpret_cast<const char*>(values->data()), values->size());
          },
          "The elements of a constant in memory, row-major.")
      .def_property_readonly(
          "members", [](const PyTensor& t) { return handles<PyTensor>(dsl::members_of(t.node)); },
          "The tensors that are computed together with it, in order; itself when it is alone.")
      .def_property_readonly(
          "stage", [](const PyTensor& t) { return PyTensor{dsl::stage_of(t.node)}; },
          "The first of the tensors that are computed together, after which their stage is named.")
      .def_property_readonly(
          "sizes", [](const PyTensor& t) { return handles<PySize>(dsl::sizes_of(t.node)); },
          "The sizes in its shape, its axes and its body, each once.")
      .def_property_readonly(
          "inputs", [](const PyTensor& t) { return handles<PyTensor>(dsl::inputs_of(t.node)); },
          "The tensors that the body reads, each once.");
}

void bind_leaves(py::module_& m) {
  m.def(
      "make_axis",
      [](const std::string& name, bool is_reduce, const PyExtent& begin, const PyExtent& end,
         const SourceLoc& where) {
        const auto kind = is_reduce ? dsl::AxisKind::Reduce : dsl::AxisKind::Spatial;
        return PyAxis{
            dsl::make_axis(name, kind, extent_of(begin, where), extent_of(end, where), where)};
      },
      py::arg("name"), py::arg("is_reduce"), py::arg("begin"), py::arg("end"), py::arg("where"),
      "An index variable over begin <= value < end.");
  m.def(
      "make_size",
      [](const std::string& name, std::int64_t min, std::int64_t max, const SourceLoc& where) {
        return PySize{dsl::make_size(name, min, max, where)};
      },
      py::arg("name"), py::arg("min"), py::arg("max"), py::arg("where"),
      "A number that is known when the kernel runs.");
  m.def(
      "make_size_ref",
      [](const PySize& size, const SourceLoc& where) {
        return PyExpr{dsl::make_size_ref(size.node, where)};
      },
      py::arg("size"), py::arg("where"), "The value of a size.");
  m.def(
      "make_int",
      [](std::int64_t value, const std::string& dtype, bool weak, const SourceLoc& where) {
        return PyExpr{dsl::make_int(value, dtype_of(dtype, where), weak, where)};
      },
      py::arg("value"), py::arg("dtype"), py::arg("weak"), py::arg("where"),
      "An integer literal; a weak one takes the other operand's type.");
  m.def(
      "make_float",
      [](double value, const std::string& dtype, bool weak, const SourceLoc& where) {
        return PyExpr{dsl::make_float(value, dtype_of(dtype, where), weak, where)};
      },
      py::arg("value"), py::arg("dtype"), py::arg("weak"), py::arg("where"),
      "A floating-point literal; a weak one takes the other operand's type.");
  m.def(
      "make_axis_ref",
      [](const PyAxis& axis, const SourceLoc& where) {
        return PyExpr{dsl::make_axis_ref(axis.node, where)};
      },
      py::arg("axis"), py::arg("where"), "The value of an index variable.");
  m.def(
      "make_read",
      [](const PyTensor& tensor, const std::vector<PyExpr>& indices, const SourceLoc& where) {
        return PyExpr{dsl::make_read(tensor.node, nodes(indices), where)};
      },
      py::arg("tensor"), py::arg("indices"), py::arg("where"), "One element of a tensor.");
}

void bind_operations(py::module_& m) {
  m.def(
      "make_unary",
      [](const std::string& op, const PyExpr& operand, const SourceLoc& where) {
        return PyExpr{dsl::make_unary(op_named(kLastUnaryOp, op), operand.node, where)};
      },
      py::arg("op"), py::arg("operand"), py::arg("where"), "The operation that prints as `op`.");
  m.def(
      "make_composed",
      [](const std::string& name, const PyExpr& operand, const SourceLoc& where) {
        return PyExpr{dsl::make_composed(dsl::composed_function(name), operand.node, where)};
      },
      py::arg("name"), py::arg("operand"), py::arg("where"), "The function that NumPy calls so.");
  m.def(
      "make_binary",
      [](const std::string& op, const PyExpr& a, const PyExpr& b, const SourceLoc& where) {
        return PyExpr{dsl::make_binary(op_named(kLastBinaryOp, op), a.node, b.node, where)};
      },
      py::arg("op"), py::arg("a"), py::arg("b"), py::arg("where"),
      "The operation that prints as `op`, in the operands' common type.");
  m.def(
      "make_select",
      [](const PyExpr& condition, const PyExpr& if_true, const PyExpr& if_false,
         const SourceLoc& where) {
        return PyExpr{dsl::make_select(condition.node, if_true.node, if_false.node, where)};
      },
      py::arg("condition"), py::arg("if_true"), py::arg("if_false"), py::arg("where"),
      "One of two values; only the chosen one is computed.");
  m.def(
      "make_cast",
      [](const PyExpr& operand, const std::string& dtype, const SourceLoc& where) {
        return PyExpr{dsl::make_cast(operand.node, dtype_of(dtype, where), where)};
      },
      py::arg("operand"), py::arg("dtype"), py::arg("where"), "The operand converted.");
  m.def(
      "make_reduce",
      [](const std::string& op, const PyExpr& operand, const std::vector<PyAxis>& axes,
         const SourceLoc& where) {
        return PyExpr{
            dsl::make_reduce(op_named(kLastReduceOp, op), operand.node, nodes(axes), where)};
      },
      py::arg("op"), py::arg("operand"), py::arg("axes"), py::arg("where"),
      "A declared reduction: sum, prod, min, max, all or any.");
  m.def(
      "make_terms_where",
      [](const std::string& op, const PyExpr& x, const PyExpr& condition, const SourceLoc& where) {
        return PyExpr{
            dsl::make_terms_where(op_named(kLastReduceOp, op), x.node, condition.node, where)};
      },
      py::arg("op"), py::arg("x"), py::arg("condition"), py::arg("where"),
      "Terms of a declared reduction, elsewhere what changes no result.");
}

void bind_tensors(py::module_& m) {
  m.def(
      "make_placeholder",
      [](const std::vector<PyExtent>& shape, const std::string& dtype, const std::string& name,
         const SourceLoc& where) {
        return PyTensor{
            dsl::make_placeholder(extents_of(shape, where), dtype_of(dtype, where), name, where)};
      },
      py::arg("shape"), py::arg("dtype"), py::arg("name"), py::arg("where"),
      "A tensor that the caller gives.");
  m.def(
      "bfloat16_bits",
      [](const py::bytes& values) {
        const std::string text = values;
        std::string out;
        for (std::size_t k = 0; k < text.size(); k += sizeof(double)) {
          double value = 0;
          std::memcpy(&value, text.data() + k, sizeof value);
          const std::uint16_t bits = bfloat16_bits(value);
          out.append(reinterpret_cast<const char*>(&bits), sizeof bits);
        }
        return py::bytes(out);
      },
      py::arg("values"), "The nearest BFloat16 of float64 values, all as in memory.");
  m.def(
      "make_constant",
      [](const std::vector<std::int64_t>& shape, const std::string& dtype, const std::string& name,
         const py::bytes& values, const SourceLoc& where) {
        const std::string text = values;
        std::vector<std::byte> bytes(text.size());
        std::memcpy(bytes.data(), text.data(), text.size());
        return PyTensor{
            dsl::make_constant(shape, dtype_of(dtype, where), name, std::move(bytes), where)};
      },
      py::arg("shape"), py::arg("dtype"), py::arg("name"), py::arg("values"), py::arg("where"),
      "A tensor of known values, the elements in memory.");
  m.def(
      "make_compute",
      [](const std::vector<PyExtent>& shape, const std::vector<PyAxis>& axis, const PyExpr& body,
         const std::string& name, const SourceLoc& where, const std::optional<PyExpr>& domain) {
        return PyTensor{dsl::make_compute(extents_of(shape, where), nodes(axis), body.node, name,
                                          where, node_of(domain))};
      },
      py::arg("shape"), py::arg("axis"), py::arg("body"), py::arg("name"), py::arg("where"),
      py::arg("domain") = std::nullopt,
      "A tensor whose elements are `body`; its reads are proved in bounds.");
}

void bind_reducers(py::module_& m) {
  m.def(
      "make_param",
      [](std::int64_t position, const std::string& dtype, const SourceLoc& where) {
        return PyExpr{dsl::make_param(position, dtype_of(dtype, where), where)};
      },
      py::arg("position"), py::arg("dtype"), py::arg("where"),
      "A parameter of a combine function: the accumulated values, then the new ones.");
  m.def(
      "make_reducer",
      [](const std::string& name, const std::vector<PyExpr>& identity,
         const std::vector<PyExpr>& results, bool is_commutative,
         const std::vector<PyExpr>& operands, const std::vector<PyAxis>& axes,
         const SourceLoc& where) {
        std::vector<DType> types;
        for (const PyExpr& operand : operands) types.push_back(operand.node->type);
        auto combiner =
            dsl::make_combiner(name, types, nodes(identity), nodes(results), is_commutative, where);
        return handles<PyExpr>(
            dsl::make_reduce(std::move(combiner), nodes(operands), nodes(axes), where));
      },
      py::arg("name"), py::arg("identity"), py::arg("results"), py::arg("is_commutative"),
      py::arg("operands"), py::arg("axes"), py::arg("where"),
      "The values that a combine function of the user's gives.");
  m.def(
      "make_arg_reduce",
      [](bool is_largest, const PyExpr& operand, const std::vector<PyAxis>& axes,
         const SourceLoc& where) {
        const auto extreme = is_largest ? dsl::Extreme::Largest : dsl::Extreme::Smallest;
        return PyExpr{dsl::make_arg_reduce(extreme, operand.node, nodes(axes), where)};
      },
      py::arg("is_largest"), py::arg("operand"), py::arg("axes"), py::arg("where"),
      "The position of the first smallest or largest value.");
  m.def(
      "make_bounded",
      [](const PyExpr& index, const PyExtent& begin, const PyExtent& end, const SourceLoc& where) {
        return PyExpr{
            dsl::make_bounded(index.node, extent_of(begin, where), extent_of(end, where), where)};
      },
      py::arg("index"), py::arg("begin"), py::arg("end"), py::arg("where"),
      "An index that depends on data, promised to be in [begin, end).");
  m.def(
      "make_computes",
      [](const std::vector<PyExtent>& shape, const std::vector<PyAxis>& axis,
         const std::vector<PyExpr>& bodies, const std::vector<std::string>& names,
         const SourceLoc& where, const std::optional<PyExpr>& domain) {
        return handles<PyTensor>(dsl::make_computes(extents_of(shape, where), nodes(axis),
                                                    nodes(bodies), names, where, node_of(domain)));
      },
      py::arg("shape"), py::arg("axis"), py::arg("bodies"), py::arg("names"), py::arg("where"),
      py::arg("domain") = std::nullopt, "Tensors that one compute makes, one per body.");
}

void bind_carried(py::module_& m) {
  m.def(
      "make_self",
      [](const std::vector<PyExtent>& shape, const std::string& dtype, const std::string& name,
         const SourceLoc& where) {
        return PyTensor{
            dsl::make_self(extents_of(shape, where), dtype_of(dtype, where), name, where)};
      },
      py::arg("shape"), py::arg("dtype"), py::arg("name"), py::arg("where"),
      "What the body of a recurrence reads its own earlier elements by.");
  m.def(
      "make_recurrence",
      [](const PyTensor& self, const std::vector<PyAxis>& axis, const PyExpr& body,
         const std::optional<PyExpr>& domain, const SourceLoc& where) {
        return PyTensor{
            dsl::make_recurrence(self.node, nodes(axis), body.node, node_of(domain), where)};
      },
      py::arg("self"), py::arg("axis"), py::arg("body"), py::arg("domain"), py::arg("where"),
      "A tensor whose elements are computed in order, from earlier ones.");
  m.def(
      "make_update",
      [](const PyTensor& base, const std::vector<PyAxis>& axis, const std::vector<PyExpr>& index,
         const PyExpr& value, const std::optional<PyExpr>& domain, const std::string& name,
         const SourceLoc& where) {
        return PyTensor{dsl::make_update(base.node, nodes(axis), nodes(index), value.node,
                                         node_of(domain), name, where)};
      },
      py::arg("base"), py::arg("axis"), py::arg("index"), py::arg("value"), py::arg("domain"),
      py::arg("name"), py::arg("where"), "A tensor after steps that store into it.");
}

}  // namespace

void bind_dsl(py::module_& m) {
  py::class_<PySize> size(m, "Size", "A number that is known when the kernel runs.");
  py::class_<PyAxis> axis(m, "Axis", "An index variable.");
  py::class_<PyExpr> expr(m, "Expr", "A typed scalar expression.");
  py::class_<PyTensor> tensor(m, "Tensor", "A placeholder or a computed tensor.");
  bind_size(size);
  bind_axis(axis);
  bind_expr(expr);
  bind_tensor(tensor);
  bind_leaves(m);
  bind_operations(m);
  bind_tensors(m);
  bind_reducers(m);
  bind_carried(m);
}

}  // namespace solway::python
