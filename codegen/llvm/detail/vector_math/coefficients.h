#pragma once

// Written by tools/fit_float_math.py. Lowest power first. The error is the largest on
// the range before operations are rounded: of exp2, and of erf beyond 1, absolute; of
// the others relative to the function (of exp: to exp(r) - 1).

namespace solway::codegen::detail {

// clang-format off

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; error 1.4e-08.
inline constexpr float kExp[] = {
    0x1.fffffep-2F,
    0x1.5554b4p-3F,
    0x1.5556f2p-5F,
    0x1.122544p-7F,
    0x1.6b9c62p-10F,
};

/// (2^r - 1) / r for |r| <= 1/2; error 3.1e-09.
inline constexpr float kExp2[] = {
    0x1.62e430p-1F,
    0x1.ebfbe0p-3F,
    0x1.c6af7ap-5F,
    0x1.3b2a28p-7F,
    0x1.5f0968p-10F,
    0x1.4447b8p-13F,
};

/// (log(1 + f) - f) / f^2 for 1 + f in [sqrt(1/2), sqrt(2)]; error 4.2e-09.
inline constexpr float kLog[] = {
    -0x1.fffff8p-2F,
    0x1.55554ep-2F,
    -0x1.000434p-2F,
    0x1.99a52cp-3F,
    -0x1.542652p-3F,
    0x1.225a66p-3F,
    -0x1.0f2786p-3F,
    0x1.08cec2p-3F,
    -0x1.39c118p-4F,
};

/// (log2(1 + f) / f - 1) for 1 + f in [sqrt(1/2), sqrt(2)]; error 1.1e-08.
inline constexpr float kLog2[] = {
    0x1.c551dap-2F,
    -0x1.715476p-1F,
    0x1.ec7022p-2F,
    -0x1.7156c8p-2F,
    0x1.278bb2p-2F,
    -0x1.eb6b8ep-3F,
    0x1.a21c56p-3F,
    -0x1.818f3ap-3F,
    0x1.7eb89ap-3F,
    -0x1.dcbad0p-4F,
};

/// (log10(1 + f) / f - 0.434...) / f for 1 + f in [sqrt(1/2), sqrt(2)]; error 1.9e-09.
inline constexpr float kLog10[] = {
    -0x1.bcb7aap-3F,
    0x1.287a70p-3F,
    -0x1.bcbf50p-4F,
    0x1.63d072p-4F,
    -0x1.276ac2p-4F,
    0x1.f84936p-5F,
    -0x1.d782fap-5F,
    0x1.cd1edcp-5F,
    -0x1.10dca0p-5F,
};

/// erf(x) / x - 1 by x^2 for |x| <= 1; error 1.4e-09.
inline constexpr float kErfSmall[] = {
    0x1.06eba8p-3F,
    -0x1.81273ep-2F,
    0x1.ce2ce6p-4F,
    -0x1.b7f71ap-6F,
    0x1.53f224p-8F,
    -0x1.a3515ep-11F,
    0x1.4771fep-14F,
};

/// log(1 - erf(x)) for x in [1, 4]; error 1.0e-09.
inline constexpr float kErfLarge[] = {
    -0x1.72e6eep-12F,
    -0x1.2085b2p+0F,
    -0x1.46c584p-1F,
    -0x1.a60a8ep-4F,
    0x1.65425ap-6F,
    -0x1.814db2p-9F,
    0x1.852f94p-13F,
};

/// (tanh(x) - x) / x^3 by x^2 for |x| <= 5/8; error 4.5e-09.
inline constexpr float kTanh[] = {
    -0x1.555532p-2F,
    0x1.1106f6p-3F,
    -0x1.b835a4p-5F,
    0x1.51f8cep-6F,
    -0x1.750ce2p-8F,
};

}  // namespace solway::codegen::detail
