/* void add_blocks(const float* image, const float* weights, const int* steps, float* sums,
 *                 int blocks)
 *
 * Adds to `blocks` blocks of sums, 7 neighbouring pixels of 8 channels each, what all taps give.
 * A tap is 8 weights, side by side, and 7 numbers of the image, STRIDE apart. `steps` has the
 * bytes of the image from each tap to the next, 0 behind the last one.
 *
 * A tap takes 14 cycles: 14 vmas, and beside each of them one instruction of the other pipe. A
 * register is loaded anew right after its last use, 4 cycles or more before its next one. */
/* Bytes from a pixel to those behind it. */
#define NEXT_1 STRIDE+STRIDE+STRIDE+STRIDE
#define NEXT_2 NEXT_1+NEXT_1
#define NEXT_3 NEXT_2+NEXT_1
#define NEXT_4 NEXT_2+NEXT_2
#define NEXT_5 NEXT_3+NEXT_2
#define NEXT_6 NEXT_3+NEXT_3
#define NEXT_7 NEXT_4+NEXT_3

#define IMAGE $16
#define WEIGHTS $17
#define STEPS $18
#define SUMS $19
#define STEP $20

/* Sums of the channels 0 to 3, and 4 to 7. */
#define A0 $0
#define A1 $1
#define A2 $2
#define A3 $3
#define A4 $4
#define A5 $5
#define A6 $6
#define B0 $7
#define B1 $8
#define B2 $9
#define B3 $10
#define B4 $11
#define B5 $12
#define B6 $13

#define LOW $14
#define HIGH $15
#define P0 $21
#define P1 $22
#define P2 $23
#define P3 $24
#define P4 $25
#define P5 $26
#define P6 $27

.globl add_blocks
add_blocks:
  ldi $sp,-96($sp)
  stl $26,0($sp)
  stl $9,8($sp)
  stl $10,16($sp)
  stl $11,24($sp)
  stl $12,32($sp)
  stl $13,40($sp)
  stl $14,48($sp)
  stl $15,56($sp)
  stl $16,64($sp)            # image
  stl $17,72($sp)            # weights
  stl $18,80($sp)            # steps
  mov $20,$28                # blocks
.block:
  ldse P0,0(IMAGE)
  vlds LOW,0(WEIGHTS)
  ldse P1,NEXT_1(IMAGE)
  ldw STEP,0(STEPS)
  vlds A0,0(SUMS)
  vlds A1,32(SUMS)
  vlds A2,64(SUMS)
  vlds A3,96(SUMS)
  ldse P2,NEXT_2(IMAGE)
  ldse P3,NEXT_3(IMAGE)
  vlds B0,16(SUMS)
  vlds B1,48(SUMS)
  vlds B2,80(SUMS)
  vlds B3,112(SUMS)
  vlds A4,128(SUMS)
  vlds A5,160(SUMS)
  vlds A6,192(SUMS)
  vlds B4,144(SUMS)
  vlds B5,176(SUMS)
  vlds B6,208(SUMS)
  ldi STEPS,4(STEPS)
  beq STEP,.last
.tap:
  vmas P0,LOW,A0,A0
  vlds HIGH,16(WEIGHTS)
  vmas P1,LOW,A1,A1
  ldse P4,NEXT_4(IMAGE)
  vmas P2,LOW,A2,A2
  ldse P5,NEXT_5(IMAGE)
  vmas P3,LOW,A3,A3
  ldse P6,NEXT_6(IMAGE)
  vmas P0,HIGH,B0,B0
  addl IMAGE,STEP,IMAGE
  vmas P1,HIGH,B1,B1
  ldse P0,0(IMAGE)
  vmas P2,HIGH,B2,B2
  ldse P1,NEXT_1(IMAGE)
  vmas P3,HIGH,B3,B3
  ldse P2,NEXT_2(IMAGE)
  vmas P4,LOW,A4,A4
  ldse P3,NEXT_3(IMAGE)
  vmas P5,LOW,A5,A5
  ldw STEP,0(STEPS)
  vmas P6,LOW,A6,A6
  vlds LOW,32(WEIGHTS)
  vmas P4,HIGH,B4,B4
  ldi WEIGHTS,32(WEIGHTS)
  vmas P5,HIGH,B5,B5
  ldi STEPS,4(STEPS)
  vmas P6,HIGH,B6,B6
  bne STEP,.tap
.last:                       # the last tap, and each sum stored once it is there
  vmas P0,LOW,A0,A0
  vlds HIGH,16(WEIGHTS)
  vmas P1,LOW,A1,A1
  ldse P4,NEXT_4(IMAGE)
  vmas P2,LOW,A2,A2
  ldse P5,NEXT_5(IMAGE)
  vmas P3,LOW,A3,A3
  ldse P6,NEXT_6(IMAGE)
  vmas P0,HIGH,B0,B0
  ldl IMAGE,64($sp)
  vmas P1,HIGH,B1,B1
  ldl WEIGHTS,72($sp)
  vmas P2,HIGH,B2,B2
  ldl STEPS,80($sp)
  vmas P3,HIGH,B3,B3
  vsts A0,0(SUMS)
  vmas P4,LOW,A4,A4
  vsts A1,32(SUMS)
  vmas P5,LOW,A5,A5
  vsts A2,64(SUMS)
  vmas P6,LOW,A6,A6
  vsts A3,96(SUMS)
  vmas P4,HIGH,B4,B4
  vsts B0,16(SUMS)
  vmas P5,HIGH,B5,B5
  vsts B1,48(SUMS)
  vmas P6,HIGH,B6,B6
  vsts B2,80(SUMS)
  ldi IMAGE,NEXT_7(IMAGE)
  vsts B3,112(SUMS)
  stl IMAGE,64($sp)
  vsts A4,128(SUMS)
  vsts A5,160(SUMS)
  vsts A6,192(SUMS)
  vsts B4,144(SUMS)
  subw $28,1,$28
  vsts B5,176(SUMS)
  vsts B6,208(SUMS)
  ldi SUMS,224(SUMS)
  bgt $28,.block
  ldl $26,0($sp)
  ldl $9,8($sp)
  ldl $10,16($sp)
  ldl $11,24($sp)
  ldl $12,32($sp)
  ldl $13,40($sp)
  ldl $14,48($sp)
  ldl $15,56($sp)
  ldi $sp,96($sp)
  ret $31,($26),1
