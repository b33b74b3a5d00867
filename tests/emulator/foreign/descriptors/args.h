#ifndef ARGS_H_
#define ARGS_H_
#define ROWS 256
#define COLS 256
typedef struct ScalePara_st {
  double *in, *out;
  int rows, cols;
  double f;
} ScalePara;
#endif
