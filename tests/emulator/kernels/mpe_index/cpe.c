#include "slave.h"

void work(void) {}
