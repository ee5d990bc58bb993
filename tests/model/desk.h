/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements for the tests of calibration: rows of operators and of networks, made up with known coefficients, and what becomes of them. */
#ifndef HS_TEST_DESK_H
#define HS_TEST_DESK_H

#include "tests/unit/suite.h"

#include <math.h>

#include "base/files.h"
#include "base/random.h"
#include "calibrate/write_profile.h"

struct desk {
  struct hs_catalog catalog;
  struct hs_soc *soc;
  struct hs_profile *own, *estimate;
  struct hs_measurements m;
  struct hs_fit fit;
  struct hs_text written; /* the profile that it becomes, */
  struct hs_profile *again; /* and that as it is read */
};

static inline void sit_down(struct desk *d, const char *soc, const char *runtime)
{
  struct hs_error err;
  *d = (struct desk){0};
  hs_test_accepted(hs_catalog_open(&d->catalog, &err), &err);
  hs_test_accepted(hs_catalog_soc(&d->catalog, soc, &d->soc, &err), &err);
  hs_test_accepted(hs_catalog_profile(&d->catalog, soc, runtime, &d->own, &err), &err);
  hs_test_accepted(hs_catalog_estimate(&d->catalog, soc, hs_runtime_find(runtime), &d->estimate, &err), &err);
  d->m = (struct hs_measurements){.catalog = &d->catalog, .soc = d->soc, .runtime = hs_runtime_find(runtime), .own = d->own, .estimate = d->estimate,
                                  .precision = -1, .memory_type = -1};
}

static inline void stand_up(struct desk *d)
{
  hs_profile_free(d->again);
  hs_text_free(&d->written);
  hs_fit_free(&d->fit);
  hs_measurements_free(&d->m);
  hs_profile_free(d->own);
  hs_profile_free(d->estimate);
  hs_soc_free(d->soc);
  hs_catalog_close(&d->catalog);
}

/* Rows of a file named m.csv, or of the operator profile of a model's CPU. */
static inline enum hs_status read_text(struct desk *d, const char *text, const char *model, bool kept_out, struct hs_error *err)
{
  size_t len = strlen(text);
  return model ? hs_measurements_parse_tflite(&d->m, "m.csv", text, len, model, "cpu", kept_out, err)
               : hs_measurements_parse(&d->m, "m.csv", text, len, kept_out, err);
}

/* Those of a file in tests/data. */
static inline void add_data(struct desk *d, const char *name)
{
  struct hs_error err;
  char path[600], *text;
  size_t len;
  snprintf(path, sizeof path, "%s/tests/data/%s", getenv("HETSIM_DATA"), name);
  hs_test_accepted(hs_file_read(path, &text, &len, &err), &err);
  hs_test_accepted(hs_measurements_parse(&d->m, "m.csv", text, len, false, &err), &err);
  free(text);
}

static inline void add_rows(struct desk *d, const char *text, bool kept_out)
{
  struct hs_error err;
  hs_test_accepted(read_text(d, text, NULL, kept_out, &err), &err);
}

/* What the rows would take under `truth`, with noise of this standard deviation of ln, of small operators `small` times that. */
static inline void pretend_noisy(struct desk *d, const struct hs_kernel *truth, double noise, double small, uint64_t seed)
{
  struct hs_random *random = hs_random_new(seed, "calibrate");
  for (int i = 0; i < d->m.n; i++) {
    struct hs_measurement *r = &d->m.rows[i];
    struct hs_backend *b = &r->bench->sys.backends[r->bench->processor];
    const struct hs_kernel *before = b->kernel;
    double normal = 0;
    for (int k = 0; k < 12; k++) normal += hs_random_uniform(random);
    b->kernel = truth;
    double exact = hs_measurement_model_s(r);
    r->latency_s = exact * exp(noise * (exact < 1e-4 ? small : 1) * (normal - 6));
    b->kernel = before;
  }
  hs_random_free(random);
}

static inline void pretend(struct desk *d, const struct hs_kernel *truth, double noise) { pretend_noisy(d, truth, noise, 1, 7); }

