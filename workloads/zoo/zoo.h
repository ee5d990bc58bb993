/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builder of network descriptions: the functions that append one operator
 * each, the records they fill, and the list of networks.
 *
 * Knows the operators and shapes of the workload format (doc/formats.md) and
 * nothing of cost: MACs, parameters and bytes are the simulator's business.
 */
#ifndef ZOO_H
#define ZOO_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Contract:
 * - A tensor is a handle (int) that the function which made it returned.
 * - Operators are kept in the order of the calls; every call appends one. So
 *   no two of them are arguments of one call: C leaves open which comes first,
 *   and compilers differ.
 * - The name given to a function is local: the scope is put in front of it.
 * - Shapes are NHWC, batch 1; a list of tokens is a matrix [tokens, channels].
 * - Breaking a capacity below, reusing a name or passing a handle that was
 *   never returned is a programming error and asserted.
 */
enum {
	ZOO_NAME_MAX = 64,
	ZOO_RANK_MAX = 6,
	ZOO_OPERANDS_MAX = 38,
	ZOO_ATTRS_MAX = 8,
	ZOO_VALUES_MAX = 38,
	ZOO_OPS_MAX = 2048,
	ZOO_TENSORS_MAX = 2304
};

struct zoo_tensor {
	char name[ZOO_NAME_MAX];
	int rank;
	int dim[ZOO_RANK_MAX];
};

enum zoo_attr_kind {
	ZOO_ATTR_INT,     /* 3 */
	ZOO_ATTR_INTS,    /* [3, 3] */
	ZOO_ATTR_PAIRS,   /* [[0, 0], [3, 3]] */
	ZOO_ATTR_BOOL,    /* true */
	ZOO_ATTR_TEXT,    /* "same" */
	ZOO_ATTR_TENSORS  /* ["a", "b"] */
};

struct zoo_attr {
	const char *key;
	enum zoo_attr_kind kind;
	const char *text;
	int n_values;
	int value[ZOO_VALUES_MAX];
};

struct zoo_op {
	const char *kind; /* "Conv" */
	char name[ZOO_NAME_MAX];
	int n_inputs;
	int input[ZOO_OPERANDS_MAX];
	int n_attrs;
	struct zoo_attr attr[ZOO_ATTRS_MAX];
	int block;
};

struct zoo {
	int n_tensors, n_ops, n_inputs, n_outputs;
	struct zoo_tensor tensor[ZOO_TENSORS_MAX];
	struct zoo_op op[ZOO_OPS_MAX];
	int input[ZOO_OPERANDS_MAX];
	int output[2 * ZOO_OPERANDS_MAX];
	char scope[ZOO_NAME_MAX];
	int block;
};

/* ZOO_CENTRED puts kernel / 2 on every side (PyTorch, Caffe, darknet); it
 * differs from ZOO_SAME (TensorFlow) only where the stride is above 1.
 * ZOO_BORDER puts 1 on every side, whatever the kernel, ZOO_BORDER_2 2. */
enum zoo_pad { ZOO_VALID, ZOO_SAME, ZOO_CENTRED, ZOO_BORDER, ZOO_BORDER_2 };

struct zoo_window {
	int kernel_h, kernel_w, stride;
	enum zoo_pad pad;
};

struct zoo_window zoo_square(int kernel, int stride, enum zoo_pad pad);
struct zoo_window zoo_pointwise(void);

/* NULL if memory is short; the caller frees it with zoo_free(). */
struct zoo *zoo_new(void);
void zoo_free(struct zoo *z);

/* Begin the next block and drop the scope. Call it before the first operator. */
void zoo_block(struct zoo *z);
/* Set the prefix of names until the next zoo_scope() or zoo_block(). */
void zoo_scope(struct zoo *z, const char *format, ...)
#ifdef __GNUC__
	__attribute__((format(printf, 2, 3)))
#endif
	;

int zoo_input(struct zoo *z, const char *name, int height, int width, int channels);
/* An input that is no image: a number per token, a mask. */
int zoo_numbers(struct zoo *z, const char *name, int rank, const int *dim);
void zoo_output(struct zoo *z, int x);
/* Size of a tensor of rank 4. */
int zoo_height(const struct zoo *z, int x);
int zoo_width(const struct zoo *z, int x);
int zoo_channels(const struct zoo *z, int x);
/* Size of dimension i, of any tensor. */
int zoo_dim(const struct zoo *z, int x, int i);

