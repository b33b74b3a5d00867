#include "lowering/ir/verifier.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lowering/ir/detail/invariant.h"
#include "lowering/ir/visitor.h"
#include "support/target.h"

namespace solway::ir {
namespace {

class Verifier final : public Visitor {
 public:
  Verifier(const Kernel& kernel, Stage stage) : kernel_(kernel), stage_(stage) {}

  void run() {
    where_ = kernel_.where;
    for (const Param& param : kernel_.params) {
      define(param.buffer->name);
      buffers_[param.buffer->name] = param.buffer;
      if (param.role == Role::In) read_only_.insert(param.buffer->name);
    }
    for (const Constant& constant : kernel_.constants) {
      define(constant.buffer->name);
      buffers_[constant.buffer->name] = constant.buffer;
      read_only_.insert(constant.buffer->name);
    }
    for (const Expr& requirement : kernel_.requirements) {
      if (requirement.type() != kBool) reject("a requirement is no condition");
      walk(requirement);
    }
    walk(kernel_.body);
    for (const auto& [id, where] : issued_) {
      if (waited_.count(id) == 0) reject("transfer '" + id + "' is issued and never waited for");
    }
    for (const auto& [id, where] : waited_) {
      if (issued_.count(id) == 0) reject("transfer '" + id + "' is waited for and never issued");
    }
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    detail::fail("kernel '" + kernel_.name + "' breaks the rules of the loop IR", why, where_);
  }

  void define(const std::string& name) {
    if (!names_.insert(name).second) reject("'" + name + "' is defined twice");
  }

  void require_known(const Buffer& buffer) {
    const auto it = buffers_.find(buffer->name);
    if (it == buffers_.end()) reject("buffer '" + buffer->name + "' is not defined here");
    if (it->second != buffer) reject("'" + buffer->name + "' is another buffer of that name");
  }

  void require_written(const Buffer& buffer) {
    require_known(buffer);
    if (read_only_.count(buffer->name) != 0) reject("input '" + buffer->name + "' is written");
  }

  void require_vector_stage(const char* node) {
    if (stage_ == Stage::AfterLowering && !is_in_group_)
      reject(std::string(node) + " before vectorize_loops");
  }

  void visit(const Var& e) override {
    const auto it = vars_.find(e.name);
    if (it == vars_.end()) reject("variable '" + e.name + "' is not defined here");
    if (it->second != e.type) {
      reject("variable '" + e.name + "' has type " + to_string(it->second) + ", used as " +
             to_string(e.type));
    }
  }

  void visit(const Load& e) override {
    require_known(e.buffer);
    Visitor::visit(e);
  }

  void visit(const Broadcast& e) override {
    require_vector_stage("a broadcast");
    Visitor::visit(e);
  }

  void visit(const Ramp& e) override {
    require_vector_stage("a ramp");
    Visitor::visit(e);
  }

  void visit(const VectorLoad& e) override {
    require_vector_stage("a vector load");
    require_known(e.buffer);
    Visitor::visit(e);
  }

  void visit(const ReduceLanes& e) override {
    require_vector_stage("a lane reduction");
    Visitor::visit(e);
  }

  void visit(const VectorScale&) override { require_vector_stage("a vector scale"); }

  /// Groups of a dot are vectors before there are others.
  void visit(const Dot& e) override {
    walk(e.acc);
    const bool was_in_group = is_in_group_;
    is_in_group_ = true;
    walk(e.a);
    walk(e.b);
    is_in_group_ = was_in_group;
  }

  void visit_body(const std::string& var, const Type& type, const Stmt& body) {
    define(var);
    vars_[var] = type;
    walk(body);
    vars_.erase(var);
    names_.erase(var);
  }

  void visit(const For& s) override {
    where_ = s.where;
    if (s.for_kind == ForKind::Vectorized && stage_ != Stage::AfterLowering) {
      reject("loop '" + s.var + "' is still vectorized");
    }
    if (s.for_kind == ForKind::Unrolled && stage_ == Stage::AfterUnroll) {
      reject("loop '" + s.var + "' is still unrolled");
    }
    walk(s.begin);
    walk(s.end);
    const bool was_in_parallel = is_in_parallel_;
    is_in_parallel_ = is_in_parallel_ || s.for_kind == ForKind::Parallel;
    visit_body(s.var, kInt64, s.body);
    is_in_parallel_ = was_in_parallel;
  }

  void visit(const Let& s) override {
    where_ = s.where;
    walk(s.value);
    visit_body(s.var, s.value.type(), s.body);
  }

  void visit(const Allocate& s) override {
    where_ = s.where;
    const std::string& name = s.buffer->name;
    define(name);
    buffers_[name] = s.buffer;
    walk(s.body);
    buffers_.erase(name);
    names_.erase(name);
  }

  void visit(const Store& s) override {
    where_ = s.where;
    require_written(s.buffer);
    Visitor::visit(s);
  }

  void visit(const VectorStore& s) override {
    where_ = s.where;
    require_vector_stage("a vector store");
    require_written(s.buffer);
    Visitor::visit(s);
  }

  void visit(const TransferIssue& s) override {
    where_ = s.where;
    const bool is_get = s.direction == TransferDirection::Get;
    require_written(is_get ? s.near : s.main);
    require_known(is_get ? s.main : s.near);
    const bool is_from_shared = is_get && s.main->scope == kSharedScope;
    const bool is_far = s.main->scope == "main" || is_from_shared;
    if (!is_far || s.near->scope == "main" || s.near->scope == s.main->scope) {
      reject("transfer '" + s.id + "' is between '" + s.main->scope + "' and '" + s.near->scope +
             "', expected main and near memory");
    }
    issued_[s.id] = s.where;
    Visitor::visit(s);
  }

  void visit(const Barrier& s) override {
    where_ = s.where;
    if (is_in_parallel_) reject("a barrier stands inside a parallel loop");
  }

  void visit(const Exchange& s) override {
    where_ = s.where;
    require_written(s.buffer);
    if (s.buffer->scope == "main") reject("an exchange of '" + s.buffer->name + "' in main memory");
    if (!is_in_parallel_) reject("an exchange stands outside of parallel loops");
    Visitor::visit(s);
  }

  void visit(const Prefetch& s) override {
    where_ = s.where;
    require_known(s.buffer);
    Visitor::visit(s);
  }

  void visit(const TransferWait& s) override {
    where_ = s.where;
    waited_[s.id] = s.where;
    Visitor::visit(s);
  }

  const Kernel& kernel_;
  Stage stage_;
  SourceLoc where_;
  bool is_in_parallel_ = false;
  bool is_in_group_ = false;     ///< inside the operands of a dot
  std::set<std::string> names_;  ///< defined around the present statement
  std::map<std::string, Buffer> buffers_;
  std::set<std::string> read_only_;
  std::map<std::string, Type> vars_;
  std::map<std::string, SourceLoc> issued_;
  std::map<std::string, SourceLoc> waited_;
};

}  // namespace

void verify(const Kernel& kernel, Stage stage) {
  if (!kernel.body.defined() || !is_identifier(kernel.name)) {
    detail::fail("kernel '" + kernel.name + "'", "its name or its body is missing", kernel.where);
  }
  Verifier(kernel, stage).run();
}

}  // namespace solway::ir
