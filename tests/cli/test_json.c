/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON of all commands but run: valid, with the documented keys, its parts adding up. */
#include "base/files.h"
#include "tests/cli/json.h"

#include <math.h>

START_TEST(model)
{
  cJSON *m = run("show model mobilenet_v1 --soc sd855 --format=json");
  const cJSON *op;
  double macs = 0, params = 0;
  cJSON_ArrayForEach(op, array(m, "ops"))
  {
    macs += number(op, "macs");
    params += number(op, "params");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(op, "support")), 5);
  }
  ck_assert_double_eq(number(m, "macs"), macs);
  ck_assert_double_eq(number(m, "params"), params);
  cJSON_Delete(m);
}
END_TEST

START_TEST(soc_numbers)
{
  cJSON *s = run("show soc kirin970 --format=json");
  const cJSON *n, *domain = cJSON_GetArrayItem(array(cJSON_GetArrayItem(array(s, "processors"), 0), "domains"), 0);
  int assumed = 0;
  ck_assert_double_gt(number(cJSON_GetArrayItem(array(domain, "opps"), 0), "freq_hz"), 1e8);
  cJSON_ArrayForEach(n, array(s, "numbers")) assumed += strcmp(cJSON_GetObjectItem(n, "kind")->valuestring, "assumed") == 0;
  ck_assert_int_gt(assumed, 10);
  const cJSON *heat = cJSON_GetObjectItem(s, "thermal"), *first = cJSON_GetArrayItem(array(s, "sharing_costs"), 0);
  ck_assert_double_eq(number(cJSON_GetArrayItem(cJSON_GetObjectItem(heat, "nodes"), 0), "capacitance_j_per_k"), 1);
  ck_assert_double_eq(number(cJSON_GetArrayItem(cJSON_GetObjectItem(heat, "links"), 0), "resistance_k_per_w"), 1.5);
  ck_assert_double_gt(number(cJSON_GetObjectItem(first, "map"), "s_per_byte"), 0);
  cJSON_Delete(s);
}
END_TEST

/* Which kernels rest on measurements: of the SoC's own profile, of a sibling's, of the runtime that another is based on, and of none. */
START_TEST(soc_kernels)
{
  static const struct {
    const char *soc, *runtime, *processor, *precision, *kind, *profile, *basis;
  } expected[] = {{"sd855", "tflite", "cpu", "int8", "derived", "socs/profiles/sd855-tflite.json", "fitted"},
                  {"sd870", "tflite", "cpu", "int8", "derived", "socs/profiles/sd870-tflite.json", "sibling"},
                  {"sd855", "tflite", "npu", "int8", "assumed", "socs/profiles/any-tflite.json", "estimated"},
                  {"sd855", "tflite-xnnpack", "dsp", "int8", "derived", "socs/profiles/sd855-tflite.json", "fitted"},
                  {"sd855", "tflite-xnnpack", "npu", "int8", "assumed", "socs/profiles/any-tflite.json", "estimated"},
                  {"sd865", "tflite-nnapi", "npu", "int8", "derived", "socs/profiles/sd865-tflite-nnapi.json", "fitted"},
                  {"sd855", "tflite-nnapi", "dsp", "int8", "derived", "socs/profiles/any-tflite-nnapi.json", "sibling"},
                  {"kirin985", "tflite", "cpu", "fp32", "derived", "socs/profiles/any-tflite.json", "sibling"},
                  {"tensor", "tflite-nnapi", "npu", "int8", "derived", "socs/profiles/tensor-tflite.json", "fitted"},
                  {"sd855", "mace", "gpu", "fp32", "derived", "socs/profiles/sd855-mace.json", "fitted"}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    char arguments[60];
    const cJSON *k, *number;
    int found = 0;
    snprintf(arguments, sizeof arguments, "show soc %s --format=json", expected[i].soc);
    cJSON *s = run(arguments);
    cJSON_ArrayForEach(k, array(s, "kernels")) {
      double n = 0;
      if (strcmp(text(k, "runtime"), expected[i].runtime) != 0 || strcmp(text(k, "processor"), expected[i].processor) != 0) continue;
      if (strcmp(text(k, "precision"), expected[i].precision) != 0) continue;
      ck_assert_str_eq(text(k, "kind"), expected[i].kind);
      ck_assert_str_eq(text(k, "profile"), expected[i].profile);
      ck_assert_str_eq(text(k, "basis"), expected[i].basis);
      ck_assert((cJSON_GetObjectItem(k, "fit_n")->valueint > 0) == (strcmp(expected[i].basis, "fitted") == 0));
      cJSON_ArrayForEach(number, cJSON_GetObjectItem(k, "kinds")) n = number->valuedouble > n ? number->valuedouble : n;
      ck_assert_double_eq(cJSON_GetObjectItem(cJSON_GetObjectItem(k, "kinds"), expected[i].kind)->valuedouble, n);
      found++;
    }
    ck_assert_int_eq(found, strcmp(expected[i].processor, "gpu") == 0 ? 2 : 1); /* image and buffer */
    cJSON_Delete(s);
  }
}
END_TEST

