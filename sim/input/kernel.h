/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coefficients of the cost model (doc/cost-model.md) of one kernel: for a processor, a precision and a memory type under a runtime. */
#ifndef HS_KERNEL_H
#define HS_KERNEL_H

#include "input/soc.h"

enum { HS_KNOTS_MAX = 24, HS_CORE_TYPES_MAX = 8, HS_CORE_NAME_MAX = 60 };

/* Kinds of cycles whose number is another on another type of core, each by a factor of its own. A core may multiply matrices with instructions that another
 * hasn't, or that it has in more of its pipelines, and do everything else hardly faster. */
enum hs_core_work {
  HS_WORK_PRODUCTS, /* of matrices: convolutions that are neither grouped nor depthwise, Gemm, MatMul; at the peak rate */
  HS_WORK_VECTORS,  /* what else is computed at a part of that: grouped and depthwise convolutions, light operators */
  HS_WORK_OTHERS,   /* what the kernel counts in cycles: overhead, bytes that are moved, an operator's own, forks, starts */
  HS_CORE_WORK_N
};
extern const char *const hs_core_work_names[HS_CORE_WORK_N + 1];

#define HS_CORE_FACTOR_MIN 0.05
#define HS_CORE_FACTOR_MAX 20.0

/* How many times as many cycles cores of a type take as the kernel's numbers and the core's macs_per_cycle say. */
struct hs_core_factors {
  const char *type; /* words of a core_type; NULL: none */
  double times[HS_CORE_WORK_N];
};

/* Winograd's minimal filtering F(tile × tile, 3 × 3) for 3×3 convolutions of stride 1 (Lavin and Gray, CVPR 2016). */
struct hs_winograd {
  int tile, small_tile; /* of outputs; 0: the kernel has no Winograd */
  int above;            /* `tile` where the input is higher and wider than this, else `small_tile` */
  int channels;         /* input and output channels from which on it is used; below, the convolution is direct */
  double transform_half; /* multiply-adds that transforming one element costs */
  int tiles_per_pass;   /* instead of `above`: a thread computes so many at a time, and has the largest of tile, tile - 2, … small_tile of which each
                         * thread has as many; 0: all at once */
};

/* Channels that stand together in vectors: which kernel a convolution has follows from how many (model/packing.h). */
struct hs_channel_packing {
  int lanes;            /* of a vector, 4 or 8; 0: all convolutions are alike */
  double factor_5x5;    /* work of the library's own 5×5 kernels, against that of its own for other windows */
};

/* Depthwise convolutions that a library has a kernel of its own for. What isn't so takes other_factor times the work. One of these three says their windows,
 * the others are 0; all are where all are alike. */
struct hs_depthwise_path {
  int kernel;           /* the side, not dilated */
  int taps, or_taps;    /* how many elements they have, on whichever sides, dilated or not: as many as either */
  int max_taps;         /* likewise: no more than that */
  int channel_multiple; /* as many channels in as out, in multiples of this; 0: whatever they are */
  int max_stride;       /* both ways the same; 0: any */
  int max_pad;          /* before the first row and column, both ways the same, and no more than that behind the last; -1: any */
  double other_factor;  /* 1 where all are alike */
};

/* Work items of a convolution's group, as the library sets it: blocks of channels (and behind the last the next columns) of one row, by rows. What
 * they read decides, by one of two forms (doc/cost-model.md): they share it in a cache of their own, or they are a wave whose loads wait for cache lines. */
struct hs_work_group {
  int blocks, rows;                        /* 0: not counted */
  double lines_per_cycle, bytes_per_cycle; /* of the whole GPU: lines that loads touch, bytes that they hand to work items; 0: the first form */
};

/* TensorFlow Lite's delegate on an Adreno, where convolutions are launched as it does (model/launch.h). Of two numbers the first ([0], _1x1) is of 1×1
 * convolutions that neither skip, dilate nor pad, and of products; the second of all others. */