int zoo_conv(struct zoo *z, const char *name, int x, int channels, struct zoo_window w);
int zoo_conv_grouped(struct zoo *z, const char *name, int x, int channels, struct zoo_window w, int group);
int zoo_conv_no_bias(struct zoo *z, const char *name, int x, int channels, struct zoo_window w);
int zoo_depthwise(struct zoo *z, const char *name, int x, struct zoo_window w);
int zoo_depthwise_no_bias(struct zoo *z, const char *name, int x, struct zoo_window w);
/* So many results of each channel. */
int zoo_depthwise_multiplied(struct zoo *z, const char *name, int x, struct zoo_window w, int multiplier);
/* Stride 1, padded to the same size. */
int zoo_depthwise_dilated(struct zoo *z, const char *name, int x, int kernel, int dilation);
/* Always without a bias and padded so that the output is stride times the input. */
int zoo_conv_transpose(struct zoo *z, const char *name, int x, int channels, int kernel, int stride);
/* Over all but dimension 0: [1, channels], or [tokens, channels] of a list of tokens. */
int zoo_fc(struct zoo *z, const char *name, int x, int channels);
int zoo_fc_no_bias(struct zoo *z, const char *name, int x, int channels);
/* An operator of two inputs of which one is a constant, which has no tensor. */
int zoo_with_constant(struct zoo *z, const char *kind, const char *name, int x);
/* A row, of `channels`, of a table of `rows` for each number of x. */
int zoo_gather(struct zoo *z, const char *name, int x, int rows, int channels);
/* Of the channels the largest one's number: [..., channels] becomes [...]. */
int zoo_arg_max(struct zoo *z, const char *name, int x);
/* The best n of lists [1, boxes, 4] and [1, boxes, classes]: [1, n, 6]. */
int zoo_detections(struct zoo *z, const char *name, int boxes, int scores, int n);
/* [..., m, k] by [..., k, n]. */
int zoo_matmul(struct zoo *z, const char *name, int a, int b);

int zoo_max_pool(struct zoo *z, const char *name, int x, struct zoo_window w);
int zoo_max_pool_ceil(struct zoo *z, const char *name, int x, int kernel, int stride);
int zoo_avg_pool(struct zoo *z, const char *name, int x, struct zoo_window w);
/* Means of n by n parts, which are equal, and overlap where the size isn't a multiple of n: PyTorch's and Paddle's adaptive pooling, whose
 * parts differ by one where even such ones don't fit. */
int zoo_avg_pool_parts(struct zoo *z, const char *name, int x, int n);
int zoo_global_pool(struct zoo *z, const char *name, int x);
/* Mean over height and width: global pooling as TensorFlow's reduce_mean. */
int zoo_mean(struct zoo *z, const char *name, int x);
/* Means of a list's tokens, and of the images of [1, channels, height, width], as a vector. */
int zoo_mean_of_rows(struct zoo *z, const char *name, int x);
int zoo_mean_of_planes(struct zoo *z, const char *name, int x);
/* kind: ReduceMean, ReduceMax or ReduceSum; over one dimension, which becomes 1. */
int zoo_reduce(struct zoo *z, const char *kind, const char *name, int x, int axis);

/* kind: an operator with one input and one output of the same shape, or with
 * two inputs, of which one is repeated where its size is 1. The functions in
 * _after take no local name: it is that of x or a, and the suffix. */
int zoo_unary(struct zoo *z, const char *kind, const char *name, int x);
int zoo_unary_after(struct zoo *z, const char *kind, const char *suffix, int x);
int zoo_binary(struct zoo *z, const char *kind, const char *name, int a, int b);
int zoo_binary_after(struct zoo *z, const char *kind, const char *suffix, int a, int b);