START_TEST(policy)
{
  cJSON *p = run("show policy mosaic --format=json");
  const cJSON *params = array(p, "params");
  ck_assert_str_eq(cJSON_GetObjectItem(p, "name")->valuestring, "mosaic");
  ck_assert_str_eq(cJSON_GetObjectItem(p, "default_precision")->valuestring, "fp32");
  ck_assert(cJSON_IsNull(cJSON_GetObjectItem(p, "default_memory_type")));
  ck_assert_int_eq(cJSON_GetArraySize(params), 1);
  ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(params, 0), "name")->valuestring, "objective");
  ck_assert_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(params, 0), "default")->valuestring, "latency");
  ck_assert_int_eq(cJSON_GetArraySize(array(cJSON_GetArrayItem(params, 0), "words")), 3);
  ck_assert_ptr_null(cJSON_GetObjectItem(cJSON_GetArrayItem(params, 0), "max"));
  cJSON_Delete(p);
  p = run("show policy mulayer --format=json");
  ck_assert_str_eq(cJSON_GetObjectItem(p, "default_memory_type")->valuestring, "buffer");
  cJSON_Delete(p);
  p = run("show policy exhaustive --format=json");
  const cJSON *samples = cJSON_GetArrayItem(array(p, "params"), 1);
  ck_assert_int_eq(cJSON_GetArraySize(array(samples, "words")), 0);
  ck_assert_double_eq(cJSON_GetObjectItem(samples, "min")->valuedouble, 1);
  ck_assert_double_eq(cJSON_GetObjectItem(samples, "max")->valuedouble, 1e6);
  ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(samples, "whole")));
  cJSON_Delete(p);
}
END_TEST

START_TEST(lists)
{
  static const char *const lists[] = {"socs", "models", "policies", "runtimes", "scenarios", "reproductions"};
  static const int least[] = {9, 25, 14, 2, 11, 34};
  for (int i = 0; i < 6; i++) {
    char arguments[60];
    snprintf(arguments, sizeof arguments, "list %s --format=json", lists[i]);
    cJSON *l = run(arguments);
    ck_assert(cJSON_IsArray(l));
    ck_assert_int_ge(cJSON_GetArraySize(l), least[i]);
    cJSON_Delete(l);
  }
}
END_TEST

