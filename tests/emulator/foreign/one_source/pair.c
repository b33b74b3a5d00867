/* One file for both sides, with a header of macros: sums over all CPEs by register messages. */
#ifdef __sw_host__
#define MPE
#else
#define CPE
#endif
#include "sunway.h"
#define NATOM 4096
#define MAX_PE 64
typedef struct atom_in_t { double x[3]; int type; int padding; } atom_in_t;
typedef struct compute_param_t { atom_in_t *atom_in; double (*f)[3]; double *eng; int nlocal; double cutsq; } compute_param_t;
#ifdef MPE
#include <athread.h>
#include <stdio.h>
extern SLAVE_FUN(pair_compute_para)(void*);
void entry(const double *x, double *f, double *eng) {
  static atom_in_t atoms[NATOM];
  int i;
  for (i = 0; i < NATOM; i ++) {
    atoms[i].x[0] = x[3*i]; atoms[i].x[1] = x[3*i+1]; atoms[i].x[2] = x[3*i+2]; atoms[i].type = i & 1;
  }
  compute_param_t pm;
  pm.atom_in = atoms; pm.f = (double(*)[3])f; pm.eng = eng; pm.nlocal = NATOM; pm.cutsq = 1.0;
  if (athread_idle() == 0) athread_init();
  athread_spawn(pair_compute_para, &pm);
  athread_join();
}
#endif
#ifdef CPE
#define ISTEP 32
typedef union { doublev4 v; double s[4]; } eng_t;
void pair_compute_para(compute_param_t *pm) {
  pe_init();
  compute_param_t l_pm;
  pe_get(pm, &l_pm, sizeof(compute_param_t));
  pe_syn();
  atom_in_t ai[ISTEP]; double fi[ISTEP][3];
  eng_t eng; eng.v = 0.0;
  int ist, i, j;
  for (ist = _MYID * ISTEP; ist < l_pm.nlocal; ist += ISTEP * 64) {
    int ied = ist + ISTEP; if (ied > l_pm.nlocal) ied = l_pm.nlocal;
    int isz = ied - ist;
    pe_get(l_pm.atom_in + ist, ai, sizeof(atom_in_t) * isz);  // cause 1
#if FAULT != 1
    pe_syn();
#endif
    for (i = 0; i < isz; i ++) {
      double rsq = 0;
      for (j = 0; j < 3; j ++) {
        fi[i][j] = -2 * ai[i].x[j];  // where 1
        rsq += ai[i].x[j]*ai[i].x[j];
      }
      if (ai[i].type == 0) { eng.s[0] += rsq; eng.s[1] += 1; }
      else if (rsq < l_pm.cutsq) { eng.s[2] += rsq; eng.s[3] += 1; }
    }
    pe_put(l_pm.f[ist], fi[0], sizeof(double) * 3 * isz);
    pe_syn();
  }
  reg_allreduce_inplace_doublev4(&eng.v, 1);
#if FAULT == 2
  if (_COL == 0) {
#else
  if (_MYID == 0) {
#endif
    pe_put(l_pm.eng, eng.s, sizeof(double)*4);  // where 2
    pe_syn();
  }
}
#endif
