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

/// For erf(x) in intervals of 1/8: a place c near the middle of each (of the first one
/// 0), and erf(c).
inline constexpr float kErfPlaces[32] = {
    0x0.0p+0F, 0x1.fe0aecp-4F, 0x1.fc8470p-3F, 0x1.7f7258p-2F,
    0x1.fe1062p-2F, 0x1.3f4782p-1F, 0x1.7f01e0p-1F, 0x1.c0513cp-1F,
    0x1.ffd6dep-1F, 0x1.1fadfep+0F, 0x1.406d66p+0F, 0x1.60036ap+0F,
    0x1.800c76p+0F, 0x1.9fdd86p+0F, 0x1.c005b8p+0F, 0x1.e045b8p+0F,
    0x1.001df4p+1F, 0x1.0fc978p+1F, 0x1.203bf2p+1F, 0x1.301540p+1F,
    0x1.3ff308p+1F, 0x1.5007e4p+1F, 0x1.5ff9dcp+1F, 0x1.701a1cp+1F,
    0x1.7fdeaep+1F, 0x1.900132p+1F, 0x1.a00ca2p+1F, 0x1.b04000p+1F,
    0x1.c04000p+1F, 0x1.cfd596p+1F, 0x1.dfc000p+1F, 0x1.efc000p+1F,
};
inline constexpr float kErfValues[32] = {
    0x0.0p+0F, 0x1.1e47c4p-3F, 0x1.191c92p-2F, 0x1.9d45ecp-2F,
    0x1.09a4fcp-1F, 0x1.3e8c72p-1F, 0x1.6b78f8p-1F, 0x1.919ce4p-1F,
    0x1.af6566p-1F, 0x1.c6a68cp-1F, 0x1.d8ba02p-1F, 0x1.e577b6p-1F,
    0x1.eea84cp-1F, 0x1.f4f106p-1F, 0x1.f92da2p-1F, 0x1.fbeacap-1F,
    0x1.fd9d5ap-1F, 0x1.fea16ep-1F, 0x1.ff41fcp-1F, 0x1.ff99b8p-1F,
    0x1.ffca8cp-1F, 0x1.ffe51ep-1F, 0x1.fff2ccp-1F, 0x1.fff9c2p-1F,
    0x1.fffd16p-1F, 0x1.fffeb4p-1F, 0x1.ffff70p-1F, 0x1.ffffc4p-1F,
    0x1.ffffe8p-1F, 0x1.fffff6p-1F, 0x1.fffffcp-1F, 0x1.fffffep-1F,
};
/// (erf(c + t) - erf(c)) / t by t, of each power the coefficients of all intervals; of
/// the first interval less 1; error 3.6e-09.
inline constexpr float kErfSlopes[5][32] = {
    {
        0x1.06eba8p-3F, 0x1.1c6ba8p+0F, 0x1.0f97fap+0F, 0x1.f624dap-1F,
        0x1.c2c95ap-1F, 0x1.879972p-1F, 0x1.4a2360p-1F, 0x1.0c60ccp-1F,
        0x1.a95640p-2F, 0x1.46d4b8p-2F, 0x1.e2606cp-3F, 0x1.5cd8cap-3F,
        0x1.e6dc54p-4F, 0x1.4a2da6p-4F, 0x1.b03364p-5F, 0x1.11b688p-5F,
        0x1.515f2ep-6F, 0x1.9740ccp-7F, 0x1.d03d6ep-8F, 0x1.05c2c8p-8F,
        0x1.1e13dcp-9F, 0x1.2c8744p-10F, 0x1.33b1f2p-11F, 0x1.2eef64p-12F,
        0x1.25d25ap-13F, 0x1.0f8e42p-14F, 0x1.e87c24p-16F, 0x1.a645a4p-17F,
        0x1.656d8cp-18F, 0x1.2c382ap-19F, 0x1.e03238p-21F, 0x1.7271eep-22F,
    },
    {
        0x1.03aec4p-21F, -0x1.1b5566p-3F, -0x1.0dbefep-2F, -0x1.7810b0p-2F,
        -0x1.c114f6p-2F, -0x1.e86590p-2F, -0x1.eded58p-2F, -0x1.d5fe90p-2F,
        -0x1.a93414p-2F, -0x1.6f469ep-2F, -0x1.2de35ap-2F, -0x1.dfaeccp-3F,
        -0x1.6d3128p-3F, -0x1.0c2ee8p-3F, -0x1.7a31dap-4F, -0x1.00c066p-4F,
        -0x1.5186a6p-5F, -0x1.b05e10p-6F, -0x1.0558d6p-6F, -0x1.36ecdep-7F,
        -0x1.658a06p-8F, -0x1.8a7a52p-9F, -0x1.a70c94p-10F, -0x1.b3960ap-11F,
        -0x1.b893fep-12F, -0x1.a84df2p-13F, -0x1.8cef0ep-14F, -0x1.647d80p-15F,
        -0x1.38ea58p-16F, -0x1.0ff7d0p-17F, -0x1.c1eec2p-19F, -0x1.66ac0ap-20F,
    },
    {
        -0x1.813172p-2F, -0x1.6f7154p-2F, -0x1.3d7850p-2F, -0x1.e1bd32p-3F,
        -0x1.2ec50cp-3F, -0x1.d05d64p-5F, 0x1.a3feaep-6F, 0x1.7dced2p-4F,
        0x1.1b3140p-3F, 0x1.4c6742p-3F, 0x1.57058cp-3F, 0x1.43722ep-3F,
        0x1.1c181cp-3F, 0x1.d6d104p-4F, 0x1.71371cp-4F, 0x1.137fb0p-4F,
        0x1.8a01dep-5F, 0x1.1014d2p-5F, 0x1.61a658p-6F, 0x1.c0cdfcp-7F,
        0x1.121066p-7F, 0x1.40284ap-8F, 0x1.6a20b0p-9F, 0x1.884e60p-10F,
        0x1.9ff44cp-11F, 0x1.a35c72p-12F, 0x1.99b4f0p-13F, 0x1.7fa9f8p-14F,
        0x1.5e5a56p-15F, 0x1.3c056ap-16F, 0x1.0f1620p-17F, 0x1.bfab96p-19F,
    },
    {
        0x1.06f88cp-10F, 0x1.185ea6p-4F, 0x1.024174p-3F, 0x1.5480e6p-3F,
        0x1.76610ep-3F, 0x1.696fd2p-3F, 0x1.357d18p-3F, 0x1.cb69c8p-4F,
        0x1.1be0e2p-4F, 0x1.d19cb6p-6F, -0x1.a709aap-8F, -0x1.f20b5ap-6F,
        -0x1.6ca1d8p-5F, -0x1.969b9ap-5F, -0x1.89a3bap-5F, -0x1.598fbep-5F,
        -0x1.19aceep-5F, -0x1.b1bd14p-6F, -0x1.37504ep-6F, -0x1.ae0170p-7F,
        -0x1.1b6efcp-7F, -0x1.634a64p-8F, -0x1.ac8ea6p-9F, -0x1.ed1cf4p-10F,
        -0x1.14317ep-10F, -0x1.259090p-11F, -0x1.2d5b34p-12F, -0x1.27dc86p-13F,
        -0x1.1a6d88p-14F, -0x1.096d7ep-15F, -0x1.da0596p-17F, -0x1.96d870p-18F,
    },
    {
        0x1.ac9636p-4F, 0x1.9b899ep-4F, 0x1.47184ep-4F, 0x1.65f3b8p-5F,
        0x1.801f8cp-8F, -0x1.856750p-6F, -0x1.ca3c24p-5F, -0x1.1c9e5ep-4F,
        -0x1.179084p-4F, -0x1.ef7512p-5F, -0x1.7ea3f0p-5F, -0x1.f8b782p-6F,
        -0x1.e68abep-7F, -0x1.2466d8p-9F, 0x1.b0c310p-8F, 0x1.7c4ec6p-7F,
        0x1.afa716p-7F, 0x1.9a5beep-7F, 0x1.5d8f90p-7F, 0x1.1202dap-7F,
        0x1.911544p-8F, 0x1.1483dep-8F, 0x1.6a1ceep-9F, 0x1.c1d624p-10F,
        0x1.0b390cp-10F, 0x1.2f873ap-11F, 0x1.4a5d16p-12F, 0x1.5924eap-13F,
        0x1.5a4962p-14F, 0x1.4e31bap-15F, 0x1.364b3ap-16F, 0x1.157e08p-17F,
    },
};

}  // namespace solway::codegen::detail