/* A policy's row has the numbers of its run. */
START_TEST(comparison)
{
  cJSON *c = run("compare --soc sd855 squeezenet --policies=codl,dsp,cpu --runtime mace --format=json");
  cJSON *r = run("--soc sd855 --policy codl squeezenet --runtime mace --format=json");
  const cJSON *row = cJSON_GetArrayItem(c, 0), *p;
  static const char *const same[] = {"latency_s", "energy_j", "communication_s", "communication_frac"};
  ck_assert_int_eq(cJSON_GetArraySize(c), 3);
  ck_assert_str_eq(cJSON_GetObjectItem(row, "policy")->valuestring, "codl");
  ck_assert_str_eq(cJSON_GetObjectItem(row, "fingerprint")->valuestring, cJSON_GetObjectItem(r, "fingerprint")->valuestring);
  ck_assert(cJSON_IsString(cJSON_GetObjectItem(row, "plan")));
  for (int i = 0; i < 4; i++) ck_assert_double_eq(number(row, same[i]), number(r, same[i]));
  ck_assert_int_eq(cJSON_GetArraySize(array(row, "processors")), cJSON_GetArraySize(array(r, "processors")));
  for (int i = 0; i < cJSON_GetArraySize(array(r, "processors")); i++) {
    const cJSON *of_row = cJSON_GetArrayItem(array(row, "processors"), i), *of_run = cJSON_GetArrayItem(array(r, "processors"), i);
    ck_assert_str_eq(cJSON_GetObjectItem(of_row, "name")->valuestring, cJSON_GetObjectItem(of_run, "name")->valuestring);
    ck_assert_double_eq(number(of_row, "utilization_frac"), number(of_run, "utilization_frac"));
    ck_assert_double_eq(number(of_row, "energy_j"), number(of_run, "energy_j"));
    bool kernels = i == 2; /* the GPU; the CPU maps and waits */
    ck_assert_int_eq(cJSON_HasObjectItem(of_row, "precision"), kernels);
    if (kernels) ck_assert_str_eq(text(of_row, "precision"), "fp32");
  }
  ck_assert_double_gt(number(row, "communication_alone_s"), 0);
  ck_assert_double_le(number(row, "communication_alone_s"), number(row, "communication_s"));
  ck_assert_double_le(number(row, "kernel_covered_s") + number(row, "communication_alone_s"), number(row, "latency_s") * (1 + 1e-12));
  p = cJSON_GetArrayItem(c, 1);
  ck_assert_str_eq(cJSON_GetObjectItem(p, "policy")->valuestring, "dsp");
  ck_assert(strstr(cJSON_GetObjectItem(p, "error")->valuestring, "runtime mace has no code for the dsp") && !cJSON_GetObjectItem(p, "latency_s"));
  p = cJSON_GetArrayItem(c, 2); /* one processor: kernels, and nothing else */
  ck_assert_double_eq_tol(number(p, "kernel_covered_s"), number(p, "latency_s"), 1e-9 * number(p, "latency_s"));
  ck_assert_double_eq(number(p, "communication_alone_s"), 0);
  cJSON_Delete(c);
  cJSON_Delete(r);
}
END_TEST

/* So it has where they are many, at a rate, with what else happens on the phone; and kernels, communication and the rest of a latency are those of the
 * mean inference. */
