#include "driver/loop_names.h"

#include <cctype>
#include <cstddef>

namespace solway::driver {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

std::string in_loop_names(const std::string& text,
                          const std::map<std::string, std::string>& loop_names) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    const auto known = loop_names.find(word);
    out += known == loop_names.end() ? word : known->second;
    if (end < text.size()) out += text[end++];
    at = end;
  }
  return out;
}

Remark in_loop_names(const Remark& remark, const std::map<std::string, std::string>& loop_names) {
  return {in_loop_names(remark.step, loop_names), in_loop_names(remark.verdict, loop_names),
          in_loop_names(remark.why, loop_names), remark.where};
}

Error::Report in_loop_names(const Error::Report& report,
                            const std::map<std::string, std::string>& loop_names) {
  return {report.where, in_loop_names(report.what, loop_names),
          in_loop_names(report.why, loop_names), in_loop_names(report.fix, loop_names)};
}

}  // namespace solway::driver
