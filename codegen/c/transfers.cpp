#include "codegen/c/transfers.h"

#include <algorithm>

#include "lowering/ir/visitor.h"

namespace solway::codegen::c99 {
namespace {

class Collector final : public ir::Visitor {
 public:
  explicit Collector(TransferTable& table) : table_(table) {}

 private:
  void visit(const ir::TransferIssue& s) override {
    int& slots = table_.slots_of[s.id];
    slots = std::max(slots, s.num_slots);
    table_.rank = std::max(table_.rank, static_cast<int>(s.dims.size()));
  }

  TransferTable& table_;
};

constexpr const char* kRecord = R"(/* A transfer that was issued and is not complete. */
struct sw_transfer {
  const char* from;
  char* to;
  size_t size;            /* bytes of an element */
  int64_t count[@R];       /* elements of each dimension, outermost first */
  int64_t from_stride[@R]; /* bytes */
  int64_t to_stride[@R];   /* bytes */
  bool pending;
};

)";

/// Walks the rows of a transfer; @BODY handles one row of `row` elements.
constexpr const char* kWalk = R"({
  int64_t at[@R] = {0};
  int d;
  for (d = 0; d < @R; ++d) {
    if (t->count[d] <= 0) return;
  }
  do {
@SETUP    int64_t k;
    for (d = 0; d < @R - 1; ++d) {
@STEP    }
    for (k = 0; k < t->count[@R - 1]; ++k) {
@BODY    }
    for (d = @R - 2; d >= 0; --d) {
      if (++at[d] < t->count[d]) break;
      at[d] = 0;
    }
  } while (d >= 0);
}

)";

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string walk(const std::string& setup, const std::string& step, const std::string& body) {
  std::string text = replace_all(kWalk, "@SETUP", setup);
  text = replace_all(text, "@STEP", step);
  return replace_all(text, "@BODY", body);
}

}  // namespace

TransferTable::TransferTable(const ir::Kernel& kernel) { Collector(*this).walk(kernel.body); }

std::string record_name(const std::string& id) { return "sw_" + id; }

std::string transfer_definitions(const TransferTable& table, bool poison) {
  std::string text = kRecord;
  if (poison) {
    text += "/* Fills the destination until the data arrive. */\n";
    text += "static void sw_poison(const struct sw_transfer* t, int value) ";
    text += walk("    char* to = t->to;\n", "      to += at[d] * t->to_stride[d];\n",
                 "      memset(to + k * t->to_stride[@R - 1], value, t->size);\n");
  }
  text += "static void sw_move(const struct sw_transfer* t) ";
  text += walk("    const char* from = t->from;\n    char* to = t->to;\n",
               "      from += at[d] * t->from_stride[d];\n      to += at[d] * t->to_stride[d];\n",
               "      memcpy(to + k * t->to_stride[@R - 1], from + k * t->from_stride[@R - 1],\n"
               "             t->size);\n");
  text +=
      "/* The data of a transfer move here. */\n"
      "static void sw_wait(struct sw_transfer* t, int32_t* status) {\n"
      "  if (t->pending) {\n"
      "    sw_move(t);\n"
      "  } else {\n"
      "    *status = 2;\n"
      "  }\n"
      "  t->pending = false;\n"
      "}\n\n";
  return replace_all(text, "@R", std::to_string(table.rank));
}

}  // namespace solway::codegen::c99
