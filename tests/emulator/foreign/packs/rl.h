#ifndef RL_H
#define RL_H
typedef struct {
  int src, dst, idx, pad;
  double a, b;
} Pack; /* 32 bytes */
typedef void (*op_fun)(double*, const Pack*);
typedef struct {
  double* edge;
  double* vertex;
  int n;
  void* operator_fun;
  int which;
} Arg;
#endif
