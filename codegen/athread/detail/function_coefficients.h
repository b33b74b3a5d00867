#pragma once

// Written by tools/fit_float_math.py. Lowest power first. The error is the largest on
// the range before operations are rounded: of erf beyond 1 absolute, of the others
// relative to the function.

namespace solway::codegen {

// clang-format off

/// exp(x / 256) by x for |x| <= 104.5; error 3.4e-12.
inline constexpr double kExpPart[] = {
    0.9999999999987874,
    0.0039062499997240333,
    7.629394534728974e-06,
    9.934107807615161e-09,
    9.701275301790722e-12,
    7.579006998281433e-15,
    4.9345224165856476e-18,
    2.7677812407384292e-21,
    1.3389064436700771e-24,
};

/// erf(x) / x - 1 by x^2 for |x| <= 1; error 1.2e-09.
inline constexpr double kErfSmall[] = {
    0.12837916571462324,
    -0.3761262579125909,
    0.11283584889753463,
    -0.026853803186688303,
    0.00518831326897033,
    -0.0008010079343874061,
    7.853512373302574e-05,
};

/// log(1 - erf(x)) for x in [1, 4]; error 1.0e-09.
inline constexpr double kErfLarge[] = {
    -0.0003537197627269139,
    -1.1270400349203884,
    -0.6382256791308707,
    -0.10303736702320057,
    0.021805317432817044,
    -0.002939607059391963,
    0.00018557398280911593,
};

/// (tanh(x) - x) / x^3 by x^2 for |x| <= 9/16; error 1.3e-09.
inline constexpr double kTanhSmall[] = {
    -0.3333331388849456,
    0.13332452283070462,
    -0.053837431190821405,
    0.021007462570967205,
    -0.006179814534851877,
};

/// (exp(x) - 1 - x) / x^2 for |x| <= 1/2; error 9.7e-11.
inline constexpr double kExpm1Small[] = {
    0.5000000001961638,
    0.16666667448933664,
    0.04166666026218986,
    0.0083331422598928,
    0.0013889305174485357,
    0.00019973583359652862,
    2.479083165192081e-05,
};

/// log(1 + f) / f for 1 + f in [sqrt(1/2), sqrt(2)]; error 6.4e-10.
inline constexpr double kLogPart[] = {
    1.0000000006313694,
    -0.49999999668216205,
    0.33333301598710424,
    -0.2500002698362623,
    0.2000257645467487,
    -0.16667916673261635,
    0.14212524287591966,
    -0.12401000607492076,
    0.1192612072960223,
    -0.117186501644922,
    0.06725859113015432,
};

}  // namespace solway::codegen