START_TEST(long_comparison)
{
  static const char many[] = " squeezenet@poisson:40fps,deadline=40ms --duration=3 --scenario=gaming --seed=7 --format=json";
  static const char *const same[] = {"latency_s", "latency_p50_s", "latency_p90_s", "latency_p99_s", "latency_max_s", "latency_error_s", "latency_drift_frac",
                                     "throughput_per_s", "energy_j", "power_w", "communication_s", "communication_frac", "run_s", "unfinished"};
  char compare[200], one[200];
  snprintf(compare, sizeof compare, "compare --soc=sd855 --policies=codl,band-lst%s", many);
  cJSON *c = run(compare);
  for (int k = 0; k < 2; k++) {
    snprintf(one, sizeof one, "--soc=sd855 --policy=%s%s", k ? "band-lst" : "codl", many);
    cJSON *r = run(one);
    const cJSON *row = cJSON_GetArrayItem(c, k), *network = cJSON_GetArrayItem(array(r, "networks"), 0), *device = cJSON_GetObjectItem(r, "device");
    ck_assert_str_eq(text(row, "fingerprint"), text(r, "fingerprint"));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) ck_assert_double_eq(number(row, same[i]), number(r, same[i]));
    ck_assert_double_eq(number(row, "inferences"), number(network, "inferences"));
    ck_assert_double_eq(number(row, "deadline_s"), number(network, "deadline_s"));
    ck_assert_double_eq(number(row, "late"), number(network, "late"));
    ck_assert_double_eq(number(row, "dropped"), number(network, "dropped"));
    ck_assert_double_eq(number(row, "frames_dropped_frac"), number(cJSON_GetObjectItem(device, "frames"), "dropped_frac"));
    ck_assert_double_gt(number(row, "inferences"), 20);
    ck_assert_double_le(number(row, "kernel_covered_s") + number(row, "communication_alone_s"), number(row, "latency_s"));
    ck_assert_double_gt(number(row, "kernel_covered_s"), 0);
    for (int p = 0; p < 5; p++) {
      const cJSON *of_row = cJSON_GetArrayItem(array(row, "processors"), p), *of_run = cJSON_GetArrayItem(array(r, "processors"), p), *celsius;
      const cJSON *curve = array(cJSON_GetArrayItem(array(cJSON_GetObjectItem(device, "curves"), "processors"), p), "temperature_c");
      ck_assert_double_eq(number(of_row, "utilization_frac"), number(of_run, "utilization_frac"));
      ck_assert_double_eq(number(of_row, "busy_s"), number(of_run, "busy_s"));
      ck_assert_double_eq(number(of_row, "end_c"), cJSON_GetArrayItem(curve, cJSON_GetArraySize(curve) - 1)->valuedouble);
      cJSON_ArrayForEach(celsius, curve) ck_assert_double_le(celsius->valuedouble, number(of_row, "hottest_c"));
    }
    cJSON_Delete(r);
  }
  cJSON *once = run("compare --soc=sd855 --policies=codl squeezenet --format=json");
  cJSON *often = run("compare --soc=sd855 --policies=codl squeezenet -n 7 --format=json");
  static const char *const means[] = {"latency_s", "energy_j", "kernel_covered_s", "communication_alone_s"};
  for (int i = 0; i < 4; i++) {
    double first = number(cJSON_GetArrayItem(once, 0), means[i]);
    ck_assert_double_eq_tol(number(cJSON_GetArrayItem(often, 0), means[i]), first, 1e-9 * first);
  }
  cJSON_Delete(c);
  cJSON_Delete(once);
  cJSON_Delete(often);
}
END_TEST

enum { CELLS = 26, CELL = 60 };

/* Between two blanks or more. */
static int cells_of(const char *line, char cells[][CELL])
{
  int n = 0;
  while (*line && *line != '\n' && n < CELLS) {
    const char *end = strstr(line, "  ");
    size_t length = end ? (size_t)(end - line) : strcspn(line, "\n");
    snprintf(cells[n++], CELL, "%.*s", (int)length, line);
    line += length;
    line += strspn(line, " ");
  }
  return n;
}