/* Joins the channels. */
int zoo_concat(struct zoo *z, const char *name, int n, const int *x);
/* Joins lists [1, length, channels] of equal channels, one behind the other. */
int zoo_concat_lists(struct zoo *z, const char *name, int n, const int *x);
/* Joins tensors that differ in dimension `axis` only, one behind the other. */
int zoo_concat_axis(struct zoo *z, const char *name, int n, const int *x, int axis);
/* Cuts the channels into n equal parts. */
void zoo_split(struct zoo *z, const char *name, int x, int n, int *part);
/* Cuts dimension `axis` of any tensor into n parts of these sizes. */
void zoo_split_sizes(struct zoo *z, const char *name, int x, int axis, int n, const int *size, int *part);
/* Zeros around height and width; so many before them and behind; and behind the channels. */
int zoo_zero_pad(struct zoo *z, const char *name, int x, int border);
int zoo_zero_pad_by(struct zoo *z, const char *name, int x, int before, int behind);
int zoo_zero_pad_channels(struct zoo *z, const char *name, int x, int n);
/* The zeros that the window would add with ZOO_SAME, so that it reads them with ZOO_VALID. */
int zoo_zero_pad_same(struct zoo *z, const char *name, int x, int kernel, int stride);
/* n rows in front of a list of tokens, or behind it. */
int zoo_rows_in_front(struct zoo *z, const char *name, int x, int n);
int zoo_rows_behind(struct zoo *z, const char *name, int x, int n);
/* `size` of dimension `axis` from `begin` on, all of the others. */
int zoo_slice(struct zoo *z, const char *name, int x, int axis, int begin, int size);
/* The first rows and columns. */
int zoo_crop(struct zoo *z, const char *name, int x, int height, int width);
/* All but the first row and column, with zeros behind the last: of the same size, in two operators. */
int zoo_shift(struct zoo *z, const char *name, int x);
/* Every second row and column, the first ones being row and column. */
int zoo_slice_every_second(struct zoo *z, const char *name, int x, int row, int column);
int zoo_reshape(struct zoo *z, const char *name, int x, int rank, const int *dim);
int zoo_transpose(struct zoo *z, const char *name, int x, const int *perm);
int zoo_resize_nearest(struct zoo *z, const char *name, int x, int scale);
int zoo_resize_nearest_to(struct zoo *z, const char *name, int x, int height, int width);
int zoo_resize_bilinear_to(struct zoo *z, const char *name, int x, int height, int width);
int zoo_space_to_depth(struct zoo *z, const char *name, int x, int block_size);

/* A network: name is also the file's name, source cites architecture and count. */
struct zoo_network {
	const char *name;
	const char *title;
	const char *source;
	void (*build)(struct zoo *z);
};

/* One list per family file; the entry after the last has a NULL name. */
extern const struct zoo_network zoo_vgg_networks[];
extern const struct zoo_network zoo_resnet_networks[];
extern const struct zoo_network zoo_inception_networks[];
extern const struct zoo_network zoo_mobile_networks[];
extern const struct zoo_network zoo_efficientnet_networks[];
extern const struct zoo_network zoo_edgetpu_networks[];
extern const struct zoo_network zoo_edgetpu_seg_networks[];
extern const struct zoo_network zoo_universal_networks[];
extern const struct zoo_network zoo_resnet_tf2cv_networks[];
extern const struct zoo_network zoo_dense_networks[];
extern const struct zoo_network zoo_hrnet_networks[];
extern const struct zoo_network zoo_dla_networks[];
extern const struct zoo_network zoo_darknet_networks[];
extern const struct zoo_network zoo_inception_tf2cv_networks[];
extern const struct zoo_network zoo_mobile_tf2cv_networks[];
extern const struct zoo_network zoo_paddle_networks[];
extern const struct zoo_network zoo_nas_networks[];
extern const struct zoo_network zoo_ncnn_networks[];
extern const struct zoo_network zoo_mixnet_networks[];
extern const struct zoo_network zoo_regnet_networks[];
extern const struct zoo_network zoo_hardnet_networks[];
extern const struct zoo_network zoo_nasnet_networks[];
extern const struct zoo_network zoo_detect_networks[];
extern const struct zoo_network zoo_yolov5_networks[];
extern const struct zoo_network zoo_nanodet_networks[];
extern const struct zoo_network zoo_esnet_networks[];
extern const struct zoo_network zoo_picodet_networks[];
extern const struct zoo_network zoo_rtmpose_networks[];
extern const struct zoo_network zoo_ssd_networks[];
extern const struct zoo_network zoo_ssd_caffe_networks[];
extern const struct zoo_network zoo_detect_paddle_networks[];
extern const struct zoo_network zoo_segment_networks[];
extern const struct zoo_network zoo_humanseg_networks[];
extern const struct zoo_network zoo_mobileseg_networks[];
extern const struct zoo_network zoo_efficientdet_networks[];
extern const struct zoo_network zoo_style_networks[];
extern const struct zoo_network zoo_vit_networks[];
extern const struct zoo_network zoo_pyramid_networks[];
extern const struct zoo_network zoo_hybrid_networks[];
extern const struct zoo_network zoo_vit_torch_networks[];
extern const struct zoo_network zoo_swinv2_networks[];
extern const struct zoo_network zoo_mobilevitv2_networks[];
extern const struct zoo_network zoo_mixer_networks[];
extern const struct zoo_network zoo_torch_attention_networks[];
extern const struct zoo_network zoo_bert_networks[];

/* Prints z as JSON, one operator per line. Errors are left on the stream. */
void zoo_write(const struct zoo *z, const struct zoo_network *network, FILE *file);

#endif
