/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input/runtime.h"

#include <string.h>

/* What TensorFlow Lite has whichever kernels run on the CPU; what XNNPACK doesn't take, its own do. Of these a convolution with groups, however many, is the
 * reference's (v2.10, kernels/conv.cc, EvalFloat, EvalQuantizedPerChannel), and one of XNNPACK's, which have none, takes a Pad before it into itself
 * (src/subgraph.c, xnn_subgraph_fusion). Of the GPU: winograd_4x4_to_36, NewMakeFullyConnectedFromConvolution, ResolveGroupedConvolution
 * (delegates/gpu/common/model_builder.cc); Winograd by size, on what is no Adreno or AMD (IsRecommendedForWinograd4x4To6x6(),
 * common/selectors/operation_selector.cc @96aa596; on an Adreno 32 slices and 128 tiles, but its kernels have a launch instead); one partition unless an app
 * asks for more (TfLiteGpuDelegateOptionsV2Default()). The tables are those of what takes the network to DSP and NPU, with as many partitions: Hexagon's
 * delegate takes four (kMaxHexagonGraphs; that it leaves one of a single operator isn't modelled), NNAPI's three (StatefulNnApiDelegate::Options).
 * On the CPU a matrix times one column has a kernel of its own in floats (kernels/cpu_backend_gemm_custom_gemv.h), whose threads are as many as its size is
 * worth (kernels/internal/optimized/optimized_ops.h, LegacyHowManyThreads()). On the GPU a work item goes through all channels of a pixel that it joins or
 * splits (delegates/gpu/common/tasks: concat_z.cc, split.cc); reshape.cc and reshapex4.cc have one for each slice. */
#define TENSORFLOW_LITE(own_kernels, dsp_table, dsp_partitions, npu_table) \
  .default_threads = 4, \
  .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "tflite-cpu"}, .n_precisions = 2, .precisions = {HS_FP32, HS_INT8}, \
                           .plain_groups = own_kernels, .column_macs = own_kernels ? 65536 : 0, \
                           .sums_windows = own_kernels /* TransposeConvV2(): Gemm, Col2im */, \
                           .pads_inside = own_kernels ? HS_PADS_WRITTEN : HS_PADS_OF_CONVOLUTIONS}, \
               [HS_GPU] = {.present = true, .table = {[HS_BUFFER] = "tflite-gpu", [HS_IMAGE] = "tflite-gpu"}, .n_precisions = 1, \
                           .precisions = {HS_FP16}, .dense_pixel = true, .group_slice = 4, .joins_by_pixel = true, .winograd_tile = 4, \
                           .winograd_from = {.slices = 16, .tiles = 32}, .partitions = 1}, \
               [HS_DSP] = {.present = true, .table = {[HS_BUFFER] = dsp_table}, .n_precisions = 1, .precisions = {HS_INT8}, .partitions = dsp_partitions}, \
               [HS_NPU] = {.present = true, .table = {[HS_BUFFER] = npu_table}, .n_precisions = 2, .precisions = {HS_INT8, HS_FP16}, .partitions = 3}}, \
  .n_fused = 2, \
  .fused = {HS_OP_RELU, HS_OP_RELU6}, \
  .n_hosts = 10, \
  .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_GEMM, HS_OP_ADD, HS_OP_SUB, HS_OP_MUL, HS_OP_DIV, HS_OP_BATCH_NORMALIZATION, HS_OP_MAX_POOL, \
            HS_OP_AVERAGE_POOL}

enum { EVERY_GROUP = 1 << 20 }; /* no slice of so many channels is whole, so that all groups are written out */