/* What a cell under this head says, in words; NULL: nothing that the JSON has as a number. */
static const char *expected(const cJSON *row, const char *head, char *buf, size_t size)
{
  static const struct {
    const char *head, *key, *unit; /* NULL: a whole number; "%": a fraction */
    const char *format;            /* of per cent */
  } numbers[] = {
    {"inferences", "inferences", NULL, NULL}, {"late", "late", NULL, NULL}, {"dropped", "dropped", NULL, NULL}, {"unfinished", "unfinished", NULL, NULL},
    {"latency", "latency_s", "s", NULL}, {"p90", "latency_p90_s", "s", NULL}, {"energy", "energy_j", "J", NULL},
    {"communic.", "communication_frac", "%", "%.1f %%"}, {"frames", "frames_dropped_frac", "%", "%.1f %%"}, {"drift", "latency_drift_frac", "%", "%+.0f %%"},
  };
  const cJSON *p, *hot = NULL;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strcmp(head, numbers[i].head) != 0) continue;
    double v = number(row, numbers[i].key);
    if (!numbers[i].unit) snprintf(buf, size, "%.0f", v);
    else if (numbers[i].format) snprintf(buf, size, numbers[i].format, 100 * v);
    else hs_si(v, numbers[i].unit, buf, size);
    return buf;
  }
  if (strcmp(head, "per second") == 0) return hs_rate(number(row, "throughput_per_s"), buf, size);
  cJSON_ArrayForEach(p, array(row, "processors")) {
    snprintf(buf, size, "%.0f %%", 100 * number(p, "utilization_frac"));
    if (strcmp(head, text(p, "name")) == 0) return buf;
    if (!hot || number(p, "hottest_c") > number(hot, "hottest_c")) hot = p;
  }
  snprintf(buf, size, "%s %.0f C", text(hot, "name"), number(hot, "hottest_c"));
  return strcmp(head, "hottest") == 0 ? buf : NULL;
}

/* Every cell of the table is the number that the JSON has: of one policy that gives requests up, and of one whose queue grows. */
START_TEST(table_of_a_comparison)
{
  static const char what[] = "compare --soc=sd855 squeezenet@burst:10x30fps,deadline=9ms --policies=band-heft,band-fixed -n 300 --scenario=gaming";
  static const char *const policies[] = {"band-heft", "band-fixed"};
  char command[300], line[1000], heads[CELLS][CELL], cells[CELLS][CELL], buf[CELL];
  snprintf(command, sizeof command, "%s --format=json", what);
  cJSON *c = run(command);
  const char *program = getenv("HETSIM");
  snprintf(command, sizeof command, "%s %s", program ? program : "./hetsim", what);
  FILE *f = popen(command, "r");
  ck_assert(f != NULL);
  do ck_assert(fgets(line, sizeof line, f) != NULL);
  while (strncmp(line, "policy  ", 8) != 0);
  int n = cells_of(line, heads);
  for (int i = 0; i < 2; i++) {
    const cJSON *row = cJSON_GetArrayItem(c, i);
    int found = 0;
    ck_assert(fgets(line, sizeof line, f) != NULL);
    ck_assert_int_eq(cells_of(line, cells), n);
    ck_assert_str_eq(cells[0], policies[i]);
    for (int k = 0; k < n; k++) {
      const char *same = expected(row, heads[k], buf, sizeof buf);
      ck_assert_msg(!same || strcmp(cells[k], same) == 0, "%s, %s: %s, not %s", cells[0], heads[k], cells[k], same);
      found += same != NULL;
    }
    ck_assert_int_eq(found, n - 5); /* all but policy, runtime, precision, kernels, plan */
    ck_assert_double_ne(number(row, "late"), number(row, "dropped"));
    ck_assert_double_ne(number(row, "dropped"), number(row, "unfinished"));
  }
  ck_assert_int_eq(pclose(f), 0);
  cJSON_Delete(c);
}
END_TEST

/* band-round-robin gives the first of three to the CPU, the others to processors after it: the plan that is told is the first one's. So it is where a request
 * runs in two pieces. */
START_TEST(plan_of_the_first)
{
  static const char *const runs[] = {"--soc=sd855 squeezenet@200fps --policies=band-round-robin", "--soc=kirin990 yolov2 --policies=band-lst"};
  static const char *const plans[] = {"cpu: 40 cpu", "ops 0-46 on npu, 47-51 on cpu"};
  for (int i = 0; i < 2; i++) {
    char compare[200];
    snprintf(compare, sizeof compare, "compare %s -n 3 --format=json", runs[i]);
    cJSON *c = run(compare);
    ck_assert_str_eq(text(cJSON_GetArrayItem(c, 0), "plan"), plans[i]);
    cJSON_Delete(c);
  }
}
END_TEST