/* A grid of convolutions and some of the rest. */
static inline void add_grid(struct desk *d)
{
  static const int sizes[] = {7, 14, 28, 56, 112}, channels[] = {16, 48, 96, 256}, kernels[] = {1, 3, 5};
  struct hs_text t = {0};
  hs_text_add(&t, "processor,op,h,cin,cout,kernel,stride,latency_s\n");
  for (int s = 0; s < 5; s++)
    for (int i = 0; i < 4; i++) {
      for (int o = 0; o < 4; o++)
        for (int k = 0; k < 3; k++)
          for (int stride = 1; stride <= 2; stride++)
            hs_text_addf(&t, "gpu,Conv,%d,%d,%d,%d,%d,1\n", sizes[s], channels[i], channels[o], kernels[k], stride);
      hs_text_addf(&t, "gpu,DepthwiseConv,%d,%d,,3,1,1\ngpu,DepthwiseConv,%d,%d,,5,1,1\n", sizes[s], channels[i], sizes[s], channels[i]);
      hs_text_addf(&t, "gpu,GlobalAveragePool,%d,%d,,,,1\ngpu,Add,%d,%d,,,,1\n", sizes[s], channels[i], sizes[s], channels[i]);
    }
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* The kernel of rows[row] alone. */
static inline enum hs_status fit_only(struct hs_measurements *m, int row, const char *only, struct hs_fit *f, struct hs_error *err)
{
  HS_TRY(hs_fit_begin(m, row, only, f, err));
  HS_TRY(hs_fit_kernel(m, f, err));
  return hs_fit_judge(f, err);
}

static inline struct hs_fit *fit(struct desk *d, int row)
{
  struct hs_error err;
  hs_test_accepted(fit_only(&d->m, row, NULL, &d->fit, &err), &err);
  return &d->fit;
}

static inline const struct hs_coefficient *find(const struct hs_fit *f, const char *name)
{
  for (int i = 0; i < f->n_coefficients; i++)
    if (strcmp(f->coefficients[i].name, name) == 0) return &f->coefficients[i];
  ck_abort_msg("%s isn't looked for", name);
  return NULL;
}

static inline struct hs_kernel known(const struct desk *d)
{
  struct hs_kernel k = *hs_profile_find(d->own, &d->soc->processors[hs_soc_find(d->soc, "gpu")], HS_FP16, HS_IMAGE);
  k.overhead_cycles = 5000;
  k.reduction_half = 12;
  k.launch.fill[0] *= 2.5; /* where there is one */
  k.n_knots = 0;
  for (int c = 0; c < HS_CLASS_N; c++) k.efficiency[c] *= c % 2 ? 0.6 : 0.35;
  return k;
}

static inline double true_value(const struct hs_kernel *truth, const struct hs_fit *f, int i)
{
  return *(const double *)((const char *)truth + ((const char *)f->coefficients[i].target - (const char *)&f->kernel));
}

static inline bool of_curve(const struct hs_coefficient *c) { return strncmp(c->name, "saturation", 10) == 0; }

static inline void add_networks(struct desk *d)
{
  static const char *const names[] = {"squeezenet", "mobilenet_v1", "mobilenet_v2_1.0", "mnasnet_1.0", "resnet18", "resnet34", "resnet50", "vgg16"};
  static const char *const cores[] = {"big:1", "mid:1", "mid:2", "mid:3", "mid:3+big:1"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,precision,cores,latency_ms\n");
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 5; k++)
      hs_text_addf(&t, "%s,cpu,fp32,%s,1\n", names[i], cores[k]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

/* A dozen and a half of networks, each of which a GPU gives one row. */
static inline void add_networks_on_a_gpu(struct desk *d)
{
  static const char *const names[] = {"mobilenet_v1", "squeezenet", "resnet18", "vgg11", "googlenet", "alexnet_b", "darknet_tiny",
                                      "mobilenet_v2_0.5", "mobilenet_v2_1.0",
                                      "fdmobilenet_0.5", "fdmobilenet_1.0", "mobilenet_v1b_0.5", "resnet10", "resnet14", "squeezenet_1.1",
                                      "mnasnet_small", "resnet18_0.5", "darknet_ref"};
  struct hs_text t = {0};
  hs_text_add(&t, "model,processor,latency_s\n");
  for (int i = 0; i < 18; i++) hs_text_addf(&t, "%s,gpu,1\n", names[i]);
  add_rows(d, t.s, false);
  hs_text_free(&t);
}

static const char *const ref = "measurements in x.csv", *const note = "a note";

/* The fit as a profile, read again. */
static inline const struct hs_profile *write_and_read(struct desk *d)
{
  struct hs_error err;
  hs_profile_write(&d->m, &d->fit, 1, &ref, &note, "0123456789abcdef", &d->written);
  hs_test_accepted(hs_profile_parse("p.json", d->written.s, d->written.len, &d->again, &err), &err);
  return d->again;
}

#endif
