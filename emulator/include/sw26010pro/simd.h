/* Vector types and operations of SW26010-Pro, as the emulator provides them. */
#ifndef SOLWAY_SW26010PRO_SIMD_H
#define SOLWAY_SW26010PRO_SIMD_H

#include "sw26010/solway/simd_256.h"
#include "solway/simd_512.h"

#endif