struct hs_kernel_launch {
  int units;                   /* compute units of the GPU that was measured, for SoCs that say none (hs_domain); 0: no such launch */
  int resident[2];             /* waves of 64 work items that a unit holds at a time, if these compute most */
  /* of a work item, in units of what one read of weights takes */
  double pixel_reads;          /* a pixel that it reads, four channels */
  double loop_reads_1x1;       /* a step of its loop besides what it reads */
  double loop_reads;           /* the same in others */
  double store_reads;          /* four channels that it writes */
  double slice_reads;          /* a read of weights takes 1 + slice_reads · ln(slices that a wave works on) */
  /* in units of what a unit takes for as many waves as it holds, once these no longer start in step */
  double wait[2], fill[2];     /* each of the first two rounds takes wait + fill · (share of what is held that there is) */
  double small_wait;           /* the least that all waves take where items compute less than most, which has no such rounds */
  double constant_efficiency;  /* of convolutions whose weights are constants */
};

/* The same delegate on a Mali of Bifrost's third generation or of Valhall (model/launch.h, hs_launch_mali). */
struct hs_kernel_mali {
  int cores;                    /* of the GPU that was measured, for SoCs that say none; 0: no such launch */
  int warp;                     /* work items that run in step: 8 on Mali-G76, 16 on Valhall */
  int window_outputs;           /* the most that an item computes of convolutions other than pixel by pixel ones: 4 on Bifrost, 8 on Valhall */
  int items;                    /* that a core needs to be busy */
  double pixel_reads;           /* what reading a pixel takes, in reads of weights; so much does multiplying one by the other */
  double wait[2];               /* the least that a core's items take, of what `items` take: [0] of pixel by pixel convolutions and products, [1] of others */
  double later;                 /* what items beyond twice as many take, of what those before take */
  /* of a core: weights that its groups read again, what they write, and what Winograd transforms, before and after its products */
  double weight_cycles_per_byte, store_cycles_per_byte, transform_cycles_per_byte;
};

/* PyTorch's shaders in Vulkan, which are loops over texels (model/shader.h). */
struct hs_kernel_shaders {
  double access_cycles; /* of a wave: a texel that its items read or write outside of their loop; 0: no such kernel */
  double read_cycles;   /* a step of a loop takes at least so long for each texel that an item reads in it: it waits for them */
  double first_waves;   /* and as long as its waves and these one after the other */
  double copy_cycles;   /* of each image that is copied into another, besides its texels */
  double strided_window_factor; /* what a wave computes in a step of a depthwise convolution or pool that skips pixels takes so many times as long */
};