const struct hs_runtime hs_runtimes[] = {
  {
    .name = "mace",
    .title = "MACE, as forked for CoDL: fp32 on CPU, fp32 on the GPU in OpenCL buffers or images",
    .source = "XiaoMi/mace@0fc55a5, csu-eis/CoDL@0a0c89d",
    .default_threads = 4,
    .spin_s = 2e-3, /* kThreadPoolSpinWaitTime of its thread pool */
    .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "mace-cpu"}, .n_precisions = 1, .precisions = {HS_FP32}, .winograd_tile = 6},
                 [HS_GPU] = {.present = true, .table = {[HS_BUFFER] = "codl-gpu-buffer", [HS_IMAGE] = "codl-gpu-image"},
                             .n_precisions = 1, .precisions = {HS_FP32}, .winograd_tile = 4}},
    .limits_gpu = true, /* limit_opencl_kernel_time, opencl_queue_window_size */
    .n_fused = 5,
    .fused = {HS_OP_RELU, HS_OP_RELU6, HS_OP_LEAKY_RELU, HS_OP_SIGMOID, HS_OP_TANH},
    .n_hosts = 5,
    .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_CONV_TRANSPOSE, HS_OP_GEMM, HS_OP_BATCH_NORMALIZATION},
  },
  {
    .name = "tflite",
    .title = "TensorFlow Lite 2.10: fp32 or int8 on CPU, fp16 on the GPU, int8 on DSP, int8 or fp16 on NPU",
    .source = "tensorflow/lite v2.10, its GPU and Hexagon delegates, vendors' NNAPI drivers",
    .spin_s = 2e-3, /* ruy's pool spins so long (thread_pool.h, spin_duration_), and XNNPACK's polls 10^6 times, at two nanoseconds each */
    TENSORFLOW_LITE(true, "tflite-hexagon", 4, "nnapi-1.2"),
  },
  {
    .name = "tflite-xnnpack",
    .title = "TensorFlow Lite with XNNPACK's kernels on the CPU, fp32 or int8; else as tflite",
    .source = "tensorflow/lite, delegates/xnnpack; google/XNNPACK",
    .base = "tflite",
    .xnnpack = true,
    .steals = true, /* pthreadpool: fully connected operators and convolutions in tiles of 6 x 8 outputs, or of 6 pixels where there are five for each thread */
    .spin_s = 2e-3, /* as tflite: pthreadpool polls so long */
    TENSORFLOW_LITE(false, "tflite-hexagon", 4, "nnapi-1.2"),
  },
  {
    .name = "tflite-nnapi",
    .title = "TensorFlow Lite with NNAPI instead of a delegate of its own on the DSP, int8; else as tflite",
    .source = "tensorflow/lite, delegates/nnapi; vendors' drivers of Android 11 and later",
    .base = "tflite",
    .spin_s = 2e-3,
    TENSORFLOW_LITE(true, "nnapi-1.3", 3, "nnapi-1.3"),
  },
  {
    .name = "pytorch",
    .title = "PyTorch Mobile 2.0, optimized for mobile: fp32 (XNNPACK) or int8 (QNNPACK) on the CPU, fp16 (Vulkan) on the GPU",
    .source = "pytorch/pytorch v2.0.0: torch/csrc/jit/passes/xnnpack_rewrite.cpp and vulkan_rewrite.cpp, aten/src/ATen/native",
    .default_threads = 4,
    .steals = true, /* pthreadpool (README.md: "Work-stealing scheduling") */
    .spin_s = 2e-3, /* pthreadpool polls so long, as under tflite-xnnpack */
    /* LinearAlgebra.cpp, enable_multithreaded_bmm (in InferenceMode; that it asks for 4 rows and 16 columns and channels, too, is left out); TensorIterator's
     * for_each and SoftMaxKernel.cpp call at::parallel_for, which makes a part for each thread (ParallelNative.cpp, calc_num_tasks_and_chunk_size) */
    .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "pytorch-cpu"}, .n_precisions = 2, .precisions = {HS_FP32, HS_INT8}, .least_matrices = 4,
                             .shared_turn = 32768 /* ATen/TensorIterator.h, GRAIN_SIZE */,
                             .pads_inside = HS_PADS_OF_WINDOWS, .shares_functions = true},
                 [HS_GPU] = {.present = true, .table = {[HS_BUFFER] = "pytorch-gpu", [HS_IMAGE] = "pytorch-gpu"}, .n_precisions = 1, .precisions = {HS_FP16},
                             .pads_inside = HS_PADS_OF_WINDOWS}},
    .n_fused = 2,
    .fused = {HS_OP_RELU, HS_OP_RELU6},
    .n_hosts = 4, /* fusePrePackedLinearConvWithClamp, FuseAddRelu (fuse_relu.cpp): an activation behind anything else is an operator */
    .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_GEMM, HS_OP_ADD},
  },
  {
    .name = "paddle-lite",
    .title = "Paddle-Lite 2.11: fp32, fp16 or int8 on CPU",
    .source = "PaddlePaddle/Paddle-Lite: lite/kernels/arm, lite/backends/arm/math",
    .default_threads = 4, /* as the others; its own is one */
    .wakes_all = true,    /* LLVM's OpenMP, which the NDK has: a parallel region is all threads' */
    .spin_s = 0.2,        /* KMP_BLOCKTIME, 200 ms unless set */
    .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "paddle-lite-cpu"}, .n_precisions = 3, .precisions = {HS_FP32, HS_FP16, HS_INT8},
                             .copies_alone = true /* concat.cc, split.cc, shuffle_channel.cc, argmax.cc */, .winograd_tile = 6}},
    .n_fused = 3,
    .fused = {HS_OP_RELU, HS_OP_RELU6, HS_OP_LEAKY_RELU},
    .n_hosts = 3,
    .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_CONV_TRANSPOSE},
    .dense_fused = {HS_OP_HARD_SWISH, 5}, /* conv_activation_fuse_pass.cc; add, max, min and two mul (activation.cc) */
  },
  {
    .name = "bolt",
    .title = "Bolt 1.1: fp32 or fp16 on CPU",
    .source = "huawei-noah/bolt: tensor_computing/src/cpu/arm, model_tools/include/OPOptimizers",
    .default_threads = 1, /* this version has no others */
    .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "bolt-cpu"}, .n_precisions = 2, .precisions = {HS_FP32, HS_FP16}, .winograd_tile = 4,
                             .pads_inside = HS_PADS_OF_WINDOWS /* PadConvOptimizer.hpp */}},
    .n_fused = 2,
    .fused = {HS_OP_RELU, HS_OP_RELU6}, /* a Relu6 since 1.2; its kernels took one before */
    .n_hosts = 4,
    .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_CONV_TRANSPOSE, HS_OP_ADD},
  },
  {
    .name = "ncnn",
    .title = "ncnn of late 2020 and 2021: fp32 or fp16 on CPU, fp16 on the GPU (Vulkan)",
    .source = "Tencent/ncnn: src/layer/arm, src/layer/vulkan",
    .default_threads = 4, /* as the others; its own is one for each core */
    .wakes_all = true, /* LLVM's OpenMP, as under paddle-lite */
    .spin_s = 20e-3, /* its opt.openmp_blocktime, 20 ms (option.cpp) */
    .backends = {[HS_CPU] = {.present = true, .table = {[HS_BUFFER] = "ncnn-cpu"}, .n_precisions = 2, .precisions = {HS_FP32, HS_FP16},
                             .group_slice = EVERY_GROUP /* a loop makes one after the other */,
                             .product_step = 8 /* in two vectors or one (convolution_sgemm_pack4.h, _pack8_fp16s.h) */,
                             .copies_alone = true /* by channels: concat_arm.cpp, slice_arm.cpp, shufflechannel_arm.cpp; argmax.cpp */,
                             .releases_weights = true /* opt.lightmode, the default (option.cpp; convolution_arm.cpp, create_pipeline()) */, .winograd_tile = 6},
                 [HS_GPU] = {.present = true, .table = {[HS_BUFFER] = "ncnn-gpu"}, .n_precisions = 1, .precisions = {HS_FP16},
                             .dense_pixel = true /* convolution_vulkan.cpp, of what has one dimension, as means have */, .winograd_tile = 2}},
    .n_fused = 4,
    .fused = {HS_OP_RELU, HS_OP_RELU6, HS_OP_LEAKY_RELU, HS_OP_SIGMOID},
    .n_hosts = 4, /* fuse_convolution_activation() and its like (tools/ncnnoptimize.cpp) */
    .hosts = {HS_OP_CONV, HS_OP_DEPTHWISE_CONV, HS_OP_CONV_TRANSPOSE, HS_OP_GEMM},
  },
};
_Static_assert(sizeof hs_runtimes / sizeof *hs_runtimes <= HS_RUNTIMES_MAX, "a SoC file may name a table for each");
const int hs_n_runtimes = sizeof hs_runtimes / sizeof *hs_runtimes;

const struct hs_runtime *hs_runtime_find(const char *name)
{
  for (int i = 0; i < hs_n_runtimes; i++)
    if (strcmp(hs_runtimes[i].name, name) == 0) return &hs_runtimes[i];
  return NULL;
}
