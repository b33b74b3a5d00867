/* void ROUND(const double *a, const double *b, double *c, int rows, int columns, int steps)
 *
 * Adds to c the products of one round: `rows` times four rows, `columns` times sixteen columns. What
 * FETCH_A and FETCH_B fetch is a number of a in every lane, and four numbers of b; the including file
 * says whether they are loaded and sent, or received. `steps` is at least 2.
 *
 * A step multiplies four vectors of b, $1 to $4, with four numbers of a, $22 to $25, in 16 cycles:
 * every register is fetched anew after its last use, and four cycles or more before its next one.
 * The first six fetches of a step are made in the step before. */
.globl ROUND
ROUND:
  ldi $sp,-96($sp)
  stl $26,0($sp)
  stl $9,8($sp)
  stl $10,16($sp)
  stl $11,24($sp)
  stl $12,32($sp)
  stl $13,40($sp)
  stl $14,48($sp)
  stl $15,56($sp)
  stw $21,64($sp)            # steps
  stw $20,72($sp)            # columns
  stl $17,80($sp)            # b
  sll $21,5,$0
  stl $0,88($sp)             # bytes of four rows of a
  mov $19,$0
.rows:
  ldl $17,80($sp)
  ldw $20,72($sp)
.columns:
  ldw $19,64($sp)
  FETCH_B($1,0)
  FETCH_B($2,32)
  FETCH_B($3,64)
  FETCH_A($22,0)
  FETCH_A($23,8)
  FETCH_A($24,16)
  subw $19,1,$19
  vldd $5,0($18)
  vldd $6,32($18)
  vldd $7,64($18)
  vldd $9,128($18)
  vldd $8,96($18)
  vldd $10,160($18)
  vldd $11,192($18)
  vldd $12,224($18)
  vldd $13,256($18)
  vldd $14,288($18)
  vldd $15,320($18)
  vldd $26,352($18)
  vldd $27,384($18)
  vldd $28,416($18)
  vldd $29,448($18)
  vldd $21,480($18)
.step:
  vmad $1,$22,$5,$5
  FETCH_B($4,96)
  vmad $2,$22,$6,$6
  FETCH_A($25,24)
  vmad $3,$22,$7,$7
  ldi $17,128($17)
  vmad $1,$23,$9,$9
  ldi $16,32($16)
  vmad $4,$22,$8,$8
  FETCH_A($22,0)
  vmad $2,$23,$10,$10
  subw $19,1,$19
  vmad $3,$23,$11,$11
  vmad $4,$23,$12,$12
  FETCH_A($23,8)
  vmad $1,$24,$13,$13
  vmad $2,$24,$14,$14
  vmad $3,$24,$15,$15
  vmad $4,$24,$26,$26
  FETCH_A($24,16)
  vmad $1,$25,$27,$27
  FETCH_B($1,0)
  vmad $2,$25,$28,$28
  FETCH_B($2,32)
  vmad $3,$25,$29,$29
  FETCH_B($3,64)
  vmad $4,$25,$21,$21
  bgt $19,.step
  # the last step, and each sum stored once it is there
  FETCH_B($4,96)
  FETCH_A($25,24)
  ldi $17,128($17)
  ldi $16,32($16)
  vmad $1,$22,$5,$5
  vmad $2,$22,$6,$6
  vmad $3,$22,$7,$7
  vmad $1,$23,$9,$9
  vmad $4,$22,$8,$8
  vmad $2,$23,$10,$10
  vmad $3,$23,$11,$11
  vmad $4,$23,$12,$12
  vstd $5,0($18)
  vmad $1,$24,$13,$13
  vstd $6,32($18)
  vmad $2,$24,$14,$14
  vstd $7,64($18)
  vmad $3,$24,$15,$15
  vstd $9,128($18)
  vmad $4,$24,$26,$26
  vstd $8,96($18)
  vmad $1,$25,$27,$27
  vstd $10,160($18)
  vmad $2,$25,$28,$28
  vstd $11,192($18)
  vmad $3,$25,$29,$29
  vstd $12,224($18)
  vmad $4,$25,$21,$21
  vstd $13,256($18)
  vstd $14,288($18)
  vstd $15,320($18)
  vstd $26,352($18)
  vstd $27,384($18)
  vstd $28,416($18)
  vstd $29,448($18)
  vstd $21,480($18)
  ldl $21,88($sp)
  ldi $18,512($18)
  subw $20,1,$20
  subl $16,$21,$16
  bgt $20,.columns
  addl $16,$21,$16
  subw $0,1,$0
  bgt $0,.rows
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
