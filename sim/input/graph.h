/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workload: a DAG of operators over tensors, with everything that follows from its attributes inferred: shapes,
 * MACs, parameters, cost class. A graph is immutable once read; passes build new ones. It knows nothing of processors
 * except the per-operator overrides of the support tables that the model file makes.
 *
 * Source of the conventions: shapes NHWC; one MAC = one multiply-accumulate; a transposed convolution counts
 * H_in·W_in·k_h·k_w·C_in·C_out; elementary operations of the other operators are counted in op_work.c. */
#ifndef HS_GRAPH_H
#define HS_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

enum hs_op_type {
#define HS_OPERATOR(id, name, n_inputs, shape, work, class) HS_OP_##id,
#include "input/op_list.def"
#undef HS_OPERATOR
  HS_OP_N
};

/* Classes that the cost model tells apart; names in files are those of hs_op_class_names[]. */
enum hs_op_class {
  HS_CLASS_CONV_1X1,
  HS_CLASS_CONV_3X3,
  HS_CLASS_CONV_3X3_STRIDED,
  HS_CLASS_CONV_OTHER,
  HS_CLASS_DEPTHWISE,
  HS_CLASS_GROUPED,
  HS_CLASS_TRANSPOSED,
  HS_CLASS_MATMUL,
  HS_CLASS_POOL,
  HS_CLASS_ELEMENTWISE,
  HS_CLASS_REDUCE,
  HS_CLASS_MOVE,
  HS_CLASS_N
};
extern const char *const hs_op_class_names[HS_CLASS_N + 1]; /* NULL-terminated */

/* Kinds of processors, in the order of support masks and overrides. */
enum hs_kind { HS_CPU, HS_GPU, HS_DSP, HS_NPU, HS_KIND_N };
extern const char *const hs_kind_names[HS_KIND_N + 1];

/* A driver hands it whole graphs, which it runs an invocation at a time; a CPU or GPU gets operator after operator. */
static inline bool hs_kind_is_remote(enum hs_kind kind) { return kind == HS_DSP || kind == HS_NPU; }

/* HS_GROUPS_MAX: of a convolution that isn't depthwise. */
enum { HS_RANK_MAX = 6, HS_OPS_MAX = 10000, HS_INPUTS_MAX = 64, HS_GROUPS_MAX = 1024 };

/* Elements of a tensor, and parameters of an operator: more are a mistake in the file, and products in shape.c would leave 64 bits. */
#define HS_ELEMENTS_MAX ((int64_t)1 << 36)

struct hs_shape {
  int rank;
  int64_t dim[HS_RANK_MAX]; /* all > 0 */
};

enum hs_pad_mode { HS_PAD_VALID, HS_PAD_SAME, HS_PAD_EXPLICIT };

/* Attributes as in doc/formats.md. Which ones matter depends on the operator; the rest hold their defaults. */
struct hs_attributes {
  int64_t channels, kernel[2], stride[2], dilation[2], group, multiplier, block_size;
  int64_t rows;             /* Gather */
  int64_t detections;       /* DetectionPostProcess */
  enum hs_pad_mode pad_mode;
  int64_t pad[4]; /* top, left, bottom, right; but for ConvTranspose resolved for every mode */
  bool bias, ceil, keepdims, reflect;
  int axis;                 /* >= 0 once shapes are inferred, of operators that have one */
  int n_axes, axes[HS_RANK_MAX];
  int n_sizes;              /* 0: equal */
  int64_t sizes[HS_INPUTS_MAX];             /* Split */
  int64_t begin[HS_RANK_MAX], size[HS_RANK_MAX], strides[HS_RANK_MAX]; /* Slice; Reshape: size */
  int n_size;
  int64_t pads[HS_RANK_MAX][2];
  int perm[HS_RANK_MAX], n_perm;
  double scale[2];          /* Resize; 0 when `size` is given */
};

struct hs_tensor {
  const char *name;
  struct hs_shape shape;
  int producer;      /* operator, -1 for a graph input */
  int n_consumers;   /* how often operators read it */
  bool is_output;    /* of the graph */
  int64_t kept;      /* elements of the same tensor that stay from the frame before, because this one's operators read them (hs_pass_reuse()) */
};

struct hs_operator {
  const char *name;
  enum hs_op_type type;
  enum hs_op_class class;
  struct hs_attributes at;
  int n_inputs, n_outputs;
  int *inputs, *outputs;        /* tensors; a convolution's second input is the other operand of an Add that is fused to it */
  int block;                    /* label > 0, or 0 */
  signed char override[HS_KIND_N]; /* 1 / 0: the model file says (un)supported; -1: it doesn't say */
  int64_t params;               /* weights and biases, fused operators included */
  double macs;                  /* 0 for operators without multiply-accumulates */
  double work;                  /* MACs, or elementary operations where macs is 0; fused operators add none: what they work on is in registers */
  int n_fused;                  /* operators that a pass joined to this one, in order: activations, an Add, a Mul with their own input */
  enum hs_op_type fused[4];
};