static const char *word(const cJSON *o, const char *key)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  ck_assert_msg(cJSON_IsString(item) && *item->valuestring, "no text \"%s\"", key);
  return item->valuestring;
}

/* The times that the sentence is about, against those beside it. Returns 1 where it says something of speed. */
static int sentence(const cJSON *op)
{
  const cJSON *times = cJSON_GetObjectItem(op, "estimated_s"), *t;
  const char *why = word(op, "why"), *chosen = word(cJSON_GetArrayItem(array(op, "parts"), 0), "processor");
  bool fastest = strstr(why, " is fastest (") != NULL;
  char better[40];
  ck_assert_int_eq(cJSON_IsTrue(cJSON_GetObjectItem(op, "fallback")), strstr(why, "(fallback)") != NULL);
  if (strncmp(why, "split ", 6) == 0) {
    ck_assert_str_ne(word(op, "split"), "none");
    return 1;
  }
  ck_assert_str_eq(word(op, "split"), "none");
  double own = number(times, chosen);
  if (fastest) cJSON_ArrayForEach(t, times) ck_assert_double_le(own, t->valuedouble);
  if (strstr(why, "only ")) ck_assert_int_eq(cJSON_GetArraySize(times), 1);
  const char *faster = strstr(why, " would be faster"), *name = faster; /* behind what may have been said before */
  while (name && name > why && name[-1] != ' ') name--;
  if (name && sscanf(name, "%39s", better) == 1 && !cJSON_GetObjectItem(cJSON_GetArrayItem(array(op, "parts"), 0), "freq_hz"))
    ck_assert_double_lt(number(times, better), own);
  return fastest;
}

static int explained(const char *arguments)
{
  char command[200];
  const cJSON *op, *part;
  double communication = 0;
  int said = 0;
  snprintf(command, sizeof command, "explain %s --format=json", arguments);
  cJSON *e = run(command);
  snprintf(command, sizeof command, "run %s --format=json", arguments);
  cJSON *r = run(command);
  ck_assert_double_eq(number(e, "latency_s"), number(r, "latency_s"));
  ck_assert_double_eq(number(e, "communication_s"), number(r, "communication_s"));
  cJSON_ArrayForEach(op, array(e, "ops"))
  {
    double fractions = 0, ran = 0, start = number(op, "start_s");
    cJSON_ArrayForEach(part, array(op, "parts")) fractions += number(part, "fraction");
    cJSON_ArrayForEach(part, array(op, "parts")) ran += number(part, "ran_s");
    ck_assert(start >= 0 && start <= ran);
    ck_assert_int_eq(start > 0, strstr(word(op, "why"), "begins an invocation") != NULL);
    ck_assert_double_eq_tol(fractions, 1, 1e-9);
    communication += number(op, "communication_s");
    said += sentence(op);
  }
  ck_assert_double_eq_tol(communication, number(r, "communication_s"), 1e-9 * communication);
  ck_assert_int_eq(cJSON_GetArraySize(array(e, "ops")), (int)number(r, "n_ops"));
  ck_assert(number(e, "bottleneck_utilization_frac") <= 1 + 1e-9);
  ck_assert(number(e, "memory_bound_frac") >= 0 && number(e, "memory_bound_frac") <= 1);
  ck_assert_int_ge(cJSON_GetArraySize(array(e, "alternatives")), 1);
  cJSON_Delete(e);
  cJSON_Delete(r);
  return said;
}

START_TEST(explanations)
{
  ck_assert_int_gt(explained("--soc sd855 --policy codl yolov2"), 10);
  explained("--soc sd855 --policy dsp yolov2"); /* fallbacks; whoever is fastest there */
  ck_assert_int_gt(explained("--soc sd855 --runtime tflite --policy gpu yolov2"), 10);
  ck_assert_int_gt(explained("--soc kirin970 --policy mosaic vgg16 --param objective=energy"), 5);
  ck_assert_int_gt(explained("--soc kirin990 --policy mulayer mobilenet_v1"), 5);
  ck_assert_int_gt(explained("--soc kirin960 --policy gpu inception_v4"), 5);
}
END_TEST

