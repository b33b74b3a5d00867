#include "support/error.h"

namespace solway {

Error::Error(const char* class_name, Report report)
    : report_(std::move(report)), text_(format_report(class_name, report_)) {}

std::string format_report(const char* class_name, const Error::Report& report) {
  std::string text = std::string(class_name) + ": " + report.what;
  if (!report.why.empty()) text += "\n  why: " + report.why;
  if (!report.fix.empty()) text += "\n  fix: " + report.fix;
  const std::string place = report.where.to_string();
  if (!place.empty()) {
    text += "\n  at:  " + place;
    if (!report.where.text.empty()) text += ": " + report.where.text;
  }
  return text;
}

std::string Instance::to_string() const {
  if (iteration.empty()) return stage;
  std::string text = stage + "[";
  const char* separator = "";
  for (const auto& [axis, value] : iteration) {
    text += separator + axis + "=" + std::to_string(value);
    separator = ", ";
  }
  return text + "]";
}

}  // namespace solway
