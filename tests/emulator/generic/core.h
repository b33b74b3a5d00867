#include "parameters.h"
#include <scratchpad.h>

#define BLOCK 64

/* A loop without end, which is reported with its line, where the condition does not hold. */
#define REQUIRE(condition) while (!(condition))
