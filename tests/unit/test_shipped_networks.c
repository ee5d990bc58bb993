/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks that ship, against published figures: a row for each. Operators of some are in test_shipped_operators.c. */
#include "tests/unit/shipped.h"

/* Figures: torchvision weights metadata, TF-slim and TPU model pages, pycls model zoo, CoDL's and MOSAIC's papers, counts of the
 * published architectures where no figure is printed ("count"). */
static const struct {
  const char *name;
  double gmacs, mparams;
  int blocks; /* MOSAIC's layers; 0: not one of its networks */
} networks[] = {
  {"yolov2", 14.68, 50.65, 0},         /* count, VOC head */
  {"vgg16", 15.47, 138.36, 16},        /* torchvision */
  {"vgg19", 19.632, 143.667, 0},       /* torchvision */
  {"posenet", 30.162, 17.52, 0},       /* CoDL's builder and count agree */
  {"fst", 38.751, 1.68, 0},            /* count, full network */
  {"fst_codl", 35.920, 1.58, 0},       /* CoDL's builder */
  {"yolov5s", 8.5, 7.28, 0},           /* its README: 17.0 GFLOPs, 7.3 M */
  {"yolov5s_320", 2.125, 7.28, 0},
  {"yolov2_codl", 15.232, 53.99, 0},
  {"retinaface_codl", 89.447, 29.38, 0}, /* and 0.094 of one convolution, 0.01 of biases */
  {"retinaface", 92.29, 32.12, 0},     /* CoDL's 89.354 / 29.35 plus its projection shortcuts 2.94 / 2.77 */
  {"resnet18", 1.814, 11.69, 0},       /* torchvision */
  {"resnet34", 3.664, 21.79, 0},
  {"resnet50", 4.089, 25.53, 0},
  {"resnet101", 7.80, 44.549, 0},      /* torchvision, as the next five */
  {"wide_resnet50", 11.40, 68.883, 0},
  {"resnext50_32x4d", 4.230, 25.029, 0},
  {"googlenet", 1.498, 6.625, 0},
  {"mobilenet_v3_small", 0.0565, 2.543, 0},
  {"mobilenet_v3_large", 0.2166, 5.483, 0},
  {"resnet56", 1.132, 0.86, 0},        /* count at 96×96 */
  {"resnet_v2_152", 11.514, 60.12, 53},
  {"resnet_v2_152_slim", 10.907, 60.12, 53}, /* count of TF-slim's strides */
  {"regnetx_1.6gf", 1.603, 9.17, 0},   /* pycls */
  {"regnetx_4.0gf", 3.964, 22.08, 0},
  {"efficientnet_lite0", 0.385, 4.63, 0}, /* count; its page prints 0.407 */
  {"efficientnet_lite1", 0.600, 5.39, 0}, /* count; its page prints 0.631 */
  {"efficientnet_lite2", 0.860, 6.06, 0}, /* count; its page prints 0.899 */
  {"efficientnet_lite3", 1.383, 8.16, 0}, /* count; its page prints 1.44 */
  {"regnetx_1.6gf_split", 1.603, 9.18, 0}, /* and 2 x 6720 of normalisation */
  {"regnetx_4.0gf_split", 3.964, 22.10, 0},
  {"efficientnet_lite4", 2.553, 12.95, 0}, /* count; its page prints 2.64 */
  {"efficientnet_b0", 0.386, 5.289, 0},    /* torchvision, as the next */
  {"efficientnet_b5", 10.266, 30.39, 0},
  {"efficientnet_lite4_224", 1.348, 12.95, 0}, /* the three as in NN-Stretch's release */
  {"efficientnet_b5_224", 2.349, 25.10, 0},
  {"efficientnet_b5_relu6_224", 2.349, 25.10, 0},
  {"efficientdet_lite0", 0.974, 3.56, 0}, /* recount; D0 has 2.5 G at 512x512: 0.98 G at this size */
  {"efficientdet_lite1", 1.967, 4.73, 0},
  {"efficientdet_lite2", 3.371, 5.93, 0},
  {"efficientdet_lite3", 7.480, 9.73, 0},
  {"efficientdet_lite4", 20.168, 17.51, 0},
  {"ssd_mobilenet_v1", 1.247, 6.807, 0},   /* these three: OpenVINO's model zoo, GFLOPs / 2 */
  {"ssd_mobilenet_v2", 1.8875, 16.818, 0},
  {"ssdlite_mobilenet_v2", 0.750, 4.475, 0}, /* MACs: count; 0.763 there, with what isn't a product */
  {"efficientdet_lite0_detections", 0.974, 3.6368, 0}, /* and four numbers of each of 19206, 27621, 37629, 49104, 76725 anchors */
  {"efficientdet_lite1_detections", 1.967, 4.8405, 0},
  {"efficientdet_lite2_detections", 3.371, 6.0805, 0},
  {"efficientdet_lite3_detections", 7.480, 9.9264, 0},
  {"efficientdet_lite4_detections", 20.168, 17.8169, 0},
  {"ssd_mobilenet_v1_detections", 1.247, 6.8147, 0}, /* of 1917 */
  {"ssd_mobilenet_v2_detections", 1.8875, 16.8257, 0},
  {"ssdlite_mobilenet_v2_detections", 0.750, 4.4827, 0},
  {"deeplab_v3", 0.726, 0.688, 0},         /* count; its file has 2.7 MB */
  {"fcn_hrnet_w18_voc", 18.434, 9.624, 0}, /* count of PaddleSeg's classes, as the next eleven: of what runs, gates with their scales left out */
  {"pp_humanseg_v1_lite_398x224", 0.251262, 0.128916, 0}, /* its table: 266 M, 137 K; less 2 for each of 7.589 M numbers, 3 for each of 2850 channels */
  {"pp_humanseg_v2_lite_398x224", 0.372248, 0.91273, 0},
  {"pp_humanseg_v2_lite_256x144", 0.153639, 0.91273, 0}, /* 5.4 MB */
  {"pp_humanseg_v2_lite_224", 0.208882, 0.91273, 0},
  {"pp_humanseg_v2_lite_192", 0.193952, 2.98704, 0},
  {"mobileseg_mobilenet_v2_256", 0.400454, 2.03018, 0},
  {"mobileseg_mobilenet_v3_large_256", 0.291557, 2.95609, 0},
  {"mobileseg_mobilenet_v3_large_512", 1.177594, 2.9684, 0},
  {"mobileseg_lite_hrnet_18_256", 0.319767, 1.21464, 0},
  {"mobileseg_shufflenet_v2_256", 0.188935, 1.10269, 0},
  {"mobileseg_ghostnet_256", 0.188834, 2.65758, 0},
  {"inception_v3", 5.71, 23.819401, 0}, /* torchvision's MACs; parameters: Keras, 23817352 with 1000 classes */
  {"inception_v4", 12.254, 42.65, 20},
  {"inception_resnet_v2", 13.18, 55.84, 0}, /* timm */
  {"mobilefacenet", 0.221, 0.99, 0}, /* paper */
  {"mnasnet_0.5", 0.104, 2.219, 20},   /* torchvision */
  {"mnasnet_1.0", 0.314, 4.383, 20},
  {"mnasnet_1.3", 0.526, 6.282, 20},
  {"nasnet_mobile", 0.564, 5.29, 0},   /* MACs: paper; parameters: tf2cv, 5.3 in the paper */
  {"mobilenet_v1", 0.569, 4.24, 0},    /* TF-slim */
  {"mobilenet_v2_0.5", 0.097, 1.95, 18},
  {"mobilenet_v2_1.0", 0.300, 3.47, 18},
  {"mobilenet_v2_1.3", 0.509, 5.34, 18},
  {"mobilenet_v2_1.4", 0.582, 6.06, 18},
  {"mobilenet_v2_1.5", 0.673, 6.83, 18}, /* count; MobileNetV4's paper rounds to 0.7, 6.8 */
  {"mobilenet_v2_2.0", 1.137, 11.23, 18}, /* count; 1.1, 11.2 there */
  {"mobilenet_v4_conv_s", 0.186, 3.76, 0}, /* these five: counts of the authors' blocks; the table rounds to 0.2, 3.8 */
  {"mobilenet_v4_conv_m", 1.080, 9.68, 0},
  {"mobilenet_v4_conv_l", 6.377, 32.51, 0},
  {"mobilenet_multi_max_1.5", 0.764, 8.88, 0},
  {"mobilenet_multi_avg_1.5", 0.948, 10.02, 0},
  {"mobilenet_v2_caffe", 0.4293, 3.489, 18}, /* count; Open Model Zoo says 0.876 GFLOPs, 3.489 M */
  {"squeezenet", 0.819, 1.248, 10},    /* torchvision, 1.0 */
  /* MACs of the operators that qed-usc/mobile-ml-benchmark measured; parameters as tf2cv prints them or, (s), size of the measured file / 4 */
  {"resnet50_v1", 3.858, 25.53, 18}, /* paper: 3.8 */
  {"resnet26", 2.342, 15.995, 0},
  {"regnetx_0.6gf", 0.601, 6.196, 0},
  {"mobilenet_v2_1.0_tf2cv", 0.3136, 3.505, 0},
  {"mnasnet_1.0_tf2cv", 0.3144, 4.383, 0},
  {"spnasnet", 0.3335, 4.422, 0},
  {"mobilenet_v3_large_0.5", 0.0684, 3.331, 0}, /* (s) */
  {"mobilenet_v3_small_0.75", 0.0405, 2.580, 0}, /* (s) */
  {"fdmobilenet_0.5", 0.0401, 0.994, 0},
  {"ghostnet", 0.1408, 5.169, 0}, /* (s) */
  {"preresnet18", 1.8141, 11.688, 0},
  {"seresnet16", 1.5829, 7.024, 0}, /* (s) */
  {"squeezenet_1.1", 0.3492, 1.235, 0},
  {"vovnet27_slim", 2.1767, 3.524, 0}, /* (s) */
  {"resnet12", 1.12044, 5.493, 0},
  {"resnet14", 1.35165, 5.788, 0},
  {"resnet18_0.75", 1.12466, 8.476, 0},
  {"resnet18_0.5", 0.60543, 5.804, 0},
  {"resnetbc14b", 1.46879, 10.065, 0},
  {"resnext14_16x4d", 1.03527, 7.127, 0},
  {"resnext14_32x4d", 1.59082, 9.412, 0},
  {"seresnet10", 0.88927, 5.463, 0},
  {"seresnet12", 1.12048, 5.538, 0},
  {"seresnet18", 1.81416, 11.779, 0},
  {"preresnet12", 1.12044, 5.491, 0},
  {"preresnet14", 1.35165, 5.787, 0},
  {"preresnet18_0.75", 1.12466, 8.474, 0},
  {"preresnet18_0.5", 0.60543, 5.802, 0},
  {"preresnet18_0.25", 0.26925, 3.936, 0},
  {"preresnetbc26b", 2.34226, 15.988, 0},
  {"sepreresnet14", 1.35170, 5.834, 0},
  {"sepreresnet16", 1.58292, 7.023, 0},
  {"diracnet18_v2", 1.79481, 11.512, 0},
  {"bagnet9", 15.93224, 15.689, 0},
  {"densenet121", 2.83416, 7.979, 0},
  {"densenet169", 3.35984, 14.149, 0},
  {"squeezeresnet_1.0", 0.81892, 1.248, 0},
  {"squeezeresnet_1.1", 0.34915, 1.235, 0},
  {"hrnet_w18_small_v2", 2.59571, 15.597, 0},
  {"efficientnet_edgetpu_s", 2.3523, 5.438, 0},
  {"fbnet_c", 0.38496, 5.572, 0},
  {"fdmobilenet_1.0", 0.14449, 2.901, 0},
  {"fdmobilenet_0.75", 0.084283, 1.833, 0},
  {"fdmobilenet_0.25", 0.012038, 0.383, 0},
  {"hardnet39ds", 0.42947, 3.488, 0},
  {"mobilenet_v1_0.75_tf2cv", 0.3254, 2.586, 0},
  {"mobilenet_v1_0.5_tf2cv", 0.1495, 1.332, 0},
  {"mobilenet_v1_0.25_tf2cv", 0.04103, 0.470, 0},
  {"mobilenet_v1b_0.75", 0.3254, 2.578, 0},
  {"mobilenet_v1b_0.25", 0.04103, 0.468, 0},
  {"mobilenet_v2_0.75_tf2cv", 0.18665, 2.628, 0},
  {"mobilenet_v2_0.25_tf2cv", 0.030481, 1.516, 0},
  {"mobilenet_v2b_0.5", 0.08906, 1.964, 0},
  {"mobilenet_v2b_0.25", 0.029678, 1.516, 0},
  {"mobilenet_v3_large_0.75", 0.1423, 4.263, 0},
  {"mobilenet_v3_large_1.25", 0.34276, 7.459, 0},
  {"mobilenet_v3_large_0.35", 0.038901, 2.943, 0},
  {"mobilenet_v3_small_tf2cv", 0.056914, 2.945, 0},
  {"mobilenet_v3_small_0.35", 0.013429, 2.160, 0},
  {"mobilenet_v3_small_0.5", 0.021006, 2.289, 0},
  {"peleenet", 0.50776, 2.802, 0},
  {"proxylessnas_cpu", 0.43924, 4.362, 0},
  {"proxylessnas_mobile_1.4", 0.58088, 6.858, 0},
  {"regnetx_0.2gf", 0.19904, 2.685, 0},
  {"regnety_0.2gf", 0.19951, 3.163, 0},
  {"regnety_0.6gf", 0.60122, 6.055, 0},
  {"regnety_0.8gf", 0.79718, 6.263, 0},
  /* Parameters as tf2cv's tests print them. MACs: FLOPs / 2 of its README, less 2 for each normalised number and a half for each that is
   * clipped or added, and half of the weights more, as a sum of n products has n - 1 additions; (c): our count, where it has no row. */
  {"mobilenet_v1_1.0_tf2cv", 0.56879, 4.231976, 0},
  {"mobilenet_v1b_1.0", 0.56878, 4.222056, 0},
  {"mobilenet_v1b_0.5", 0.14951, 1.326632, 0},
  {"mobilenet_v2_0.5_tf2cv", 0.09226, 1.964736, 0},
  {"mobilenet_v2b_1.0", 0.30073, 3.503872, 0},
  {"mobilenet_v2b_0.75", 0.17939, 2.626968, 0},
  {"mobilenet_v3_large_tf2cv", 0.21705, 5.481752, 0},
  {"mobilenet_v3_small_1.25", 0.08816, 3.643632, 0}, /* (c) */
  {"mnasnet_a1", 0.31155, 3.887038, 0},
  {"mnasnet_small", 0.06834, 2.030264, 0}, /* (c) */
  {"proxylessnas_gpu", 0.46564, 7.119848, 0},
  {"proxylessnas_mobile", 0.32053, 4.080512, 0},
  {"efficientnet_b1", 0.68663, 7.794184, 0}, /* these four: MACs as of its B1c to B4c */
  {"efficientnet_b2", 0.99332, 9.109994, 0},
  {"efficientnet_b3", 1.82663, 12.233232, 0},
  {"efficientnet_b4", 4.39255, 19.341616, 0},
  {"efficientnet_b0_tf2cv", 0.38583, 5.288548, 0}, /* these two: as of B0c and B1c */
  {"efficientnet_b1_tf2cv", 0.68663, 7.794184, 0},
  {"efficientnet_edgetpu_m", 3.66059, 6.899496, 0},
  {"efficientnet_edgetpu_l", 9.66219, 10.589712, 0},
  {"efficientnet_edgetpu_m_224", 3.176882, 6.899496, 0}, /* these two: half of the FLOPs of qed-usc's table */
  {"efficientnet_edgetpu_l_224", 5.318813, 10.589712, 0},
  {"squeezenet_1.0_tf2cv", 0.81932, 1.248424, 0}, /* no normalisation: one for each number's bias and ReLU */
  {"squeezenext23_1.0", 0.27653, 0.712504, 0}, /* these six: parameters less two vectors of each normalisation */
  {"squeezenext23_1.5", 0.53648, 1.494496, 0},
  {"squeezenext23_2.0", 0.87755, 2.560648, 0},
  {"squeezenext23v5_1.0", 0.27782, 0.907448, 0},
  {"squeezenext23v5_1.5", 0.53926, 1.932064, 0},
  {"squeezenext23v5_2.0", 0.88237, 3.337608, 0},
  {"mixnet_s", 0.23843, 4.134606, 0},
  {"mixnet_m", 0.33827, 5.014382, 0},
  {"mixnet_l", 0.55402, 7.329252, 0},
  {"densenet161", 7.7139, 28.681, 0},
  {"densenet201", 4.2813, 20.014, 0},
  {"hrnet_w18_small_v1", 1.6011, 13.187, 0},
  {"hrnet_w18", 4.2826, 21.299, 0},
  {"hardnet68ds", 0.7738, 4.181, 0},
  {"hardnet68", 4.2459, 17.565, 0},
  {"hardnet85", 9.0728, 36.670, 0},
  {"vovnet39", 7.0693, 22.600, 0},
  {"vovnet57", 8.9243, 36.640, 0},
  {"selecsls42", 2.93443, 30.355, 0}, /* (c) */
  {"selecsls42b", 2.9691, 32.458, 0},
  {"selecsls60", 3.5780, 30.671, 0},
  {"selecsls60b", 3.6153, 32.774, 0},
  {"dla34", 3.0590, 15.742, 0},
  {"dla46c", 0.5743, 1.301, 0},
  {"dla46xc", 0.5327, 1.068, 0},
  {"dla60", 4.2305, 22.037, 0},
  {"dla60x", 3.5096, 17.352, 0},
  {"dla60xc", 0.5812, 1.320, 0},
  {"darknet_tiny", 0.4934, 1.042, 0},
  {"darknet_ref", 0.3636, 7.319, 0},
  {"darknet19", 2.79099, 20.842, 0}, /* (c) */
  {"darknet53", 7.1102, 41.610, 0},
  {"bninception", 2.0387, 11.295, 0},
  {"xception", 8.3242, 22.856, 0},
  {"alexnet", 0.714188, 61.101, 0}, /* torchvision */
  {"alexnet_b", 0.714188, 61.101, 0}, /* torchvision */
  {"vgg11", 7.609, 132.863, 0}, /* torchvision */
  {"vgg13", 11.308, 133.048, 0}, /* torchvision */
  /* as tf2cv prints them; MACs: FLOPs/2 of its README less half of 4 per normalised number, 9 per pooled one and 1 per ReLU, or, (c), count */
  {"resnet10", 0.88925, 5.419, 0},
  {"resnet16", 1.5829, 6.969, 0},
  {"resnet18_0.25", 0.26926, 3.937, 0},
  {"resnet26_basic", 2.7389, 17.960, 0},
  {"resnetbc38b", 3.2158, 21.925, 0},
  {"resneta10", 1.1291, 5.438, 0},
  {"resneta18", 2.0539, 11.709, 0},
  {"resnetabc14b", 1.7093, 10.084, 0},
  {"resneta50b", 4.3297, 25.576, 0},
  {"resnext14_32x2d", 1.0209, 7.029, 0},
  {"resnext26_16x4d", 1.4752, 10.120, 0}, /* (c) */
  {"resnext26_32x2d", 1.4464, 9.924, 0},
  {"resnext26_32x4d", 2.4708, 15.389, 0},
  {"resnext38_32x4d", 3.3506, 21.367, 0}, /* (c) */
  {"seresnet14", 1.3517, 5.836, 0}, /* (c) */
  {"seresnet26", 2.7396, 18.094, 0},
  {"seresnet34", 3.6639, 21.959, 0}, /* (c) */
  {"seresnetbc26b", 2.3452, 17.396, 0},
  {"seresnetbc38b", 3.2201, 24.027, 0},
  {"seresnet50b", 4.0945, 28.088, 0},
  {"seresnext50_32x4d", 4.2358, 27.560, 0},
  {"preresnet10", 0.88924, 5.417, 0},
  {"preresnet16", 1.5829, 6.967, 0},
  {"preresnet26", 2.7389, 17.959, 0},
  {"preresnet34", 3.6638, 21.796, 0},
  {"preresnetbc14b", 1.4688, 10.057, 0},
  {"preresnetbc38b", 3.2158, 21.918, 0},
  {"preresnet50b", 4.0892, 25.549, 0},
  {"sepreresnet10", 0.88947, 5.462, 0},
  {"sepreresnet12", 1.1205, 5.536, 0}, /* (c) */
  {"sepreresnet18", 1.8145, 11.777, 0},
  {"sepreresnet26", 2.739, 18.092, 0}, /* (c) */
  {"sepreresnet34", 3.6639, 21.957, 0}, /* (c) */
  {"sepreresnetbc26b", 2.3452, 17.388, 0},
  {"sepreresnetbc38b", 3.2201, 24.019, 0},
  {"sepreresnet50b", 4.0945, 28.080, 0},
  {"diracnet34_v2", 3.6443, 21.616, 0},
  {"bagnet17", 15.655, 16.213, 0},
  {"bagnet33", 16.26, 18.310, 0},
  {"regnetx_0.4gf", 0.39769, 5.158, 0},
  {"regnetx_0.8gf", 0.79972, 7.260, 0},
  {"regnetx_3.2gf", 3.1766, 15.297, 0},
  {"regnety_0.4gf", 0.40224, 4.344, 0},
  {"regnety_1.6gf", 1.6131, 11.202, 0},
  {"regnety_3.2gf", 3.1779, 19.436, 0},
  {"regnety_4.0gf", 3.9748, 20.647, 0},
  {"shufflenet_v2", 0.146, 2.2786, 0}, /* MACs: authors; parameters: torchvision (2.3 rounded) */
  {"shufflenet_v2_0.5", 0.0404765, 1.366792, 0}, /* torchvision, as the next two */
  {"shufflenet_v2_1.5", 0.29576, 3.503624, 0},
  {"shufflenet_v2_2.0", 0.58325, 7.393996, 0},
  {"mobilenet_v1_0.75_paddle", 0.3254, 2.577, 0}, /* count of PaddleClas's classes, as the next 15; its table: 2.55 M, without normalisation, up to 2 % less */
  {"mobilenet_v1_0.5_paddle", 0.1495, 1.326, 0},
  {"mobilenet_v1_0.25_paddle", 0.04103, 0.4673, 0},
  {"mobilenet_v2_0.75_paddle", 0.1867, 2.615, 0},
  {"mobilenet_v2_0.5_paddle", 0.09227, 1.957, 0},
  {"mobilenet_v2_0.25_paddle", 0.03048, 1.512, 0},
  {"mobilenet_v3_large_1.25_paddle", 0.35, 7.428, 0},
  {"mobilenet_v3_large_0.75_paddle", 0.1438, 3.903, 0},
  {"mobilenet_v3_large_0.35_paddle", 0.03719, 2.1, 0},
  {"mobilenet_v3_small_1.25_paddle", 0.09536, 3.62, 0},
  {"mobilenet_v3_small_0.5_paddle", 0.02076, 1.899, 0},
  {"mobilenet_v3_small_0.35_paddle", 0.01316, 1.664, 0},
  {"ghostnet_0.5_paddle", 0.04233, 2.581, 0},
  {"ghostnet_1.3_paddle", 0.227, 7.337, 0},
  {"shufflenet_v2_0.25", 0.01758, 0.6017, 0},
  {"shufflenet_v2_0.33", 0.02245, 0.6448, 0},
  /* count, as of the next eight; PaddleClas: 4.19, 11.13, 6.76, 3.44, 5.47, 2.67, 2.94, 2.37, 5.20 M without normalisation */
  {"mobilenet_v1_paddle", 0.5687, 4.221, 0},
  {"mobilenet_v2_2.0_paddle", 1.189, 11.23, 0},
  {"mobilenet_v2_1.5_paddle", 0.681, 6.827, 0},
  {"mobilenet_v2_1.0_paddle", 0.3136, 3.489, 0},
  {"mobilenet_v3_large_paddle", 0.2198, 5.468, 0},
  {"mobilenet_v3_large_0.5_paddle", 0.0667, 2.667, 0},
  {"mobilenet_v3_small_paddle", 0.06012, 2.934, 0},
  {"mobilenet_v3_small_0.75_paddle", 0.04305, 2.37, 0},
  {"ghostnet_paddle", 0.1411, 5.171, 0},
  {"esnet_0.25", 0.02905, 2.824, 0}, /* count, as of the next three; PaddleClas's own 30.85 MFLOP and 2.83 M to 197.33 and 4.64 M, with normalisation */
  {"esnet_0.5", 0.06457, 3.237, 0},
  {"esnet_0.75", 0.12, 3.851, 0},
  {"esnet_1.0", 0.1926, 4.618, 0},
  {"lcnet_0.25", 0.01677, 1.52, 0}, /* count, as of the next ten; PaddleClas's own 18 M and 1.5 M to 906 M and 9.0 M */
  {"lcnet_0.35", 0.02736, 1.641, 0},
  {"lcnet_0.5", 0.04473, 1.877, 0},
  {"lcnet_0.75", 0.09479, 2.353, 0},
  {"lcnet_1.0", 0.1557, 2.947, 0},
  {"lcnet_1.5", 0.3342, 4.492, 0},
  {"lcnet_2.0", 0.5802, 6.511, 0},
  {"lcnet_2.5", 0.8937, 9.004, 0},
  {"picodet_lcnet_1.5_416_2021", 1.861, 3.092, 0},
  {"picodet_shufflenet_v2_416_2021", 0.74323, 1.168, 0}, /* count, as of the next three; PaddleDetection's table: 1.53, 2.80 GFLOP, 1.17, 3.55 M */
  {"picodet_mobilenet_v3_large_416_2021", 1.34772, 3.544, 0},
  {"pp_yolo_tiny_320", 0.29046, 1.082, 0}, /* its table: 0.58 and 1.02 GFLOP, 1.08 M */
  {"pp_yolo_tiny_416", 0.49061, 1.082, 0},
  {"picodet_s_192_pedestrian", 0.1206, 0.9532, 0},
  {"picodet_s_320_pedestrian", 0.3348, 0.9532, 0},
  {"picodet_s_192_lcnet_pedestrian", 0.1675, 1.1472, 0}, /* its table, with what is no product: 170.03, 472.07 M */
  {"picodet_s_320_lcnet_pedestrian", 0.465, 1.1472, 0},
  {"picodet_xs_320", 0.3307, 0.6967, 0}, /* count of PaddleDetection's classes, as the next 15; its table, with what is no product: 0.67 GFLOP, 0.70 M */
  {"picodet_xs_416", 0.5594, 0.6967, 0},
  {"picodet_s_320", 0.4811, 1.177, 0},
  {"picodet_s_416", 0.8134, 1.177, 0},
  {"picodet_m_320", 1.273, 3.447, 0},
  {"picodet_m_416", 2.152, 3.447, 0},
  {"picodet_l_320", 2.086, 5.782, 0},
  {"picodet_l_416", 3.526, 5.782, 0},
  {"picodet_l_640", 8.341, 5.782, 0},
  {"picodet_s_320_2021", 0.351, 0.9839, 0},
  {"picodet_s_416_2021", 0.5935, 0.9839, 0},
  {"picodet_m_320_2021", 0.7163, 2.138, 0},
  {"picodet_m_416_2021", 1.211, 2.138, 0},
  {"picodet_l_320_2021", 1.084, 3.287, 0},
  {"picodet_l_416_2021", 1.834, 3.287, 0},
  {"picodet_l_640_2021", 4.336, 3.287, 0},
  {"rtmpose_t_256x192", 0.3548, 3.334, 0}, /* MACs: count; these four in MMPose's table: 0.36, 0.68, 1.93, 4.16 G; 3.34, 5.47, 13.59, 27.66 M, with scales */
  {"rtmpose_s_256x192", 0.6764, 5.469, 0},
  {"rtmpose_m_256x192", 1.93, 13.59, 0},
  {"rtmpose_l_256x192", 4.16, 27.66, 0},
  {"mobilenet_edgetpu_1.0", 0.990, 4.073273, 0}, /* MACs: TF-slim; parameters: the authors' test, 4092713, less 19440 scales of normalisations */
  {"mobilenet_edgetpu_1.25", 1.638, 6.006, 0}, /* count of the authors' blocks, as those below but for v2_s */
  {"mobilenet_edgetpu_1.5", 2.212, 8.105, 0},
  {"mobilenet_edgetpu_1.75", 3.139, 10.735, 0},
  {"mobilenet_edgetpu_v2_tiny", 0.512, 3.744, 0},
  {"mobilenet_edgetpu_v2_xs", 0.707, 4.442, 0},
  {"mobilenet_edgetpu_v2_s", 1.198, 5.962593, 0}, /* parameters: the authors' test, 6069657, less 25144 scales, and 81920 as its last stages are 5×5 */
  {"mobilenet_edgetpu_v2_m", 1.836, 8.433, 0},
  {"mobilenet_edgetpu_v2_l", 2.531, 10.887, 0},
  {"deeplab_v3_plus_edgetpu_v2_xs", 3.80681, 3.254464, 0}, /* count of the authors' classes, as the next nine; README: 3.6, 5.2, 7.7; 2.9, 3.1 M, which they don't have */
  {"deeplab_v3_plus_edgetpu_v2_s", 6.35819, 4.736936, 0},
  {"deeplab_v3_plus_edgetpu_v2_m", 9.67337, 7.085584, 0},
  {"deeplab_v3_plus_edgetpu_v2_xs_fused", 3.80681, 3.254464, 0},
  {"deeplab_v3_plus_edgetpu_v2_s_fused", 6.35819, 4.736936, 0},
  {"deeplab_v3_plus_edgetpu_v2_m_fused", 9.67337, 7.085584, 0},
  {"autoseg_edgetpu_xs", 1.91425, 2.342488, 0},
  {"autoseg_edgetpu_s", 2.36551, 2.537684, 0},
  {"autoseg_edgetpu_xs_fused", 1.91425, 2.342488, 0},
  {"autoseg_edgetpu_s_fused", 2.36551, 2.537684, 0},
  {"alexnet_caffe", 0.724407, 60.965, 0}, /* count, as the next two; Caffe's own 724 M */
  {"googlenet_caffe", 1.58267, 6.9986, 0},
  {"resnet18_caffe", 1.82692, 11.6889, 0},
  {"squeezenet_1.1_ncnn", 0.418468, 1.2355, 0}, /* count of ncnn's files, as the next five */
  {"mobilenet_v2_ncnn", 0.313619, 3.48887, 0},
  {"mobilenet_v3_large_ncnn", 0.245565, 5.14123, 0},
  {"shufflenet_v1", 0.127061, 1.80287, 0},
  {"proxylessnas_ncnn", 0.336484, 4.06456, 0},
  {"blazeface", 0.0293683, 0.08847, 0},
  {"yolov3", 32.93, 61.923, 0},        /* its page: 65.86 BFLOP; parameters: count */
  {"yolov4_tiny", 3.45394, 6.0535, 0}, /* count; darknet prints 6.9 BFLOPs */
  {"yolov3_tiny", 2.791, 8.848, 0},    /* OpenVINO's model zoo, GFLOPs / 2 */
  {"yolov5n", 2.25, 1.867405, 0},      /* its summary when fused, GFLOPs / 2 */
  {"yolox_nano_416", 0.52255, 0.91, 0}, /* MACs of this and the next: count of ncnn's files; README: 1.08, 6.45 GFLOPs; parameters: README, OpenVINO's model zoo */
  {"yolox_tiny_416", 3.20627, 5.0472, 0},
  {"nanodet_m_320", 0.34222, 0.9418, 0}, /* count of ncnn's files, as the next; README: 0.72 GFLOPs at 320x320, 0.95 M */
  {"nanodet_m_416", 0.57836, 0.9418, 0},
  {"nanodet_m_1.5x_416", 1.17666, 2.0534, 0}, /* MACs: count, in OpenVINO's model zoo 2.3895 GFLOPs; parameters: that */
  {"ssdlite_mobilenet_v3_large_paddle", 0.527828, 3.3829, 0}, /* count of PaddleDetection's classes, whose gates have 6192 scales and offsets here */
  {"ssd_mobilenet_v1_caffe", 1.14848, 5.78342, 0}, /* count, as the next */
  {"ssd_squeezenet_caffe", 1.17597, 5.5256, 0},
  /* transformers, whose positions no operator has as parameters; torchvision, less 768 x 998 of a smaller head where classes are two */
  {"vit_b16_224", 17.563, 85.801, 0},
  {"vit_b16_384", 55.484, 86.859, 0},
  {"vit_b32_224", 4.408, 87.458, 0},
  {"vit_b32_384", 13.06, 88.30, 0}, /* timm, as the next four, less a second classifier */
  {"deit_tiny_224", 1.27, 5.718, 0},
  {"deit_small_224", 4.63, 22.051, 0},
  {"deit_base_224", 17.68, 86.569, 0},
  {"deit_base_384", 55.65, 86.859, 0},
  {"swin_tiny_224", 4.5, 28.265, 0},  /* MACs: paper; parameters: its 28.288, less 0.023 of positions */
  {"swin_base_384", 47.0, 87.705, 0}, /* 87.904, less 0.199 */
  {"swin_small_224", 8.7, 49.6, 0},   /* MACs and parameters: paper */
  {"swin_base_224", 15.4, 87.7, 0},
  {"mit_b2", 3.275, 24.713, 0},       /* half the operations that the measurements' table has; parameters: paper, 24.2, and the classifier */
  {"mit_b4", 8.928, 61.313, 0},
  {"mit_b0", 0.4537, 3.609, 0},       /* these four: the table's operations / 2 and size of the measured file / 4; paper: 3.4, 13.1, 44.0, 81.4 and the classifier */
  {"mit_b1", 1.678, 13.697, 0},
  {"mit_b3", 6.147, 44.688, 0},
  {"mit_b5", 11.726, 82.144, 0},
  {"cvt_13_384", 16.3, 20.0, 0},      /* paper; of CvT-21, which it rounds to 7.1 and 32, as MiT's and size of the measured file / 4 */
  {"cvt_21", 7.182, 31.68, 0},
  {"cvt_21_384", 24.9, 31.68, 0},
  {"cvt_13", 4.569, 20.0, 0},
  {"mobilevit_xxs", 0.4079, 1.27, 0}, /* MACs as MiT's; parameters: timm */
  {"mobilevit_xs", 1.0268, 2.32, 0},
  {"mobilevit_s", 2.0021, 5.58, 0},
  {"efficientformer_l1_300", 1.3, 11.84, 0}, /* MACs: paper; parameters: its 12.3, 31.4, 82.1 less a second classifier */
  {"efficientformer_l3_300", 3.9, 30.9, 0},
  {"efficientformer_l7_300", 10.2, 81.3, 0},
  /* these as PyTorch's classes have them: half the operations of the measurements' table; size of the measured file / 4, less what is no operator's */
  {"beit_base_224", 17.552, 86.453, 0},      /* 12 * 12 * 197 * 197 biases, and 577 * 577 */
  {"beit_base_384", 55.434, 86.453, 0},
  {"dinov2_small", 6.116, 22.326, 0},        /* 1370 positions of 384, and of 768 */
  {"dinov2_base", 23.146, 87.092, 0},
  {"vit_msn_small", 4.593, 21.999, 0},       /* 197 positions, and 3137 */
  {"vit_msn_base", 17.552, 86.440, 0},
  {"vit_msn_base_4", 447.089, 85.888, 0},
  {"vit_hybrid_384", 67.105, 98.548, 0},     /* 578 */
  {"swinv2_tiny_w8_256", 5.928, 28.35, 0},   /* these four: parameters of timm */
  {"swinv2_tiny_w16_256", 6.641, 28.35, 0},
  {"swinv2_base_w8_256", 20.299, 87.92, 0},
  {"swinv2_base_w16_256", 21.927, 87.92, 0},
  {"swinv2_base_w12_192", 11.858, 109.40, 0}, /* size of the file / 4 */
  {"mobilevitv2_2.0", 7.156, 18.437, 0},     /* the table counts 16 tokens of each list (a height of four, squared); 7.22 in timm, with normalisations */
  {"mobilevitv2_1.5_voc", 4.923, 9.838, 0},
  {"mobilevitv2_1.0", 1.812, 4.894, 0},
  /* from PyTorch's classes: MACs as MiT's; parameters: a quarter of the measured file, or authors, timm for LeViT less a second classifier */
  {"poolformer_s24", 3.3922, 21.417, 0},
  {"poolformer_s36", 4.9722, 30.903, 0},
  {"poolformer_m36", 8.7588, 56.213, 0},
  {"poolformer_s12", 1.8123, 11.92, 0},
  {"poolformer_m48", 11.5333, 73.47, 0},
  {"van_tiny", 0.86422, 4.1, 0},
  {"van_small", 2.4953, 13.9, 0},
  {"van_base", 4.9928, 26.6, 0},
  {"van_large", 8.9253, 44.8, 0},
  {"focalnet_small", 8.5892, 49.9, 0},
  {"focalnet_base", 15.2287, 88.1, 0},
  {"focalnet_tiny", 4.3976, 28.4, 0},
  {"pvt_tiny_224", 1.9282, 12.81, 0}, /* paper, 13.2, less 0.39 of positions */
  {"pvt_small_224", 3.8071, 24.1, 0}, /* these three: size of the measured file / 4, less positions */
  {"pvt_medium_224", 6.6471, 43.8, 0},
  {"pvt_large_224", 9.7965, 61.0, 0},
  {"levit_192", 0.65532, 10.56, 0},
  {"levit_256", 1.1250, 18.38, 0},
  {"levit_384", 2.3485, 38.36, 0},
  {"levit_128s", 0.30353, 7.4, 0},
  {"levit_128", 0.40377, 8.8, 0},
  {"swiftformer_xs", 0.60198, 3.5, 0},
  {"swiftformer_s", 0.98411, 6.1, 0},
  {"swiftformer_l1", 1.5954, 12.1, 0},
  {"swiftformer_l3", 4.0076, 28.5, 0},
  {"bert_base_128", 11.25, 109.482, 14}, /* MobileBERT's paper; transformers */
  {"tinybert4_128", 0.624, 14.350, 6},   /* paper: 0.6; transformers */
  {"mobilebert_128", 2.69, 24.582, 26},  /* count of the authors' blocks, paper 2.85 (all that is computed?); transformers, which has no paper's 25.3 */
  {"mobilebert_384", 8.68, 24.582, 26},
};

