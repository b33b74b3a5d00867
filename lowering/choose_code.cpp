#include "lowering/choose_code.h"

#include "lowering/ir/mutator.h"
#include "support/error.h"

namespace solway::lowering {
namespace {

class Chooser final : public ir::Mutator {
 public:
  Chooser(const std::string& target, CodeForm form) : target_(target), form_(form) {}

 private:
  ir::Stmt rewrite(const ir::Call& s, const ir::Stmt& self) override {
    if (s.product) {
      if (form_ == CodeForm::CAndAssembly) return self;
      throw UnsupportedError(
          {s.where, "'" + s.name + "' cannot be called by code for target '" + target_ + "'",
           "micro-kernels are assembly of the computing cores of SW26010",
           "build for target 'sw26010', or leave tensorize out for this target"});
    }
    const auto own = s.code.find(target_);
    if (own != s.code.end() && form_ != CodeForm::Other) {
      return ir::Call::make(s.name, s.operands, s.code, own->second, s.where);
    }
    std::string names;
    for (const auto& [name, text] : s.code) names += (names.empty() ? "'" : ", '") + name + "'";
    throw UnsupportedError(
        {s.where,
         form_ != CodeForm::Other
             ? "intrinsic '" + s.name + "' has no code for target '" + target_ + "'"
             : "intrinsic '" + s.name + "' cannot be called by code for target '" + target_ + "'",
         form_ != CodeForm::Other ? "it has code for " + names
                                  : "its code is C text for " + names +
                                        ", and that target's code is made without a C compiler",
         form_ != CodeForm::Other
             ? "add it to code=, or leave tensorize out for this target"
             : "build for target 'c', or leave tensorize out for this target"});
  }

  const std::string& target_;
  CodeForm form_;
};

}  // namespace

ir::Stmt choose_code(const ir::Stmt& s, const std::string& target, CodeForm form) {
  return Chooser(target, form)(s);
}

}  // namespace solway::lowering
