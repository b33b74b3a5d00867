/* Loops of additions, two in a cycle. K1 has 1 KB of code, less what a loop needs to go round. */
#define PAIR addl $1,1,$1; addl $2,1,$2;
#define PAIRS_4 PAIR PAIR PAIR PAIR
#define PAIRS_16 PAIRS_4 PAIRS_4 PAIRS_4 PAIRS_4
#define K1 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16
#define K4 K1 K1 K1 K1
#define K8 K4 K4
#define K16 K8 K8
#define K32 K16 K16
/* A loop of less than a round number: its own two instructions, and where its lines begin. */
#define K_LESS PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_16 PAIRS_4 PAIRS_4
#define K3_LESS K1 K1 K1

#define LOOP loop_8k
#define CODE K4 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_16k
#define CODE K8 K4 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_20k
#define CODE K16 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_24k
#define CODE K16 K4 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_32k
#define CODE K16 K8 K4 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_64k
#define CODE K32 K16 K8 K4 K3_LESS K_LESS
#include "loop.inc"
#define LOOP loop_96k
#define CODE K32 K32 K16 K8 K4 K3_LESS K_LESS
#include "loop.inc"