/* One item: the paper's numbers as the paper has them, ours as a run gives them, and the error that follows. */
START_TEST(reproduction)
{
  static const double paper_ms[] = {430.0, 66.8, 81.3, 49.1, 55.4, 603.8, 218.7, 42.7, 36.6, 32.5}; /* MOSAIC, Table I */
  cJSON *all = run("reproduce mosaic table-1 --format=json"), *r = run("--soc kirin970 --policy tf-gpu squeezenet --format=json");
  ck_assert_int_eq(cJSON_GetArraySize(all), 1);
  const cJSON *item = cJSON_GetArrayItem(all, 0), *claims = array(item, "claims"), *c;
  ck_assert_str_eq(word(item, "paper"), "mosaic");
  ck_assert_str_eq(word(item, "item"), "table-1");
  ck_assert_int_eq(cJSON_GetArraySize(claims), 30);
  for (int i = 0; i < 10; i++) ck_assert_double_eq_tol(number(cJSON_GetArrayItem(claims, i), "paper"), 1e-3 * paper_ms[i], 1e-12);
  ck_assert_double_eq(number(cJSON_GetArrayItem(claims, 9), "ours"), number(r, "latency_s"));
  cJSON_ArrayForEach(c, claims)
  {
    ck_assert_str_eq(word(c, "kind"), "value");
    ck_assert_double_eq_tol(number(c, "error_frac"), number(c, "ours") / number(c, "paper") - 1, 1e-9);
  }
  cJSON_Delete(all);
  cJSON_Delete(r);
}
END_TEST

/* A whole paper: every kind of claim has its keys, every group of a figure a value per series. */
START_TEST(reproduced_paper)
{
  cJSON *all = run("reproduce study --format=json");
  const cJSON *item, *c, *g;
  int kinds[3] = {0};
  cJSON_ArrayForEach(item, all)
  {
    const cJSON *figure = cJSON_GetObjectItem(item, "figure");
    ck_assert_int_gt(cJSON_GetArraySize(array(item, "claims")), 0);
    cJSON_ArrayForEach(c, array(item, "claims"))
    {
      const char *kind = word(c, "kind");
      ck_assert_int_gt(strlen(word(c, "where")), 0);
      if (strcmp(kind, "statement") == 0) ck_assert(cJSON_IsBool(cJSON_GetObjectItem(c, "holds")) && *word(c, "ours"));
      if (strcmp(kind, "not yet") == 0) ck_assert(*word(c, "needs") && !cJSON_GetObjectItem(c, "ours"));
      kinds[strcmp(kind, "value") == 0 ? 0 : strcmp(kind, "statement") == 0 ? 1 : 2]++;
    }
    if (!figure) continue;
    cJSON_ArrayForEach(g, array(figure, "groups")) ck_assert_int_eq(cJSON_GetArraySize(array(g, "ours")), cJSON_GetArraySize(array(figure, "series")));
  }
  for (int k = 0; k < 3; k++) ck_assert_int_gt(kinds[k], 0);
  cJSON_Delete(all);
}
END_TEST