/* And no row is of another. */
START_TEST(each_network_has_a_row)
{
  struct hs_catalog c;
  open_catalog(&c);
  for (int i = 0; i < c.n_names[HS_WORKLOADS]; i++) {
    bool there = false;
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) there |= strcmp(networks[k].name, c.names[HS_WORKLOADS][i]) == 0;
    ck_assert_msg(there, "%s has no row above: its multiply-accumulates and weights, and who says so", c.names[HS_WORKLOADS][i]);
  }
  ck_assert_int_eq(c.n_names[HS_WORKLOADS], sizeof networks / sizeof *networks);
  hs_catalog_close(&c);
}
END_TEST

START_TEST(network_counts)
{
  struct hs_catalog c;
  struct hs_graph *g = NULL;
  struct hs_error err;
  open_catalog(&c);
  ck_assert_msg(hs_catalog_workload(&c, networks[_i].name, &g, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_double_eq_tol(hs_graph_macs(g) / 1e9, networks[_i].gmacs, 0.01 * networks[_i].gmacs);
  ck_assert_double_eq_tol((double)hs_graph_params(g) / 1e6, networks[_i].mparams, 0.01 * networks[_i].mparams);
  if (networks[_i].blocks) ck_assert_int_eq(g->ops[g->n_ops - 1].block, networks[_i].blocks);
  for (int i = 0; i < g->n_ops; i++) ck_assert_int_ge(g->ops[i].block, 1);
  hs_graph_free(g);
  hs_catalog_close(&c);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, each_network_has_a_row);
  tcase_add_loop_test(t, network_counts, 0, sizeof networks / sizeof *networks);
}

int main(void) { return hs_test_main("shipped_networks", fill); }
