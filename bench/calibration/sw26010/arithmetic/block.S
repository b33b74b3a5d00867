# void block_by_hand(const double *left, const double *right, double *product, int steps)
#
# 16 rows and 4 columns of a product, as block() of cpe.c, in an order that leaves no cycle without a
# multiply-add. Vectors of the left factor are in $1 to $4, spread numbers of the right one in $7 to
# $10; each is loaded anew after its last use and at least the load's latency before its next one.
# It reads one step more than it multiplies.
.globl block_by_hand
block_by_hand:
  vfmov $31,$0
  vfmov $31,$5
  vfmov $31,$6
  vfmov $31,$11
  vfmov $31,$12
  vfmov $31,$13
  vfmov $31,$14
  vfmov $31,$15
  vfmov $31,$20
  vfmov $31,$21
  vfmov $31,$22
  vfmov $31,$23
  vfmov $31,$24
  vfmov $31,$25
  vfmov $31,$26
  vfmov $31,$27
  vldd $1,0($16)
  vldd $2,32($16)
  vldd $3,64($16)
  ldde $7,0($17)
  ldde $8,8($17)
  ldde $9,16($17)
.step:
  vmad $1,$7,$0,$0
  vldd $4,96($16)
  vmad $2,$7,$5,$5
  ldde $10,24($17)
  vmad $3,$7,$6,$6
  addl $16,128,$16
  vmad $1,$8,$12,$12
  addl $17,32,$17
  vmad $4,$7,$11,$11
  ldde $7,0($17)
  vmad $2,$8,$13,$13
  subw $19,1,$19
  vmad $3,$8,$14,$14
  vmad $4,$8,$15,$15
  ldde $8,8($17)
  vmad $1,$9,$20,$20
  vmad $2,$9,$21,$21
  vmad $3,$9,$22,$22
  vmad $4,$9,$23,$23
  ldde $9,16($17)
  vmad $1,$10,$24,$24
  vldd $1,0($16)
  vmad $2,$10,$25,$25
  vldd $2,32($16)
  vmad $3,$10,$26,$26
  vldd $3,64($16)
  vmad $4,$10,$27,$27
  bgt $19,.step
  vstd $0,0($18)
  vstd $5,32($18)
  vstd $6,64($18)
  vstd $11,96($18)
  vstd $12,128($18)
  vstd $13,160($18)
  vstd $14,192($18)
  vstd $15,224($18)
  vstd $20,256($18)
  vstd $21,288($18)
  vstd $22,320($18)
  vstd $23,352($18)
  vstd $24,384($18)
  vstd $25,416($18)
  vstd $26,448($18)
  vstd $27,480($18)
  ret $31,($26),1