/* Every number that the text has, the same: coefficients with standard errors, errors fitted and kept out, warnings; the profile is written beside. */
START_TEST(calibration)
{
  static const char *const states[] = {"fitted", "undetermined", "leaning"};
  char *profile = hs_test_file(".json", "", 0), arguments[1500];
  const char *root = getenv("srcdir");
  const cJSON *o;
  int fitted = 0, kept_out = 0, n = 0;
  snprintf(arguments, sizeof arguments, "calibrate --soc sd855 --runtime tflite %s/tests/data/sd855-tflite-gpu-operators.csv -o %s --holdout=0.4 --format=json",
           root ? root : ".", profile);
  cJSON *r = run(arguments), *written = NULL;
  ck_assert_str_eq(cJSON_GetObjectItem(r, "profile")->valuestring, profile);
  ck_assert_int_eq(cJSON_GetArraySize(array(r, "notes")), 0);
  ck_assert_int_eq(cJSON_GetArraySize(array(r, "kernels")), 1);
  const cJSON *k = cJSON_GetArrayItem(array(r, "kernels"), 0);
  ck_assert_str_eq(cJSON_GetObjectItem(k, "processor")->valuestring, "gpu");
  ck_assert_str_eq(cJSON_GetObjectItem(k, "memory_type")->valuestring, "image");
  ck_assert_double_eq(number(k, "n") + number(k, "n_kept_out"), 90);
  ck_assert_double_le(number(k, "n_used"), number(k, "n"));
  ck_assert_double_ge(number(k, "condition"), 1);
  cJSON_ArrayForEach(o, array(k, "coefficients")) {
    const cJSON *error = cJSON_GetObjectItem(o, "standard_error");
    int s = 0;
    while (s < 3 && strcmp(cJSON_GetObjectItem(o, "state")->valuestring, states[s]) != 0) s++;
    ck_assert_int_lt(s, 3);
    ck_assert(s != 1 ? cJSON_IsNumber(error) && error->valuedouble > 0 : cJSON_IsNull(error));
    if (s == 1) ck_assert_double_eq(number(o, "before"), number(o, "value"));
    fitted += s == 0;
  }
  ck_assert_int_gt(fitted, 2);
  cJSON_ArrayForEach(o, array(k, "errors")) {
    bool out = cJSON_IsTrue(cJSON_GetObjectItem(o, "kept_out")), operators = strcmp(cJSON_GetObjectItem(o, "rows")->valuestring, "operators") == 0;
    if (operators) ck_assert_double_eq(number(o, "n"), number(k, out ? "n_kept_out" : "n_used"));
    ck_assert_double_ge(number(o, "mape_frac"), fabs(number(o, "mean_frac")));
    ck_assert_double_gt(number(o, "median_frac"), 0);
    if (operators && !out) ck_assert_double_lt(number(o, "mape_frac"), number(cJSON_GetObjectItem(o, "before"), "mape_frac")); /* it was fitted */
    kept_out += out;
  }
  ck_assert_int_gt(kept_out, 0);
  cJSON_ArrayForEach(o, array(k, "classes")) {
    ck_assert_double_le(number(o, "work_low"), number(o, "work_high"));
    n += (int)number(o, "n");
  }
  ck_assert_double_eq(n, number(k, "n"));
  ck_assert_int_gt(cJSON_GetArraySize(array(k, "warnings")), 0);
  cJSON_ArrayForEach(o, array(k, "warnings")) ck_assert(cJSON_IsString(o) && o->valuestring[0] && !strchr(o->valuestring, '\n'));
  char *text;
  size_t len;
  struct hs_error err;
  hs_test_accepted(hs_file_read(profile, &text, &len, &err), &err);
  written = cJSON_ParseWithOpts(text, NULL, 1);
  ck_assert(written && strcmp(cJSON_GetObjectItem(written, "format")->valuestring, "hetsim-profile/1") == 0);
  remove(profile);
  free(profile);
  free(text);
  cJSON_Delete(written);
  cJSON_Delete(r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, calibration);
  tcase_add_test(t, model);
  tcase_add_test(t, soc_numbers);
  tcase_add_test(t, soc_kernels);
  tcase_add_test(t, policy);
  tcase_add_test(t, lists);
  tcase_add_test(t, comparison);
  tcase_add_test(t, long_comparison);
  tcase_add_test(t, table_of_a_comparison);
  tcase_add_test(t, plan_of_the_first);
  tcase_add_test(t, explanations);
  tcase_add_test(t, reproduction);
  tcase_add_test(t, reproduced_paper);
}

int main(void) { return hs_test_main("json output", fill); }