struct hs_graph {
  struct hs_arena arena; /* owns everything below */
  const char *name, *title, *source;
  char sha256[65];       /* of the file */
  int n_tensors, n_ops, n_inputs, n_outputs;
  struct hs_tensor *tensors;
  struct hs_operator *ops; /* in execution order */
  int *inputs, *outputs;   /* tensors */
};

/* Reads a workload file. *g is owned by the caller. */
enum hs_status hs_graph_read(const char *file, struct hs_graph **g, struct hs_error *err);
enum hs_status hs_graph_parse(const char *file, const char *text, size_t len, struct hs_graph **g, struct hs_error *err);
void hs_graph_free(struct hs_graph *g);

const char *hs_op_name(enum hs_op_type type);
/* -1 if there's no such operator. */
int hs_op_find(const char *name);
/* Attributes of one of which nothing else is said, by the reader and by passes. */
struct hs_attributes hs_op_defaults(enum hs_op_type type);
/* Name of the operator that may be meant by one that there isn't; NULL: none is near. */
const char *hs_op_nearest(const char *name);
/* Does an operator of this kind multiply and accumulate? */
bool hs_op_has_macs(enum hs_op_type type);
/* Is it a convolution: dense, grouped, depthwise or transposed? */
static inline bool hs_op_is_conv(enum hs_op_type type) { return type == HS_OP_CONV || type == HS_OP_DEPTHWISE_CONV || type == HS_OP_CONV_TRANSPOSE; }
/* Is it a convolution that is neither grouped, depthwise nor transposed? A library may do it as one product of two matrices, a row per output channel and
 * a column per output pixel. */
static inline bool hs_class_is_dense_conv(enum hs_op_class class)
{
  return class == HS_CLASS_CONV_1X1 || class == HS_CLASS_CONV_3X3 || class == HS_CLASS_CONV_3X3_STRIDED || class == HS_CLASS_CONV_OTHER;
}
static inline bool hs_op_is_mean(enum hs_op_type type) { return type == HS_OP_GLOBAL_AVERAGE_POOL || type == HS_OP_REDUCE_MEAN; }
/* Does a kernel of h x w with strides and pads move over its input: a convolution or a pooling? */
static inline bool hs_op_has_window(enum hs_op_type type) { return hs_op_is_conv(type) || type == HS_OP_MAX_POOL || type == HS_OP_AVERAGE_POOL; }
/* Has its result the shape of its input, or what its two inputs broadcast to? */
bool hs_op_keeps_shape(enum hs_op_type type);
/* How many inputs it takes: -1 is one or more. */
int hs_op_arity(enum hs_op_type type);

/* These two are here, as costs ask little else of a tensor. */
static inline int64_t hs_shape_elements(const struct hs_shape *s)
{
  int64_t n = 1;
  for (int i = 0; i < s->rank; i++) n *= s->dim[i];
  return n;
}
static inline int64_t hs_shape_channels(const struct hs_shape *s) { return s->dim[s->rank - 1]; } /* last dimension */
bool hs_shape_equal(const struct hs_shape *a, const struct hs_shape *b);
/* "1x224x224x3" */
const char *hs_shape_text(const struct hs_shape *s, char *buf, size_t size);

/* Does an operator from number `from` on read the tensor? */
bool hs_graph_read_from(const struct hs_graph *g, int tensor, int from);
double hs_graph_macs(const struct hs_graph *g);
int64_t hs_graph_params(const struct hs_graph *g);
/* Does an element-wise operator have a tensor as its input i that an earlier one is already? It is read once; the second may stand for a constant, too
 * (doc/formats.md). */
bool hs_op_reads_again(const struct hs_operator *op, int i);
/* Does nobody but this operator read a tensor, and isn't it a result? */
bool hs_op_reads_alone(const struct hs_graph *g, const struct hs_operator *op, int tensor);
/* Elements of the tensors that an operator reads (fused operands included; what it reads again isn't) and writes. */
int64_t hs_op_input_elements(const struct hs_graph *g, const struct hs_operator *op);
int64_t hs_op_output_elements(const struct hs_graph *g, const struct hs_operator *op);
/* Parameters that it reads: all, but of a table only the rows that are looked up. */
double hs_op_params_read(const struct hs_graph *g, const struct hs_operator *op);
/* Depth of the reduction per output element: C_in/group · k_h · k_w for convolutions, features for Gemm, else 1. */
int64_t hs_op_reduction_depth(const struct hs_graph *g, const struct hs_operator *op);

/* Infers output shapes (into g->tensors), class, params, macs and work of an operator whose inputs and attributes are set.
 * On failure `why` holds the rule that is broken. Used by the reader and by passes. */
bool hs_op_infer(struct hs_graph *g, struct hs_operator *op, char *why, size_t size);

#endif
