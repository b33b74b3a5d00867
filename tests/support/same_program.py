"""Whether two programs are equal: every node, every type, every axis."""

from __future__ import annotations


def difference(a, b):
    """Where the programs of two lists of tensors differ first; None when they are equal."""
    if len(a) != len(b):
        return f"{len(a)} outputs, not {len(b)}"
    same = _Comparison()
    for one, other in zip(a, b, strict=True):
        found = same.of_tensors(one._node, other._node)
        if found:
            return found
    return None


class _Comparison:
    def __init__(self):
        self._twins = {}  # nodes of the left program, with what they must be on the right

    def of_tensors(self, a, b):
        if a in self._twins:
            return None if self._twins[a] == b else f"'{a.name}' stands for two tensors"
        self._twins[a] = b
        for field in ("name", "shape", "dtype"):
            if getattr(a, field) != getattr(b, field):
                return f"{field} of '{a.name}': {getattr(a, field)}, {getattr(b, field)}"
        if (a.body is None) != (b.body is None) or len(a.inputs) != len(b.inputs):
            return f"'{a.name}' is another kind of tensor"
        if a.is_constant != b.is_constant or a.values != b.values:
            return f"'{a.name}' has other values"
        if len(a.members) != len(b.members):
            return f"'{a.name}' is one of {len(a.members)} tensors, not of {len(b.members)}"
        for one, other in zip(a.members, b.members, strict=True):
            found = self.of_tensors(one, other)
            if found:
                return found
        for one, other in zip([*a.axis, *a.reduce_axis], [*b.axis, *b.reduce_axis], strict=True):
            if self._twins.setdefault(one, other) != other:
                return f"axis '{one.name}' of '{a.name}' is another one"
            for field in ("name", "begin", "end", "is_reduce"):
                if getattr(one, field) != getattr(other, field):
                    return f"{field} of axis '{one.name}' of '{a.name}'"
        if a.body is None:
            return None
        for one, other in ((a.self, b.self), (a.base, b.base)):
            if (one is None) != (other is None):
                return f"'{a.name}' is another kind of tensor"
            found = one is not None and self.of_tensors(one, other)
            if found:
                return found
        if (a.domain is None) != (b.domain is None) or len(a.index) != len(b.index):
            return f"'{a.name}' has another domain or index"
        pairs = [(a.body, b.body), *zip(a.index, b.index, strict=True)]
        pairs += [(a.domain, b.domain)] if a.domain is not None else []
        return next(filter(None, (self.of_expressions(*pair) for pair in pairs)), None)

    def of_expressions(self, a, b):
        if a in self._twins:
            return None if self._twins[a] == b else f"{a} stands for two expressions"
        self._twins[a] = b
        fields = ["kind", "op", "dtype"]
        fields += {
            "int": ["int_value"],
            "float": ["float_value"],
            "item": ["int_value"],
            "param": ["int_value"],
            "reducer": ["is_commutative"],
        }.get(a.kind, [])
        for field in fields:
            if repr(getattr(a, field)) != repr(getattr(b, field)):
                return f"{field} of {a}: {getattr(a, field)}, {getattr(b, field)}"
        axes = [(a.axis, b.axis)] if a.kind == "axis" else list(zip(a.axes, b.axes, strict=True))
        if any(self._twins.get(one) != other for one, other in axes):
            return f"axes of {a}"
        if a.kind == "read":
            found = self.of_tensors(a.tensor, b.tensor)
            if found:
                return found
        parts = [[*e.operands, *e.identity, *e.results] for e in (a, b)]
        if len(parts[0]) != len(parts[1]):
            return f"operands of {a}"
        for one, other in zip(*parts, strict=True):
            found = self.of_expressions(one, other)
            if found:
                return found
        return None
