/* Vector types and operations of SW26010, as the emulator provides them. */
#ifndef SOLWAY_SW26010_SIMD_H
#define SOLWAY_SW26010_SIMD_H

#include "solway/register_messages.h"
#include "solway/simd_256.h"

#endif
