#include "schedule/detail/buffer_step.h"

#include <algorithm>

namespace solway::schedule {
namespace {

/// Whether the request has to name the stage: others read the tensor as well, or run in the loop
/// of the position.
bool has_to_name_reader(const State& before, const BufferRequest& request, AccessKind kind) {
  if (kind != AccessKind::Reads) return false;
  if (!request.also.empty()) return true;
  const auto& stages = before.program->stages;
  return std::any_of(stages.begin(), stages.end(), [&](const dsl::Tensor& stage) {
    if (stage->name == request.stage) return false;
    const auto loops = before.stage_loops.find(stage->name);
    const bool is_there = loops != before.stage_loops.end() && request.at >= 0 &&
                          std::count(loops->second.begin(), loops->second.end(), request.at) != 0;
    return is_there || !accesses_of(before, stage->name, request.tensor, AccessKind::Reads).empty();
  });
}

StepText layout_text(const BufferRequest& request) {
  StepText out{"["};
  const auto append = [&](const std::string& item) {
    out.text += (out.text.size() > 1 ? ", " : "") + item;
  };
  for (const int dim : request.layout) append(std::to_string(dim));
  for (const LoopId loop : request.loop_layout) append("{" + std::to_string(loop) + "}");
  out.text += "]";
  return out;
}

}  // namespace

Step buffer_step(const State& before, const BufferRequest& request, AccessKind kind,
                 const std::string& buffer, const SourceLoc& where) {
  Step step{kind == AccessKind::Reads ? "buffer_read" : "buffer_write",
            request.stage,
            {},
            {},
            where,
            buffer};
  const std::string& named = request.logged_as.empty() ? request.tensor : request.logged_as;
  step.arguments.emplace_back("", StepText{"{" + named + "}"});
  if (request.region) step.arguments.emplace_back("region", step_text(*request.region));
  if (request.at >= 0) step.arguments.emplace_back("at", request.at);
  if (has_to_name_reader(before, request, kind)) {
    std::string readers = "{" + request.stage + "}";
    for (const std::string& stage : request.also) readers += ", {" + stage + "}";
    step.arguments.emplace_back("readers", StepText{"[" + readers + "]"});
  }
  if (request.references) {
    step.arguments.emplace_back("references", StepText{to_string(*request.references)});
  }
  if (!request.scope.empty()) step.arguments.emplace_back("scope", request.scope);
  if (!request.layout.empty() || !request.loop_layout.empty()) {
    step.arguments.emplace_back("layout", layout_text(request));
  }
  if (request.depth != 1) step.arguments.emplace_back("depth", std::int64_t{request.depth});
  if (request.padding == Padding::Filled) {
    step.arguments.emplace_back("fill_padding", StepText{"True"});
  }
  if (request.slide >= 0) step.arguments.emplace_back("slide", request.slide);
  if (request.align_bytes > 0) step.arguments.emplace_back("align", request.align_bytes);
  return step;
}

}  // namespace solway::schedule
