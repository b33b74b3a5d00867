#pragma once

// Written by tools/fit_float_math.py. Lowest power first. The error is the largest on
// the range before operations are rounded: of exp2, the cosine, and of erf beyond 1,
// absolute; of the others relative to the function (of exp: to exp(r) - 1).

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

/// (exp(r) - 1) / r for |r| <= ln(2) / 16; error 1.7e-10.
inline constexpr float kExpNear[] = {
    0x1.000000p+0F,
    0x1.000000p-1F,
    0x1.555c70p-3F,
    0x1.55568ep-5F,
};

/// exp(r) / kExpSixteenths[0] - 1 for |r| <= ln(2) / 32; error 1.3e-09.
inline constexpr float kExpNearer[] = {
    -0x1.8ead36p-13F,
    0x1.ffe716p-1F,
    0x1.ffec24p-2F,
    0x1.552c92p-3F,
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

/// (sin(r) / r - 1) / r^2 by r^2 for |r| <= 0.79; error 2.0e-11.
inline constexpr double kSine[] = {
    -0x1.55555554523bfp-3,
    0x1.11110dd2a633fp-7,
    -0x1.a013814533806p-13,
    0x1.6db1afe0ba73fp-19,
};

/// (cos(r) - 1) / r^2 by r^2 for |r| <= 0.79; error 2.4e-13.
inline constexpr double kCosine[] = {
    -0x1.fffffffffe511p-2,
    0x1.555555511e4c0p-5,
    -0x1.6c16baaa845f7p-10,
    0x1.a0126c29f99bbp-16,
    -0x1.246a986b5af89p-22,
};

/// (atan(x) / x - 1) / x^2 by x^2 for |x| <= 1; error 1.8e-13.
inline constexpr double kArcTangent[] = {
    -0x1.555555555428dp-2,
    0x1.9999999577043p-3,
    -0x1.249247ec9f832p-3,
    0x1.c71c2896e3400p-4,
    -0x1.74588d1ef0a63p-4,
    0x1.3ae7c74facfe7p-4,
    -0x1.0ff7b92c8bba6p-4,
    0x1.d8091af141662p-5,
    -0x1.8f1eb8deea0bfp-5,
    0x1.3829842a8920bp-5,
    -0x1.a57aac088bbacp-6,
    0x1.c5a24c14148e2p-7,
    -0x1.626ee0bbb796dp-8,
    0x1.5ed5a3cd1d5e4p-10,
    -0x1.468f2f4dfbf21p-13,
};

/// (sinh(x) / x - 1) / x^2 by x^2 for |x| <= 1; error 3.1e-16.
inline constexpr double kSinh[] = {
    0x1.5555555555548p-3,
    0x1.1111111114e46p-7,
    0x1.a01a0194f26fcp-13,
    0x1.71de4639b431cp-19,
    0x1.ae58e200253c4p-26,
    0x1.6638d02a28c3bp-33,
};

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2; error 8.8e-19.
inline constexpr double kDoubleExp[] = {
    0x1.0000000000000p-1,
    0x1.5555555555557p-3,
    0x1.5555555555556p-5,
    0x1.11111111100cep-7,
    0x1.6c16c16c16148p-10,
    0x1.a01a01abef7b2p-13,
    0x1.a01a01a77e16bp-16,
    0x1.71de0219d9c0dp-19,
    0x1.27e4d9a7b9ed3p-22,
    0x1.af4e1adb84d4fp-26,
    0x1.1f763c51af418p-29,
};

/// (2 atanh(s) / s - 2) / s^2 by s^2 for |s| <= 3 - sqrt(8); error 4.6e-18.
inline constexpr double kDoubleLog[] = {
    0x1.5555555555558p-1,
    0x1.99999999952d9p-2,
    0x1.2492492df24c9p-2,
    0x1.c71c62e434baap-3,
    0x1.7462b50978d9ap-3,
    0x1.39fe54273fda1p-3,
    0x1.2b58e1fea16c6p-3,
};

/// (tanh(x) - x) / x^3 by x^2 for |x| <= 5/8; error 8.0e-18.
inline constexpr double kDoubleTanh[] = {
    -0x1.5555555555555p-2,
    0x1.11111111110a8p-3,
    -0x1.ba1ba1ba0f126p-5,
    0x1.664f487e0a749p-6,
    -0x1.226e3473dce5cp-7,
    0x1.d6d39ae3905e2p-9,
    -0x1.7d9f6f23e8682p-10,
    0x1.3526e9ed54da1p-11,
    -0x1.f243823c8c981p-13,
    0x1.8445870f6fe41p-14,
    -0x1.05bbdae896297p-15,
    0x1.b33642a122cddp-18,
};

/// erf(x) / x - 1 by x^2 for |x| <= 1; error 1.9e-17.
inline constexpr double kDoubleErfSmall[] = {
    0x1.06eba8214db69p-3,
    -0x1.812746b0379e6p-2,
    0x1.ce2f21a042b30p-4,
    -0x1.b82ce31284e00p-6,
    0x1.565bcd0dbaa38p-8,
    -0x1.c02db3dac435fp-11,
    0x1.f9a321d5b8e1ep-14,
    -0x1.f4d1e3183f7aep-17,
    0x1.b9df224ca4b97p-20,
    -0x1.5f1ecb6f0764cp-23,
    0x1.f7b4bf3b13964p-27,
    -0x1.389d4f2641625p-30,
    0x1.05ffd737fb32ep-34,
};

/// log(1 - erf(x)) by x - 1.625 for x in [1, 2.25]; error 2.0e-17.
inline constexpr double kDoubleErfNear[] = {
    -0x1.eb25b8ff49e4dp+1,
    -0x1.ddd7124908633p+1,
    -0x1.cdb6c474ce6b6p-1,
    -0x1.78fa9a8b71f84p-6,
    0x1.59606b9a19c3bp-8,
    -0x1.211a66c1a3156p-10,
    0x1.99f921d8d79d6p-13,
    -0x1.920c876666d5bp-16,
    -0x1.0aa3226e6c34cp-21,
    0x1.92e34ed56cb58p-20,
    -0x1.38df0dcdaea30p-21,
    0x1.4406b873b0928p-23,
    -0x1.cf851366f0459p-26,
    0x1.ea185bf409ffap-30,
    0x1.13468696ed7a7p-30,
    -0x1.2f580d67e87dep-31,
    0x1.7a6d225b4c49bp-33,
    -0x1.37da4aa76a1dbp-35,
    0x1.c8bfb5c8193adp-39,
};

/// log(1 - erf(x)) by x - 4.125 for x in [2.25, 6]; error 1.3e-18.
inline constexpr double kDoubleErfFar[] = {
    -0x1.30854b8fd1be0p+4,
    -0x1.0f5b6f291f1bap+3,
    -0x1.f31ad7b7d2371p-1,
    -0x1.ccd13b9f4f965p-9,
    0x1.150ca82434897p-11,
    -0x1.5420955e846dep-14,
    0x1.9fc7f7587691cp-17,
    -0x1.f2201a5a54bbap-20,
    0x1.20810f8c6cd26p-22,
    -0x1.3e1869868eeecp-25,
    0x1.45fb5fb97bbfap-28,
    -0x1.28720e0b35d05p-31,
    0x1.a33f864b98de3p-35,
    -0x1.38ea17b95e132p-40,
    -0x1.bea65218b14acp-41,
    0x1.f9df222c072d0p-43,
    -0x1.efc29ea0caad0p-45,
    0x1.290edbf5c95a6p-46,
    -0x1.68ddd91757fb4p-49,
};

/// Multiples of 2^(j / 16) that are nearly float32, all by the same number.
inline constexpr float kExpSixteenths[16] = {
    0x1.000c76p+0F, 0x1.0b628ap+0F, 0x1.17391ap+0F, 0x1.2395d8p+0F,
    0x1.307eb2p+0F, 0x1.3df9dep+0F, 0x1.4c0dd6p+0F, 0x1.5ac15ep+0F,
    0x1.6a1b86p+0F, 0x1.7a23aep+0F, 0x1.8ae18cp+0F, 0x1.9c5d2ap+0F,
    0x1.ae9eeep+0F, 0x1.c1afa0p+0F, 0x1.d59868p+0F, 0x1.ea62d8p+0F,
};

/// 2^(j / 8 - 64) with j 2^20 taken from its bits: with n 2^20 added, where j is n
/// modulo 8, they are those of 2^(n / 8 - 64).
inline constexpr float kExpPowers[8] = {
    0x1.000000p-64F, 0x1.f72b84p-65F, 0x1.f06fe0p-65F, 0x1.ebfdaep-65F,
    0x1.ea09e6p-65F, 0x1.eace54p-65F, 0x1.ee89fap-65F, 0x1.f5818ep-65F,
};

/// For erf(x) in intervals of 0.125: a place c of each, where erf(c) is
/// nearly a float32 (of the first one 0), and erf(c).
inline constexpr float kErfPlaces[32] = {
    0x0.0p+0F, 0x1.fe0aecp-4F, 0x1.fc8470p-3F, 0x1.7f7258p-2F,
    0x1.fe1062p-2F, 0x1.3f4782p-1F, 0x1.7f01e0p-1F, 0x1.c0513cp-1F,
    0x1.ffd6dep-1F, 0x1.1fadfep+0F, 0x1.406d66p+0F, 0x1.60036ap+0F,
    0x1.800c76p+0F, 0x1.9fdd86p+0F, 0x1.c005b8p+0F, 0x1.e045b8p+0F,
    0x1.001df4p+1F, 0x1.0fc978p+1F, 0x1.203bf2p+1F, 0x1.301540p+1F,
    0x1.3ff308p+1F, 0x1.5007e4p+1F, 0x1.5ff9dcp+1F, 0x1.701a1cp+1F,
    0x1.7fdeaep+1F, 0x1.900132p+1F, 0x1.a00ca2p+1F, 0x1.adfd50p+1F,
    0x1.c23354p+1F, 0x1.cfd596p+1F, 0x1.d8787ep+1F, 0x1.ea8f92p+1F,
};
inline constexpr float kErfValues[32] = {
    0x0.0p+0F, 0x1.1e47c4p-3F, 0x1.191c92p-2F, 0x1.9d45ecp-2F,
    0x1.09a4fcp-1F, 0x1.3e8c72p-1F, 0x1.6b78f8p-1F, 0x1.919ce4p-1F,
    0x1.af6566p-1F, 0x1.c6a68cp-1F, 0x1.d8ba02p-1F, 0x1.e577b6p-1F,
    0x1.eea84cp-1F, 0x1.f4f106p-1F, 0x1.f92da2p-1F, 0x1.fbeacap-1F,
    0x1.fd9d5ap-1F, 0x1.fea16ep-1F, 0x1.ff41fcp-1F, 0x1.ff99b8p-1F,
    0x1.ffca8cp-1F, 0x1.ffe51ep-1F, 0x1.fff2ccp-1F, 0x1.fff9c2p-1F,
    0x1.fffd16p-1F, 0x1.fffeb4p-1F, 0x1.ffff70p-1F, 0x1.ffffbcp-1F,
    0x1.ffffeap-1F, 0x1.fffff6p-1F, 0x1.fffffap-1F, 0x1.fffffep-1F,
};
/// (erf(c + t) - erf(c)) / t by t, of each power the coefficients of all
/// intervals; of the first interval less 1; error 3.6e-09.
inline constexpr float kErfSlopes[5][32] = {
    {
        0x1.06eba8p-3F, 0x1.1c6ba8p+0F, 0x1.0f97fap+0F, 0x1.f624dap-1F,
        0x1.c2c95ap-1F, 0x1.879972p-1F, 0x1.4a2360p-1F, 0x1.0c60ccp-1F,
        0x1.a95640p-2F, 0x1.46d4b8p-2F, 0x1.e2606cp-3F, 0x1.5cd8cap-3F,
        0x1.e6dc54p-4F, 0x1.4a2da6p-4F, 0x1.b03364p-5F, 0x1.11b688p-5F,
        0x1.515f2ep-6F, 0x1.9740ccp-7F, 0x1.d03d6ep-8F, 0x1.05c2c8p-8F,
        0x1.1e13dcp-9F, 0x1.2c8744p-10F, 0x1.33b1f2p-11F, 0x1.2eef64p-12F,
        0x1.25d25ap-13F, 0x1.0f8e42p-14F, 0x1.e87c24p-16F, 0x1.db9daap-17F,
        0x1.412c00p-18F, 0x1.2c382ap-19F, 0x1.6e8a72p-20F, 0x1.fa4884p-22F,
    },
    {
        0x1.03aec4p-21F, -0x1.1b5566p-3F, -0x1.0dbefep-2F, -0x1.7810b0p-2F,
        -0x1.c114f6p-2F, -0x1.e86590p-2F, -0x1.eded58p-2F, -0x1.d5fe90p-2F,
        -0x1.a93414p-2F, -0x1.6f469ep-2F, -0x1.2de35ap-2F, -0x1.dfaeccp-3F,
        -0x1.6d3128p-3F, -0x1.0c2ee8p-3F, -0x1.7a31dap-4F, -0x1.00c066p-4F,
        -0x1.5186a6p-5F, -0x1.b05e10p-6F, -0x1.0558d6p-6F, -0x1.36ecdep-7F,
        -0x1.658a06p-8F, -0x1.8a7a52p-9F, -0x1.a70c94p-10F, -0x1.b3960ap-11F,
        -0x1.b893fep-12F, -0x1.a84df2p-13F, -0x1.8cef0ep-14F, -0x1.8f6ec8p-15F,
        -0x1.1a67d4p-16F, -0x1.0ff7d0p-17F, -0x1.522b38p-18F, -0x1.e51882p-20F,
    },
    {
        -0x1.813172p-2F, -0x1.6f7154p-2F, -0x1.3d7850p-2F, -0x1.e1bd32p-3F,
        -0x1.2ec50cp-3F, -0x1.d05d64p-5F, 0x1.a3feaep-6F, 0x1.7dced2p-4F,
        0x1.1b3140p-3F, 0x1.4c6742p-3F, 0x1.57058cp-3F, 0x1.43722ep-3F,
        0x1.1c181cp-3F, 0x1.d6d104p-4F, 0x1.71371cp-4F, 0x1.137fb0p-4F,
        0x1.8a01dep-5F, 0x1.1014d2p-5F, 0x1.61a658p-6F, 0x1.c0cdfcp-7F,
        0x1.121066p-7F, 0x1.40284ap-8F, 0x1.6a20b0p-9F, 0x1.884e60p-10F,
        0x1.9ff44cp-11F, 0x1.a35c72p-12F, 0x1.99b4f0p-13F, 0x1.aba1b4p-14F,
        0x1.3d842ap-15F, 0x1.3c056ap-16F, 0x1.8f397ap-17F, 0x1.2afb70p-18F,
    },
    {
        0x1.06f88cp-10F, 0x1.185ea6p-4F, 0x1.024174p-3F, 0x1.5480e6p-3F,
        0x1.76610ep-3F, 0x1.696fd2p-3F, 0x1.357d18p-3F, 0x1.cb69c8p-4F,
        0x1.1be0e2p-4F, 0x1.d19cb6p-6F, -0x1.a709aap-8F, -0x1.f20b5ap-6F,
        -0x1.6ca1d8p-5F, -0x1.969b9ap-5F, -0x1.89a3bap-5F, -0x1.598fbep-5F,
        -0x1.19aceep-5F, -0x1.b1bd14p-6F, -0x1.37504ep-6F, -0x1.ae0170p-7F,
        -0x1.1b6efcp-7F, -0x1.634a64p-8F, -0x1.ac8ea6p-9F, -0x1.ed1cf4p-10F,
        -0x1.14317ep-10F, -0x1.259090p-11F, -0x1.2d5b34p-12F, -0x1.46730cp-13F,
        -0x1.00372ap-14F, -0x1.096d7ep-15F, -0x1.46305ap-16F, -0x1.03ec0ep-17F,
    },
    {
        0x1.ac9636p-4F, 0x1.9b899ep-4F, 0x1.47184ep-4F, 0x1.65f3b8p-5F,
        0x1.801f8cp-8F, -0x1.856750p-6F, -0x1.ca3c24p-5F, -0x1.1c9e5ep-4F,
        -0x1.179084p-4F, -0x1.ef7512p-5F, -0x1.7ea3f0p-5F, -0x1.f8b782p-6F,
        -0x1.e68abep-7F, -0x1.2466d8p-9F, 0x1.b0c310p-8F, 0x1.7c4ec6p-7F,
        0x1.afa716p-7F, 0x1.9a5beep-7F, 0x1.5d8f90p-7F, 0x1.1202dap-7F,
        0x1.911544p-8F, 0x1.1483dep-8F, 0x1.6a1ceep-9F, 0x1.c1d624p-10F,
        0x1.0b390cp-10F, 0x1.2f873ap-11F, 0x1.4a5d16p-12F, 0x1.5912fep-13F,
        0x1.59cbfcp-14F, 0x1.4e31bap-15F, 0x1.38ebacp-16F, 0x1.162ea6p-17F,
    },
};

/// For erf(x) in intervals of 0.53125: a place c of each, where erf(c) is
/// nearly a float32 (of the first one 0), and erf(c).
inline constexpr float kErfWidePlaces[8] = {
    0x0.0p+0F, 0x1.0e1f1ap-1F, 0x1.0ed12cp+0F, 0x1.96c932p+0F,
    0x1.10f470p+1F, 0x1.543c06p+1F, 0x1.97206ap+1F, 0x1.ea8facp+1F,
};
inline constexpr float kErfWideValues[8] = {
    0x0.0p+0F, 0x1.16bba6p-1F, 0x1.bb10f8p-1F, 0x1.f36406p-1F,
    0x1.feb002p-1F, 0x1.ffe9a6p-1F, 0x1.ffff1ap-1F, 0x1.fffffep-1F,
};
/// (erf(c + t) - erf(c)) / t by t, of each power the coefficients of all
/// intervals; of the first interval less 1; error 2.3e-08.
inline constexpr float kErfWideSlopes[6][8] = {
    {
        0x1.06eba8p-3F, 0x1.b55d26p-1F, 0x1.795710p-2F, 0x1.720950p-4F,
        0x1.87bdb0p-7F, 0x1.f953bcp-11F, 0x1.7e77a4p-15F, 0x1.f96362p-22F,
    },
    {
        -0x1.806b7ap-21F, -0x1.cd7d36p-2F, -0x1.8f2e1ep-2F, -0x1.25ff26p-3F,
        -0x1.a1aeecp-6F, -0x1.4fcb06p-9F, -0x1.300facp-13F, -0x1.e4ff62p-20F,
    },
    {
        -0x1.811c7cp-2F, -0x1.029750p-3F, 0x1.376014p-3F, 0x1.f3a2e6p-4F,
        0x1.0850fcp-5F, 0x1.1446d0p-8F, 0x1.317534p-12F, 0x1.32fbc6p-18F,
    },
    {
        -0x1.821554p-11F, 0x1.77c12cp-3F, 0x1.95aa54p-5F, -0x1.919912p-5F,
        -0x1.a8942ap-6F, -0x1.376cf4p-8F, -0x1.b4cd58p-12F, -0x1.025e06p-17F,
    },
    {
        0x1.e58e46p-4F, 0x1.578db8p-14F, -0x1.0a5506p-4F, -0x1.914c1ep-8F,
        0x1.8f93bcp-7F, 0x1.fb4b1cp-9F, 0x1.ec0e00p-12F, 0x1.fe62e0p-18F,
    },
    {
        -0x1.49d938p-6F, -0x1.854272p-5F, 0x1.3bcfbep-7F, 0x1.ffc45ep-7F,
        -0x1.a6f3d4p-10F, -0x1.12cd3ap-9F, -0x1.7c73f4p-12F, -0x1.a67d4ap-16F,
    },
};

/// 2 / pi times 2^(e - 23), less a multiple of 4, for e from 20 to 127: in parts of 27
/// bits behind the point, 29 more, and 53 more.
inline constexpr double kTurns[108][3] = {
    {0x1.45f3060000000p-4, 0x1.b939104000000p-29, 0x1.4a7f09d5f47d5p-57},
    {0x1.45f3060000000p-3, 0x1.b939105000000p-28, 0x1.29fc2757d1f53p-58},
    {0x1.45f3068000000p-2, 0x1.727220a000000p-28, 0x1.29fc2757d1f53p-57},
    {0x1.45f306c000000p-1, 0x1.c9c882a000000p-29, 0x1.4fe13abe8fa9ap-59},
    {0x1.45f306c000000p+0, 0x1.c9c882a000000p-28, 0x1.4fe13abe8fa9ap-58},
    {0x1.45f306d000000p+1, 0x1.9391054000000p-28, 0x1.4fe13abe8fa9ap-57},
    {0x1.17cc1b6000000p+0, 0x1.27220a9000000p-28, 0x1.3f84eafa3ea6ap-58},
    {0x1.17cc1b7000000p+1, 0x1.3910548000000p-30, 0x1.3f84eafa3ea6ap-57},
    {0x1.7cc1b70000000p-2, 0x1.391054a000000p-29, 0x1.fc2757d1f534ep-59},
    {0x1.7cc1b70000000p-1, 0x1.391054a000000p-28, 0x1.fc2757d1f534ep-58},
    {0x1.7cc1b72000000p+0, 0x1.c882a50000000p-30, 0x1.fc2757d1f534ep-57},
    {0x1.7cc1b72000000p+1, 0x1.c882a52000000p-29, 0x1.f84eafa3ea69cp-57},
    {0x1.f306dc8000000p+0, 0x1.c882a53000000p-28, 0x1.f09d5f47d4d37p-57},
    {0x1.f306dc9000000p+1, 0x1.91054a7000000p-28, 0x1.e13abe8fa9a6fp-57},
    {0x1.e60db93000000p+1, 0x1.220a94f000000p-28, 0x1.c2757d1f534dep-57},
    {0x1.cc1b727000000p+1, 0x1.1054a7c000000p-30, 0x1.84eafa3ea69bcp-57},
    {0x1.9836e4e000000p+1, 0x1.1054a7e000000p-29, 0x1.09d5f47d4d377p-57},
    {0x1.306dc9c000000p+1, 0x1.1054a7f000000p-28, 0x1.3abe8fa9a6ee0p-61},
    {0x1.836e4e4000000p-1, 0x1.054a7f0000000p-31, 0x1.3abe8fa9a6ee0p-60},
    {0x1.836e4e4000000p+0, 0x1.054a7f0000000p-30, 0x1.3abe8fa9a6ee0p-59},
    {0x1.836e4e4000000p+1, 0x1.054a7f0000000p-29, 0x1.3abe8fa9a6ee0p-58},
    {0x1.06dc9c8000000p+1, 0x1.054a7f0000000p-28, 0x1.3abe8fa9a6ee0p-57},
    {0x1.b727220000000p-4, 0x1.529fc20000000p-33, 0x1.d5f47d4d37703p-59},
    {0x1.b727220000000p-3, 0x1.529fc20000000p-32, 0x1.d5f47d4d37703p-58},
    {0x1.b727220000000p-2, 0x1.529fc20000000p-31, 0x1.d5f47d4d37703p-57},
    {0x1.b727220000000p-1, 0x1.529fc24000000p-30, 0x1.abe8fa9a6ee07p-57},
    {0x1.b727220000000p+0, 0x1.529fc26000000p-29, 0x1.57d1f534ddc0ep-57},
    {0x1.b727220000000p+1, 0x1.529fc27000000p-28, 0x1.5f47d4d377037p-58},
    {0x1.6e4e441000000p+1, 0x1.4a7f09c000000p-29, 0x1.5f47d4d377037p-57},
    {0x1.b939104000000p+0, 0x1.4a7f09d000000p-28, 0x1.7d1f534ddc0dbp-58},
    {0x1.b939105000000p+1, 0x1.29fc274000000p-29, 0x1.7d1f534ddc0dbp-57},
    {0x1.727220a000000p+1, 0x1.29fc275000000p-28, 0x1.f47d4d377036ep-58},
    {0x1.c9c882a000000p+0, 0x1.4fe13a8000000p-30, 0x1.f47d4d377036ep-57},
    {0x1.c9c882a000000p+1, 0x1.4fe13aa000000p-29, 0x1.e8fa9a6ee06dbp-57},
    {0x1.9391054000000p+1, 0x1.4fe13ab000000p-28, 0x1.d1f534ddc0db6p-57},
    {0x1.27220a9000000p+1, 0x1.3f84eae000000p-29, 0x1.a3ea69bb81b6cp-57},
    {0x1.3910548000000p-1, 0x1.3f84eaf000000p-28, 0x1.47d4d377036d9p-57},
    {0x1.391054a000000p+0, 0x1.fc2757c000000p-30, 0x1.1f534ddc0db63p-58},
    {0x1.391054a000000p+1, 0x1.fc2757c000000p-29, 0x1.1f534ddc0db63p-57},
    {0x1.c882a50000000p-1, 0x1.fc2757d000000p-28, 0x1.f534ddc0db629p-60},
    {0x1.c882a52000000p+0, 0x1.f84eafa000000p-28, 0x1.f534ddc0db629p-59},
    {0x1.c882a53000000p+1, 0x1.f09d5f4000000p-28, 0x1.f534ddc0db629p-58},
    {0x1.91054a7000000p+1, 0x1.e13abe8000000p-28, 0x1.f534ddc0db629p-57},
    {0x1.220a94f000000p+1, 0x1.c2757d1000000p-28, 0x1.ea69bb81b6c53p-57},
    {0x1.1054a7c000000p-1, 0x1.84eafa3000000p-28, 0x1.d4d377036d8a5p-57},
    {0x1.1054a7e000000p+0, 0x1.09d5f47000000p-28, 0x1.a9a6ee06db14bp-57},
    {0x1.1054a7f000000p+1, 0x1.3abe8f0000000p-32, 0x1.534ddc0db6296p-57},
    {0x1.054a7f0000000p-2, 0x1.3abe8f8000000p-31, 0x1.4d377036d8a56p-58},
    {0x1.054a7f0000000p-1, 0x1.3abe8f8000000p-30, 0x1.4d377036d8a56p-57},
    {0x1.054a7f0000000p+0, 0x1.3abe8fa000000p-29, 0x1.34ddc0db6295ap-58},
    {0x1.054a7f0000000p+1, 0x1.3abe8fa000000p-28, 0x1.34ddc0db6295ap-57},
    {0x1.529fc20000000p-4, 0x1.d5f47d4000000p-30, 0x1.a6ee06db14acdp-59},
    {0x1.529fc20000000p-3, 0x1.d5f47d4000000p-29, 0x1.a6ee06db14acdp-58},
    {0x1.529fc20000000p-2, 0x1.d5f47d4000000p-28, 0x1.a6ee06db14acdp-57},
    {0x1.529fc24000000p-1, 0x1.abe8fa9000000p-28, 0x1.4ddc0db629599p-57},
    {0x1.529fc26000000p+0, 0x1.57d1f53000000p-28, 0x1.377036d8a5665p-58},
    {0x1.529fc27000000p+1, 0x1.5f47d4c000000p-29, 0x1.377036d8a5665p-57},
    {0x1.4a7f09c000000p+0, 0x1.5f47d4d000000p-28, 0x1.bb81b6c52b328p-59},
    {0x1.4a7f09d000000p+1, 0x1.7d1f534000000p-29, 0x1.bb81b6c52b328p-58},
    {0x1.29fc274000000p+0, 0x1.7d1f534000000p-28, 0x1.bb81b6c52b328p-57},
    {0x1.29fc275000000p+1, 0x1.f47d4d2000000p-29, 0x1.77036d8a5664fp-57},
    {0x1.4fe13a8000000p-1, 0x1.f47d4d3000000p-28, 0x1.dc0db6295993cp-58},
    {0x1.4fe13aa000000p+0, 0x1.e8fa9a6000000p-28, 0x1.dc0db6295993cp-57},
    {0x1.4fe13ab000000p+1, 0x1.d1f534d000000p-28, 0x1.b81b6c52b3279p-57},
    {0x1.3f84eae000000p+0, 0x1.a3ea69b000000p-28, 0x1.7036d8a5664f1p-57},
    {0x1.3f84eaf000000p+1, 0x1.47d4d37000000p-28, 0x1.c0db6295993c4p-58},
    {0x1.fc2757c000000p-1, 0x1.1f534dc000000p-29, 0x1.c0db6295993c4p-57},
    {0x1.fc2757c000000p+0, 0x1.1f534dd000000p-28, 0x1.81b6c52b32788p-57},
    {0x1.fc2757d000000p+1, 0x1.f534dd8000000p-31, 0x1.036d8a5664f11p-57},
    {0x1.f84eafa000000p+1, 0x1.f534ddc000000p-30, 0x1.b6c52b3278872p-63},
    {0x1.f09d5f4000000p+1, 0x1.f534ddc000000p-29, 0x1.b6c52b3278872p-62},
    {0x1.e13abe8000000p+1, 0x1.f534ddc000000p-28, 0x1.b6c52b3278872p-61},
    {0x1.c2757d1000000p+1, 0x1.ea69bb8000000p-28, 0x1.b6c52b3278872p-60},
    {0x1.84eafa3000000p+1, 0x1.d4d3770000000p-28, 0x1.b6c52b3278872p-59},
    {0x1.09d5f47000000p+1, 0x1.a9a6ee0000000p-28, 0x1.b6c52b3278872p-58},
    {0x1.3abe8f0000000p-3, 0x1.534ddc0000000p-28, 0x1.b6c52b3278872p-57},
    {0x1.3abe8f8000000p-2, 0x1.4d37702000000p-29, 0x1.6d8a5664f10e4p-57},
    {0x1.3abe8f8000000p-1, 0x1.4d37703000000p-28, 0x1.b6295993c4390p-58},
    {0x1.3abe8fa000000p+0, 0x1.34ddc0c000000p-29, 0x1.b6295993c4390p-57},
    {0x1.3abe8fa000000p+1, 0x1.34ddc0d000000p-28, 0x1.6c52b32788721p-57},
    {0x1.d5f47d4000000p-1, 0x1.a6ee06c000000p-30, 0x1.b14acc9e21c82p-58},
    {0x1.d5f47d4000000p+0, 0x1.a6ee06c000000p-29, 0x1.b14acc9e21c82p-57},
    {0x1.d5f47d4000000p+1, 0x1.a6ee06d000000p-28, 0x1.6295993c43904p-57},
    {0x1.abe8fa9000000p+1, 0x1.4ddc0db000000p-28, 0x1.8a5664f10e410p-58},
    {0x1.57d1f53000000p+1, 0x1.377036c000000p-29, 0x1.8a5664f10e410p-57},
    {0x1.5f47d4c000000p+0, 0x1.377036d000000p-28, 0x1.14acc9e21c821p-57},
    {0x1.5f47d4d000000p+1, 0x1.bb81b6c000000p-30, 0x1.4acc9e21c8210p-60},
    {0x1.7d1f534000000p+0, 0x1.bb81b6c000000p-29, 0x1.4acc9e21c8210p-59},
    {0x1.7d1f534000000p+1, 0x1.bb81b6c000000p-28, 0x1.4acc9e21c8210p-58},
    {0x1.f47d4d2000000p+0, 0x1.77036d8000000p-28, 0x1.4acc9e21c8210p-57},
    {0x1.f47d4d3000000p+1, 0x1.dc0db62000000p-29, 0x1.2b32788720840p-58},
    {0x1.e8fa9a6000000p+1, 0x1.dc0db62000000p-28, 0x1.2b32788720840p-57},
    {0x1.d1f534d000000p+1, 0x1.b81b6c5000000p-28, 0x1.5993c439041fep-59},
    {0x1.a3ea69b000000p+1, 0x1.7036d8a000000p-28, 0x1.5993c439041fep-58},
    {0x1.47d4d37000000p+1, 0x1.c0db628000000p-29, 0x1.5993c439041fep-57},
    {0x1.1f534dc000000p+0, 0x1.c0db629000000p-28, 0x1.664f10e4107f9p-58},
    {0x1.1f534dd000000p+1, 0x1.81b6c52000000p-28, 0x1.664f10e4107f9p-57},
    {0x1.f534dd8000000p-2, 0x1.036d8a5000000p-28, 0x1.993c439041fe5p-58},
    {0x1.f534ddc000000p-1, 0x1.b6c5280000000p-34, 0x1.993c439041fe5p-57},
    {0x1.f534ddc000000p+0, 0x1.b6c52a0000000p-33, 0x1.3278872083fcap-57},
    {0x1.f534ddc000000p+1, 0x1.b6c52b0000000p-32, 0x1.93c439041fe51p-59},
    {0x1.ea69bb8000000p+1, 0x1.b6c52b0000000p-31, 0x1.93c439041fe51p-58},
    {0x1.d4d3770000000p+1, 0x1.b6c52b0000000p-30, 0x1.93c439041fe51p-57},
    {0x1.a9a6ee0000000p+1, 0x1.b6c52b2000000p-29, 0x1.278872083fca3p-57},
    {0x1.534ddc0000000p+1, 0x1.b6c52b3000000p-28, 0x1.3c439041fe516p-59},
    {0x1.4d37702000000p+0, 0x1.6d8a566000000p-28, 0x1.3c439041fe516p-58},
    {0x1.4d37703000000p+1, 0x1.b629598000000p-29, 0x1.3c439041fe516p-57},
    {0x1.34ddc0c000000p+0, 0x1.b629599000000p-28, 0x1.e21c820ff28b2p-59},
};

}  // namespace solway::codegen::detail
