/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost model: work of one operator, or of one part of it, on one processor. Work, not time: cycles per core and DRAM
 * bytes, so that the engine can stretch it when frequency or bandwidth change under way.
 *
 *   time     = max(cycles / f of the slowest core, bytes / bandwidth)
 *   cycles   = overhead + serial · alone + (1 - serial) / threads · own, on every core used
 *   threads  = those it has; of dense convolutions, where the kernel has block_map_bytes, 1 / the largest share that a thread gets (model/blocks.h)
 *   own      = work / rate + element size · (move · (input + weights + output) + window · output pixels · depth)
 *   rate     = macs_per_cycle(precision) · efficiency(class) · saturation(ln N·H·W·C↑) · depth / (depth + reduction_half)
 *   work     = MACs, with channels padded to the kernel's multiple, the width to its block of columns, and work items to whole waves
 *              (elementary operations for operators without MACs); depthwise convolutions that the kernel runs as dense ones: times
 *              their padded input channels; channels and pixels of convolutions that are matrix products to whole matrix_blocks, those of a MatMul
 *              matrix by matrix;
 *              those that miss depthwise_fast_path: times its other_factor, and those that skip pixels: times strided_depthwise_factor;
 *              those of which a work group reads more than it would with more channels: times that;
 *              and columns_half / columns times as much once more, but for the waves: what reading weights costs
 *   columns  = N·H·W, or tiles under Winograd (depthwise: no such factor)
 *   tiles    = N · ⌈H/t⌉ · ⌈W/t⌉
 *   items    = N·H · ⌈W / width_block(class)⌉ · ⌈C / channel_multiple⌉: what a GPU's convolution consists of
 *   reads    = blocks + rows · width_block(class) · items / blocks, against items + rows · width_block(class), where a group has `items`
 *              work items of a row, by `rows` rows, and the convolution blocks = ⌈C / channel_multiple⌉ of channels, fewer than items
 *   loads    = channel_multiple · max(weights / lines_per_cycle, least) + width_block(class) · max(pixels / lines_per_cycle, least), in cycles
 *   weights  = min(items, blocks), pixels = rows · (1 + (items - gcd(items, blocks)) / blocks): cache lines that one load of a group touches
 *   least    = items · rows · channel_multiple · element size / bytes_per_cycle
 *   bytes    = (traffic_factor · (input + weights + output) + refetch(class) · MACs) · element size, without input and output where these
 *              fit into the accelerator's local_bytes together; a Gemm's weights once more for each rows_per_pass rows behind the first, where
 *              they are larger than the SoC's llc_bytes, where it has any
 *
 * Where a kernel's work_group has lines_per_cycle, convolutions that are neither grouped, depthwise nor transposed have no efficiency: their loads
 * decide, not what is multiplied. `own` is work · loads / MACs then, with the channel_multiple² · width_block(class) · items · rows MACs that a group
 * does with what it has loaded, and work without `reads`. So it is with MACE's convolutions from buffers on an Adreno, which has no cache before the
 * one that all of it shares (conv_2d_buffer.cl, conv_2d_1x1_buffer.cl: neighbours along a row have neighbouring blocks of channels, behind the last
 * the next columns). A load that a group's items do together takes as long as the cache lines that it touches, which are as far apart as two blocks'
 * weights or two pixels, and no less than handing out its bytes does at the rate of a coalesced stream. With 16 blocks or more that is 8 loads for
 * 64 MACs per item of a 3×3, most of the time of which are weights; with one block each item's pixel is a line of its own, 3.1 times as long; and a 1×1
 * with blocks of 2 columns, not 4, has 0.6 of the rate. Rows and columns that don't fill a group count as if they did in part.
 *
 * Where a kernel has a `launch`, convolutions that are neither depthwise nor transposed, and products of several rows, are launched as TensorFlow
 * Lite's delegate does on an Adreno (model/launch.h), since how many outputs a work item computes decides how much it reads for each. `work` is then
 *   units · 64 · held · (rounds + last_round · last) · (steps · (pixels · pixel_reads + weights · (1 + slice_reads · ln(slices)) + loop) + outputs · store_reads)
 *     · 128 / (4 · pixel_reads + 8 + loop), where loop is loop_reads_1x1 of 1×1 convolutions, loop_reads of others,
 * instead, without depth / (depth + reduction_half) but for grouped ones, and without `saturation`. Waves of 64 items run on the unit that has most of them in
 * rounds of as many as it holds, and a round takes as long however few there are: they wait for what they read. What an item reads decides how long, and
 * weights take longer the more slices a wave works on. An efficiency is that of items that compute most, 128 MACs a step. Those whose weights are constants
 * have their padded MACs at constant_efficiency, and `saturation` over ln of the work items, one per pixel; of others it is over N·H·W·C↑ / 4.
 *
 * Where a kernel has `shaders`, operators run as PyTorch's Vulkan launches them (model/shader.h): waves of 64 items, each of which loops over `steps`. Then
 *   own = steps · max(read_cycles · reads, wave · (waves + first_waves)) + waves · accesses · access_cycles + copy_cycles · images that are copied
 *   wave = 64 · operations of an item in a step / rate, the rate being macs_per_cycle · efficiency of the shader's class
 * A loop waits for the texels of a step; where there are enough waves for others to compute meanwhile, these decide. Depthwise convolutions and pools that skip
 * pixels have strided_depthwise_factor on `wave`. An activation that a runtime joins to anything but a convolution is a shader of its own: overhead and accesses.
 * What moves data copies each operand and has one access to read and one to write; a Split is a Slice for each of its parts.
 *
 * An activation that a runtime computes in a convolution's loop (dense_fused in hs_runtime) has its instructions as MACs of each output at the peak, of which efficiency and
 * saturation say nothing; in int8 at fp32's, as it is computed in floats. Other activations that are joined to a convolution cost nothing.
 *
 * A convolution's result takes layout_cycles_per_byte more on the thread that calls, where that makes room for it in a layout of the library's own and one of the network's.
 * Where it has turn_cycles, what it reads (NCHW) is turned into NHWC and its result back, each element in as many cycles: by one thread, or by all from 32768 elements on.
 * The innermost loop writes side by side and reads as many places as there are channels (pixels, of the result), H·W (C) elements apart; the next one reads the
 * elements beside these, which are in the same lines. Lines that a cache of turn_cache_lines doesn't hold until then, by the sets that this stride reaches, take
 * turn_miss_cycles more for each element, and more than the SoC's last cache holds turn_far_cycles more. One pixel is alike in both layouts.
 * Where the runtime's threads steal (hs_runtime), own isn't shared out equally: each core takes more of it as it gets free, and all end at once, at whatever
 * frequencies (hs_work.stolen). Beside rivals on a living phone they take from who hasn't its core (engine/stealing.h).
 *
 * An operator that operator_cycles names has that many cycles per element of its output, instead of work and bytes, and a mean over an image
 * whose result is read as a row of features (Reshape, Gemm, or the end) flat_mean_cycles per element that it reads, where the kernel has such. A MatMul
 * has them per MAC, whatever the precision, but no fewer than the core's peak in fp32 asks for: PyTorch multiplies two activations by another library, in
 * floats. A BatchNormalization has them for channels padded to norm_block, where the kernel has one. Where the runtime has least_matrices, threads take whole matrices of it, so that the one with most decides, and with fewer than these the
 * thread that calls has all; where it has shares_functions, what computes an exponential or error function of each element (Gelu, Sigmoid, Softmax …) has no
 * serial part. Both are handed out in equal parts: nothing is stolen.
 *
 * A Split has split_output_cycles more of overhead for each tensor that it makes, and what several threads share fork_cycles for each doubling of them, but
 * for what only moves data: one thread copies.
 *
 * A grouped convolution that the runtime writes out on this processor (model/groups.h) has the work of a Split, of a convolution for each group,
 * one after the other, and of a Concat.
 *
 * own is what the whole operator takes on this core, alone what it takes on the fastest core of the set: the thread that calls runs
 * there, and the others wait as long as it takes (in their own cycles, at the highest frequencies). serial is one of five: of
 * convolutions and matrix products, of grouped ones, of depthwise ones, of all light classes (pool, elementwise, reduce, move), and of
 * gathering windows, whatever the rest of that convolution does. What is serial altogether takes one core only. move and window are cycles
 * per byte in which data is packed or gathered through caches before and after it is multiplied; light classes have a move of their own, and
 * what a concatenation or a lookup (Gather) copies counts once. Of the weights of a lookup those are read that it copies, in bytes as well. pack_cycles_per_byte come to move for the columns of a convolution's matrix, N·H·W · depth elements,
 * whether or not windows were gathered for them (neither depthwise, grouped nor transposed), weight_cycles_per_byte for the weights of such a convolution. Where
 * a kernel has these, a convolution of one pixel is a matrix times one column: no work, since waiting for its weights decides, and threads by its MACs.
 * Windows are those of convolutions above 1×1, neither depthwise nor grouped. The first operator of
 * an invocation has start_cycles more (hs_cost_start()): what that costs however much it computes. A DSP or NPU, to which a driver hands whole graphs,
 * is invoked as often as lowering says (plan/emit.c); a CPU or GPU once in a program (why: doc/design.md).
 *
 * Where a kernel has move_half_pixels, what moves data takes the elements that it makes as work, a thread per pixel: the rate is times
 * pixels / (pixels + move_half_pixels). Where it fuses_light, an element-wise operator that is the only reader of an operand
 * is compiled into the kernel that computes this, and padding that one window operator reads into that: no overhead, and of the
 * traffic only the other operands', which must be there by then. That operand is the first, but of a sum or product of equal images the one that is
 * computed last. A Reshape to the same image, a row of features being one pixel, is none then.
 *
 * A 3×3 convolution of stride 1 that the kernel does by Winograd with tiles of t outputs has, instead of its MACs,
 *   tiles · (t + 2)² · C_in · C · (1 + transform_half / C_in + transform_half / C)
 * at the efficiency of conv_3x3, which is that of the matrix product (after CoDL's model of MACE, MobiSys 2022: pad, transform, product,
 * transform). One with too few channels is direct and runs at the efficiency of conv_other. What is direct hands blocks of
 * `direct_block` output channels to the threads: C is padded to direct_block · threads.
 *
 * More work of the same kind takes no less time, but by steps of a framework's own; doc/design.md says which these are, and where the form falls short of it. So
 * saturation is linear between knots, but no lower than that of a larger operator times by how much smaller this one is. With channels
 * padded to slices of a launched convolution, its depth is that of whole slices. Under Winograd no depth is below 3 · sqrt(reduction_half · transform_half), as
 * transforms aren't slower for few channels; of one row of each matrix, which several take no less than, saturation is that row's.
 *
 * The overhead is part of the work (not added to the roofline), because a kernel's start-up is executed by the same
 * cores at the same clock; see doc/design.md. On a GPU it is its host that executes most of it: the GPU's own part is at most what its
 * smallest operators take (23 µs on Mali-G76, 13 µs on Adreno 640; sources "launch" in socs/), and 185 µs per operator were fitted to Kirin 970.
 * So a GPU draws no dynamic power in these cycles, nor in start_cycles. What a Split's results cost isn't told apart: no mechanism is known. */
#ifndef HS_COST_H
#define HS_COST_H

#include "model/range.h"
#include "model/work.h"

/* Work of `range` of op on processor p, which must support it. */
void hs_cost_exec(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p,
                  struct hs_range range, struct hs_work *out);

/* The same, with a border. */
void hs_cost_exec_bordered(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, struct hs_range range,
                           struct hs_border border, struct hs_work *out);

/* Adds what an invocation costs: to the first work of each on a DSP or NPU, of a program on a CPU or GPU. */
void hs_cost_start(const struct hs_system *sys, int p, struct hs_work *w);

/* That by itself, at a level or (-1) as the system is set. */
double hs_cost_start_seconds(const struct hs_system *sys, int p, int opp);

/* hs_cost_exec() and hs_work_seconds() of the whole operator: what a policy asks most often. */
double hs_cost_seconds(const struct hs_system *sys, const struct hs_graph *g, const struct hs_operator *op, int p, int opp);

#endif