struct hs_kernel {
  const char *processor; /* name in the SoC; NULL where a kernel of an "any" profile is for a kind */
  enum hs_kind kind;     /* of an "any" profile */
  enum hs_precision precision;
  int memory_type;       /* enum hs_memory_type, or -1: all */
  /* of an "any" profile, types of core, NULL behind them: those that it is for alone, none: all; and those that it is a sibling's for */
  const char *for_cores[HS_CORE_TYPES_MAX], *sibling_cores[HS_CORE_TYPES_MAX];
  struct hs_core_factors core_factors[HS_CORE_TYPES_MAX]; /* of a CPU, none behind the last; a core of no such type has 1 */
  double overhead_cycles; /* of an operator, however small, on the thread that calls */
  double fork_cycles;    /* of an operator whose loop has threads, for each doubling of these, beside its overhead */
  int channel_multiple;
  bool dense_depthwise;  /* depthwise convolutions run as dense ones, their filters padded with zeros */
  double split_output_cycles; /* of a Split for each tensor that it makes, beside its overhead */
  struct hs_channel_packing packing;
  struct hs_depthwise_path depthwise_fast_path;
  int matrix_block;     /* rows and columns that a matrix product of convolutions computes at a time; 1: any number */
  int rows_per_pass;    /* rows of a Gemm that one pass over its weights serves, read again from the DRAM where they are larger than the SoC's cache; 0: once */
  double gemm_factor;   /* work of a Gemm or MatMul of several rows without cycles of its own, ÷ that of the 1×1 convolution that it is taken for */
  int norm_block;       /* channels that a BatchNormalization with cycles of its own computes at a time; 0: any number */
  double block_map_bytes; /* cache of a core for which blocks of such a product are chosen, which threads take (model/blocks.h); 0: equal shares */
  /* Per element of the output, of an ArgMax per element that it reads, of a MatMul per MAC, of a DetectionPostProcess per elementary operation, instead
   * of work and bytes; 0: those. No other operator with MACs. */
  double operator_cycles[HS_OP_N];
  double reduction_half; /* products summed up to an output at which half of the rate is reached */
  double columns_half;   /* pixels (tiles) at which half of the rate is reached: what every weight costs once per kernel */
  int direct_block;      /* output channels that a thread takes at a time in a direct convolution; 0: no such step */
  int width_block[HS_CLASS_N]; /* output columns of one work item, 1 or more */
  int wave;              /* work items that run at once; 0: no such step */
  struct hs_work_group group;
  struct hs_winograd winograd;
  struct hs_kernel_launch launch;
  struct hs_kernel_mali mali;
  struct hs_kernel_shaders shaders;
  double strided_depthwise_factor; /* work of depthwise convolutions that skip pixels, ÷ that of others; 1 where it has shaders */
  double group_of_one_factor;      /* work of a grouped convolution with one channel to a group, ÷ what the rate of grouped ones makes of its MACs */
  double serial_frac;            /* of convolutions and matrix products, */
  double serial_grouped_frac;    /* of grouped convolutions, */
  double serial_light_frac;      /* and of what computes little: pool, elementwise, reduce, move */
  double serial_depthwise_frac;  /* of depthwise convolutions */
  double serial_window_frac;     /* of gathering windows */
  double reduction_half_grouped; /* of grouped convolutions */
  double move_cycles_per_byte, window_cycles_per_byte;
  double pack_cycles_per_byte;       /* of the columns of a convolution's matrix, windows gathered or not, beside move_cycles_per_byte */
  double weight_cycles_per_byte;     /* of its weights, on any number of threads; of one pixel it has these alone, shared. 0: none, and work as others */
  double reread_cycles_per_byte;     /* of weights that exceed the SoC's last cache, for each rows_per_pass rows or pixels but the first; ÷ threads² */
  double layout_cycles_per_byte;     /* of a convolution's result, which the calling thread brings into the layout that the network has */
  /* Of what a convolution reads and of its result, per element, where threads turn it from the network's layout into the library's and back: each, where a
   * pass over it doesn't stay in the cache of a core (turn_cache_lines of 64 bytes in turn_cache_ways), and where it doesn't in the SoC's last one either. */
  double turn_cycles, turn_miss_cycles, turn_far_cycles;
  int turn_cache_lines, turn_cache_ways;
  double flat_mean_cycles;           /* of a mean that leaves no image, per element that it reads, instead of work and bytes; 0: those */
  double light_move_cycles_per_byte; /* move_cycles_per_byte of pool, elementwise, reduce and move */
  double move_half_pixels;       /* where data that is moved reaches half the rate; 0: bandwidth alone decides */
  bool fuses_light;        /* element-wise operators and padding, into the kernels beside them */
  double start_cycles;           /* of an invocation */
  double spin_s;                 /* of a CPU: as in struct hs_runtime, where its measurements are of another version; -1: the runtime's */
  double traffic_factor;         /* of input and output, DRAM bytes ÷ what exceeds local_bytes; of weights it says nothing */
  double efficiency[HS_CLASS_N]; /* part of the peak rate; 1 where hs_kernel_counts_lines(): it has none */
  double refetch[HS_CLASS_N]; /* elements per MAC that blocks of the kernel read again, from the last-level cache or the DRAM; 0 where not said */
  int n_knots;
  double knot_ln[HS_KNOTS_MAX], knot_frac[HS_KNOTS_MAX]; /* the curve `saturation`: part of the rate over ln of what runs in parallel; no knots: all of it */
  struct hs_jitter jitter;
  int fit_n;             /* measurements behind it; 0: none */
  double fit_mape_frac;  /* on those */
  const char *fit_note;
};

/* Is a convolution of this class as long as its loads wait for cache lines? Then it has no efficiency. */
bool hs_kernel_counts_lines(const struct hs_kernel *k, enum hs_op_class class);

/* What a class runs at: its efficiency, or else the kernel's lines_per_cycle. */
const double *hs_kernel_rate(const struct hs_kernel *k, enum hs_op_class class);

#endif
