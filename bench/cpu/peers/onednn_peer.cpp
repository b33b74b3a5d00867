// Primitives of oneDNN 2 in the layouts that they prefer, for bench/cpu/peers/onednn.py, which
// compiles this file with the library's headers. Arrays in row-major order are brought into these
// layouts before anything is timed, and results back when they are asked for.

#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

namespace {

using dnnl::memory;
using Dims = memory::dims;

struct Prepared {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
  memory::desc plain_result;

  memory of_user(const memory::desc& plain, float* values) { return {plain, engine, values}; }

  memory in_layout(const memory::desc& plain, float* values, const memory::desc& wanted) {
    memory from = of_user(plain, values);
    memory to(wanted, engine);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  }
};

memory::desc any(const Dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

memory::desc rows(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t n = dims.size() - 1; n > 0; --n) strides[n - 1] = strides[n] * dims[n];
  return {dims, memory::data_type::f32, strides};
}

}  // namespace

extern "C" {

// A convolution; several groups have weights [groups, filters / groups, channels / groups, k, k].
void* convolution(long channels, long filters, long image, long kernel, long stride, long border,
                  long groups, float* x, float* w) try {
  const long size = (image + 2 * border - kernel) / stride + 1;
  const Dims in{1, channels, image, image};
  const Dims out{1, filters, size, size};
  const Dims weights = groups == 1
                           ? Dims{filters, channels, kernel, kernel}
                           : Dims{groups, filters / groups, channels / groups, kernel, kernel};
  auto made = std::make_unique<Prepared>();
  const dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, any(in),
      any(weights), any(out), {stride, stride}, {border, border}, {border, border});
  const dnnl::convolution_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::convolution_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->in_layout(rows(in), x, pd.src_desc())},
                     {DNNL_ARG_WEIGHTS, made->in_layout(rows(weights), w, pd.weights_desc())},
                     {DNNL_ARG_DST, memory(pd.dst_desc(), made->engine)}};
  made->plain_result = rows(out);
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

// Weights (outputs x inputs) times each of `count` rows.
void* inner_product(long count, long inputs, long outputs, float* x, float* w) try {
  const Dims in{count, inputs};
  const Dims out{count, outputs};
  const Dims weights{outputs, inputs};
  auto made = std::make_unique<Prepared>();
  const dnnl::inner_product_forward::desc desc(dnnl::prop_kind::forward_inference, any(in),
                                               any(weights), any(out));
  const dnnl::inner_product_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::inner_product_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->in_layout(rows(in), x, pd.src_desc())},
                     {DNNL_ARG_WEIGHTS, made->in_layout(rows(weights), w, pd.weights_desc())},
                     {DNNL_ARG_DST, memory(pd.dst_desc(), made->engine)}};
  made->plain_result = rows(out);
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

// The largest (or the mean) of windows, on blocks of 16 channels.
void* pool(long channels, long image, long kernel, long stride, long is_mean, float* x) try {
  const long size = (image - kernel) / stride + 1;
  const Dims in{1, channels, image, image};
  const Dims out{1, channels, size, size};
  const memory::desc blocks(in, memory::data_type::f32, memory::format_tag::nChw16c);
  auto made = std::make_unique<Prepared>();
  const auto kind =
      is_mean != 0 ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_max;
  const dnnl::pooling_v2_forward::desc desc(dnnl::prop_kind::forward_inference, kind, blocks,
                                            any(out), {stride, stride}, {kernel, kernel}, {0, 0},
                                            {0, 0}, {0, 0});
  const dnnl::pooling_v2_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::pooling_v2_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->in_layout(rows(in), x, pd.src_desc())},
                     {DNNL_ARG_DST, memory(pd.dst_desc(), made->engine)}};
  made->plain_result = rows(out);
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

void* softmax(long count, long columns, float* x) try {
  const memory::desc matrix = rows({count, columns});
  auto made = std::make_unique<Prepared>();
  const dnnl::softmax_forward::desc desc(dnnl::prop_kind::forward_inference, matrix, 1);
  const dnnl::softmax_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::softmax_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->of_user(matrix, x)},
                     {DNNL_ARG_DST, memory(matrix, made->engine)}};
  made->plain_result = matrix;
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

void* layer_norm(long count, long columns, float epsilon, float* x, float* scale_and_shift) try {
  const memory::desc matrix = rows({count, columns});
  auto made = std::make_unique<Prepared>();
  const dnnl::layer_normalization_forward::desc desc(dnnl::prop_kind::forward_inference, matrix,
                                                     epsilon,
                                                     dnnl::normalization_flags::use_scale_shift);
  const dnnl::layer_normalization_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::layer_normalization_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->of_user(matrix, x)},
                     {DNNL_ARG_SCALE_SHIFT, made->of_user(rows({2, columns}), scale_and_shift)},
                     {DNNL_ARG_DST, memory(matrix, made->engine)}};
  made->plain_result = matrix;
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

void* gelu(long count, long columns, float* x) try {
  const memory::desc matrix = rows({count, columns});
  auto made = std::make_unique<Prepared>();
  const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference,
                                         dnnl::algorithm::eltwise_gelu_erf, matrix, 0.0F, 0.0F);
  const dnnl::eltwise_forward::primitive_desc pd(desc, made->engine);
  made->primitive = dnnl::eltwise_forward(pd);
  made->arguments = {{DNNL_ARG_SRC, made->of_user(matrix, x)},
                     {DNNL_ARG_DST, memory(matrix, made->engine)}};
  made->plain_result = matrix;
  return made.release();
} catch (const std::exception&) {
  return nullptr;
}

void run(void* of) {
  auto& prepared = *static_cast<Prepared*>(of);
  prepared.primitive.execute(prepared.stream, prepared.arguments);
  prepared.stream.wait();
}

void result(void* of, float* out) {
  auto& prepared = *static_cast<Prepared*>(of);
  memory from = prepared.arguments.at(DNNL_ARG_DST);
  memory to = prepared.of_user(prepared.plain_result, out);
  dnnl::reorder(from, to).execute(prepared.stream, from, to);
  prepared.stream.wait();
}

void destroy(void* of) { delete static_cast<Prepared*>(of); }
}
