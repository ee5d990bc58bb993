/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/cli_table.h"

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "input/catalog.h"
#include "out/report.h"
#include "policies/policy.h"
#include "program/lookup.h"
#include "program/model_word.h"

enum { MAN = 1, COMPLETION };
enum { INFERENCES_MAX = 1000000, RUNS_MAX = 100000 };
static const double DURATION_MAX_S = 86400;

static const char *const format_names[HS_FORMAT_N + 1] = {"text", "json", "csv", NULL};

const struct hs_option_row hs_option_rows[] = {
#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}
#define RUN (1u << HS_COMMAND_RUN)
#define SHOW (1u << HS_COMMAND_SHOW)
#define COMPARE (1u << HS_COMMAND_COMPARE)
#define EXPLAIN (1u << HS_COMMAND_EXPLAIN)
#define REPRODUCE (1u << HS_COMMAND_REPRODUCE)
#define VALIDATE (1u << HS_COMMAND_VALIDATE)
#define CALIBRATE (1u << HS_COMMAND_CALIBRATE)
#define ALL ((1u << HS_COMMAND_N) - 1)
#define TEXT_AT(member) .text = offsetof(struct hs_cli, member)
#define FILE_AT(member) TEXT_AT(member), .is_output = true
#define COUNT_AT(member, most) .count = offsetof(struct hs_cli, member), .max = most
#define FLAG_AT(member) .flag = offsetof(struct hs_cli, member)
#define BY_ITSELF .text = 0 /* in take() */
  {'s', "soc", "NAME", "SoC description: a name (hetsim list socs) or a JSON file", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE, WORDS("@socs"), TEXT_AT(soc)},
  {'p', "policy", "POLICY", "what decides where operators run (hetsim list policies)", RUN | SHOW | EXPLAIN, WORDS("@policies"), TEXT_AT(policy)},
  {'l', "policies", "LIST", "compare only these, in this order: POLICY,POLICY...", COMPARE, WORDS("@policies"), TEXT_AT(policies)},
  {'a', "param", "NAME=VALUE", "parameter of the policy (hetsim show policy NAME); may be repeated", RUN | EXPLAIN, NULL, BY_ITSELF},
  {'O', "objective", "GOAL", "what a policy minimises that asks: latency, energy or edp; same as --param objective=GOAL", RUN | EXPLAIN,
   WORDS("latency", "energy", "edp"), BY_ITSELF},
  {'r', "runtime", "NAME", "whose kernels run (hetsim list runtimes); default: the policy's, else one that can run MODEL",
   RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE, WORDS("@runtimes"), TEXT_AT(runtime)},
  {'m', "memory-type", "TYPE", "OpenCL memory of the GPU: buffer or image; default: the policy's (mulayer: buffer), else the SoC's preferred",
   RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE, hs_memory_type_names, TEXT_AT(memory_type)},
  {'P', "precision", "TYPE", "of the model: fp32, fp16 or int8, where a processor has it, or the other float, else what it has; default: the policy's",
   RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE, hs_precision_names, TEXT_AT(precision)},
  {'t', "threads", "N", "threads of a CPU processor, fastest cores first; default: the runtime's (4, bolt 1)",
   RUN | COMPARE | EXPLAIN | CALIBRATE, NULL, COUNT_AT(threads, HS_CORES_MAX)},
  {'A', "cores", "LIST", "of a CPU instead of --threads: a thread on each core of these domains, as mid:3+big:1",
   RUN | COMPARE | EXPLAIN | CALIBRATE, NULL, TEXT_AT(cores)},
  {'i', "gpu-kernel-time", "TIME", "cut kernels of the GPU that take longer (mace: 1ms), so that the display gets its turn",
   RUN | COMPARE | EXPLAIN, NULL, BY_ITSELF},
  {'w', "gpu-window", "N", "wait for the GPU after every N kernels, for the same reason (mace)",
   RUN | COMPARE | EXPLAIN, NULL, COUNT_AT(gpu_window, HS_GPU_WINDOW_MAX)},
  {'f', "frequency", "LIST", "OPPs: max, min, or a frequency (585MHz), for all, if all have it, or as processor[.domain]=VALUE,...; default: max",
   RUN | COMPARE | EXPLAIN, WORDS("max", "min"), TEXT_AT(frequency)},
  {'z', "opt", "LIST", "optimise: prune=RATIO, lowrank=RATIO, quantize=int8|fp16, fuse, memplan, reuse=RATIO|1|2, between commas",
   RUN | COMPARE | EXPLAIN, NULL, TEXT_AT(opt)},
  {'x', "scenario", "NAME", "what else happens on the phone: a name (hetsim list scenarios) or a JSON file; the options below come on top of it",
   RUN | COMPARE, WORDS("@scenarios"), TEXT_AT(scenario.file)},
  {'G', "governor", "LIST", "who sets frequencies: schedutil, or gpu=userspace:427MHz,cpu.big=ondemand",
   RUN | COMPARE, hs_governor_names, TEXT_AT(scenario.governor)},
  {'K', "temperature", "LIST", "simulated, or held, where step_wise steps once only: gpu=60C,cpu=70C", RUN | COMPARE, NULL, TEXT_AT(scenario.temperature)},
  {'k', "competing", "FILE", "processes of a CSV table, as recorded (doc/formats.md)", RUN | COMPARE, NULL, TEXT_AT(scenario.competing)},
  {'R', "rivals", "LIST", "processes that compete all the time, of the CPU with a thread on each of its fast cores: cpu=2,gpu=1, or 2 of the CPU",
   RUN | COMPARE, NULL, TEXT_AT(scenario.rivals)},
  {'U', "ui", "HZ", "the display draws frames at this rate", RUN | COMPARE, NULL, TEXT_AT(scenario.ui)},
  {'C', "cache-hit", "FRAC", "hit rate of the last-level cache; default: as processes' footprints leave it", RUN | COMPARE, NULL, TEXT_AT(scenario.cache_hit)},
  {'B', "fallback", "LIST", "part of the operators planned for a processor that run on the CPU after all: gpu=0.5",
   RUN | COMPARE, NULL, TEXT_AT(scenario.fallback)},
  {'D', "rpc-thread", "WHERE", "cores of the thread that calls a DSP or NPU: cpu, or cpu.mid; default: the efficiency cores",
   RUN | COMPARE, NULL, TEXT_AT(scenario.rpc_thread)},
  {'I', "profiler", "WHICH", "what policies know: offline (the idle, cool device) or runtime (its held temperatures and its cache as they are); "
   "default: offline",
   RUN | COMPARE, WORDS("offline", "runtime"), TEXT_AT(profiler)},
  {'n', "inferences", "N", "how many of each network, back to back where it has no rate; default: 1",
   RUN | COMPARE, NULL, COUNT_AT(inferences, INFERENCES_MAX)},
  {'d', "duration", "SECONDS", "run for so much simulated time instead of a number of inferences", RUN | COMPARE, NULL, BY_ITSELF},
  {'S', "seed", "N", "seed of all random streams; default: 1", RUN | COMPARE, NULL, BY_ITSELF},
  {'F', "format", "FORMAT", "text, json or csv (of a run); default: text", ALL, format_names, BY_ITSELF},
  {'N', "noise", "RUNS", "draw durations from measured distributions, in so many runs: their mean, p5, p50 and p95; all else is of the first",
   RUN, NULL, COUNT_AT(noise, RUNS_MAX)},
  {'o', "output", "FILE", "write the result to FILE instead of standard output; of calibrate the kernel profile", ALL, NULL, FILE_AT(output)},
  {'T', "timeline", "FILE", "write every task as Chrome trace events (opens in Perfetto)", RUN, NULL, FILE_AT(timeline)},
  {'g', "gantt", "FILE", "write a Gantt chart of the first inference as SVG", RUN, NULL, FILE_AT(gantt)},
  {'v', "curves", "FILE", "write power, frequency and temperature over time as SVG; with a scenario", RUN, NULL, FILE_AT(curves)},
  {'b', "svg", "FILE", "write a bar chart of the comparison, or the figure that is reproduced, as SVG", COMPARE | REPRODUCE, NULL, FILE_AT(svg)},
  {'L', "claims", "FILE", "what is held against the model (doc/formats.md); default: validation/claims.csv", VALIDATE, NULL, TEXT_AT(claims)},
  {'M', "markdown", "FILE", "write the validation's tables as Markdown, too", VALIDATE, NULL, FILE_AT(markdown)},
  {'H', "holdout", "WHAT", "rows kept out of the fit to try it on: a fraction (0.3), or a CSV file of others", CALIBRATE, NULL, TEXT_AT(holdout)},
  {'y', "only", "LIST", "coefficients to fit, by their names in the table: cycles Gelu,overhead_cycles; "
   "all others stay as they are; default: all that the rows speak of", CALIBRATE, NULL, TEXT_AT(only)},
  {'c', "check", NULL, "check the run's invariants; exit with 1 if one is broken", RUN, NULL, FLAG_AT(check)},
  {'h', "help", NULL, "print this help, as hetsim help does; hetsim COMMAND --help: of that command", ALL, NULL, FLAG_AT(help)},
  {'V', "version", NULL, "print the version", ALL, NULL, FLAG_AT(version)},
};
enum { N_ROWS = sizeof hs_option_rows / sizeof *hs_option_rows };
_Static_assert((int)N_ROWS <= (int)HS_OPTIONS_MAX, "hs_cli.given has a place for each");
const int hs_n_option_rows = N_ROWS;

const char *const hs_command_names[HS_COMMAND_N + 1] = {"run", "list", "show", "compare", "explain", "reproduce", "validate", "calibrate", NULL};

/* --- parsing --- */

static enum hs_status whole_number(const char *option, const char *s, long long min, long long max, long long *out, struct hs_error *err)
{
  if (hs_whole_parse(s, min, max, out)) return HS_OK;
  return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a whole number in [%lld, %lld]", option, s, min, max);
}

/* A number of seconds, or a time with its unit, as other options have it. */
static enum hs_status seconds(const char *option, const char *s, double max, double *out, struct hs_error *err)
{
  if (!(hs_decimal_parse(s, out) || hs_time_parse(s, out)) || !(*out > 0 && *out <= max))
    return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a number of seconds in (0, %g]", option, s, max);
  return HS_OK;
}

static enum hs_status kernel_time(const char *option, const char *s, double *out, struct hs_error *err)
{
  if (hs_time_parse(s, out) && *out > 0 && *out <= HS_GPU_KERNEL_MAX_S) return HS_OK;
  return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a time: write 1ms or 800us, in (0, %d s]", option, s, HS_GPU_KERNEL_MAX_S);
}

static enum hs_status add_param(struct hs_cli *cli, const char *option, const char *param, struct hs_error *err)
{
  if (cli->n_params == (int)(sizeof cli->params / sizeof *cli->params)) return hs_fail(err, HS_USAGE, "--%s: too many parameters", option);
  cli->params[cli->n_params++] = param;
  return HS_OK;
}

static enum hs_status take_count(const struct hs_option_row *row, const char *value, int *out, struct hs_error *err)
{
  long long n = 0;
  enum hs_status status = whole_number(row->name, value, 1, row->max, &n, err);
  *out = (int)n;
  return status;
}

static enum hs_status take_seed(struct hs_cli *cli, const struct hs_option_row *row, const char *value, struct hs_error *err)
{
  long long n = 0;
  enum hs_status status = whole_number(row->name, value, 0, (1LL << 53), &n, err);
  cli->seed = (uint64_t)n;
  return status;
}

static enum hs_status take_format(struct hs_cli *cli, const char *value, struct hs_error *err)
{
  int w = 0;
  HS_TRY(hs_lookup_word("format", value, format_names, &w, err));
  cli->format = (enum hs_format)w;
  return HS_OK;
}

static const char **text_at(const struct hs_cli *cli, const struct hs_option_row *row) { return (const char **)((char *)cli + row->text); }

static enum hs_status take(struct hs_cli *cli, const struct hs_option_row *row, const char *value, struct hs_error *err)
{
  if (row->text) *text_at(cli, row) = value;
  if (row->flag) *(bool *)((char *)cli + row->flag) = true;
  if (row->count) return take_count(row, value, (int *)((char *)cli + row->count), err);
  switch (row->id) {
  case 'a': return add_param(cli, row->name, value, err);
  case 'O':
    snprintf(cli->objective, sizeof cli->objective, "objective=%s", value);
    return add_param(cli, row->name, cli->objective, err);
  case 'i': return kernel_time(row->name, value, &cli->gpu_kernel_s, err);
  case 'd': return seconds(row->name, value, DURATION_MAX_S, &cli->duration_s, err);
  case 'S': return take_seed(cli, row, value, err);
  case 'F': return take_format(cli, value, err);
  default: return HS_OK;
  }
}

static enum hs_status unknown_option(const char *given, struct hs_error *err)
{
  const char *names[N_ROWS];
  char name[40];
  for (int i = 0; i < N_ROWS; i++) names[i] = hs_option_rows[i].name;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
  int near = hs_nearest(name + strspn(name, "-"), names, N_ROWS);
  return hs_fail(err, HS_USAGE, "unknown option %.60s%s%s%s", given, near < 0 ? "" : "; did you mean --", near < 0 ? "" : names[near], near < 0 ? "" : "?");
}

static enum hs_status parse_options(int argc, char **argv, struct hs_cli *cli, uint64_t *used, struct hs_error *err)
{
  struct option longs[N_ROWS + 3] = {{0}};
  char shorts[3 * N_ROWS + 3] = ":";
  for (int i = 0; i < N_ROWS; i++) {
    longs[i] = (struct option){hs_option_rows[i].name, hs_option_rows[i].argument ? required_argument : no_argument, NULL, hs_option_rows[i].id};
    size_t n = strlen(shorts);
    snprintf(shorts + n, sizeof shorts - n, "%c%s", hs_option_rows[i].id, hs_option_rows[i].argument ? ":" : "");
  }
  longs[N_ROWS] = (struct option){"man", no_argument, NULL, MAN}; /* what is printed for the installation is no option of the table */
  longs[N_ROWS + 1] = (struct option){"completion", no_argument, NULL, COMPLETION};
  opterr = 0;
  optind = 0; /* anew, whatever was parsed before */
  for (int id; (id = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    const char *given = argv[optind - 1];
    if (id == ':') return hs_fail(err, HS_USAGE, "%.60s needs an argument", given);
    if (id == '?' && optopt) return hs_fail(err, HS_USAGE, "unknown option, or an argument too many: %.60s", given);
    if (id == '?') return unknown_option(given, err);
    if (id == MAN) cli->man = true;
    if (id == COMPLETION) cli->completion = true;
    for (int i = 0; i < N_ROWS; i++)
      if (hs_option_rows[i].id == id) {
        bool again = hs_option_rows[i].argument && (*used >> i & 1) && id != 'a';
        enum hs_status status = again ? hs_fail(err, HS_USAGE, "--%s is given twice", hs_option_rows[i].name) : take(cli, &hs_option_rows[i], optarg, err);
        if (status) return status;
        cli->given[i] = hs_option_rows[i].argument ? optarg : NULL;
        *used |= (uint64_t)1 << i;
      }
  }
  return HS_OK;
}

/* Is this word a command's name? Then it's that one. */
static bool take_command(const char *word, struct hs_cli *cli)
{
  for (int k = 0; k < HS_COMMAND_N && !cli->named; k++)
    if (strcmp(word, hs_command_names[k]) == 0) {
      cli->command = (enum hs_command)k;
      cli->named = true;
    }
  return cli->named;
}

/* The command, where the first word is one, and what follows it. */
static enum hs_status parse_words(int argc, char **argv, struct hs_cli *cli, struct hs_error *err)
{
  int first = optind;
  if (first < argc && take_command(argv[first], cli)) first++;
  for (int i = first; i < argc; i++) {
    if (cli->n_words == HS_CLI_WORDS_MAX)
      return hs_fail(err, HS_USAGE, "%.60s is one too many: at most %d networks or files at a time", argv[i], HS_CLI_WORDS_MAX);
    cli->words[cli->n_words++] = argv[i];
  }
  return HS_OK;
}

static const char *output_of(const struct hs_cli *cli, const struct hs_option_row *row)
{
  if (!row->is_output) return NULL;
  const char *path = *text_at(cli, row);
  return path || row->text != offsetof(struct hs_cli, output) ? path : "-";
}

static bool is_stdout(const char *path)
{
  static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  bool is = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) is |= strcmp(path, names[i]) == 0;
  return is;
}

/* Two results in one file would leave one of them, and on standard output mix. Other devices take any number. */
static enum hs_status check_results(const struct hs_cli *cli, struct hs_error *err)
{
  for (int i = 0; i < N_ROWS; i++) {
    const char *path = output_of(cli, &hs_option_rows[i]);
    if (!path || (strncmp(path, "/dev/", 5) == 0 && !is_stdout(path))) continue;
    for (int k = 0; k < i; k++) {
      const char *other = output_of(cli, &hs_option_rows[k]);
      if (other && (strcmp(other, path) == 0 || (is_stdout(other) && is_stdout(path))))
        return hs_fail(err, HS_USAGE, "--%s and --%s both go to %.100s", hs_option_rows[k].name, hs_option_rows[i].name,
                       is_stdout(path) ? "standard output" : path);
    }
  }
  return HS_OK;
}

bool hs_cli_writes_files(const struct hs_cli *cli)
{
  bool any = false;
  for (int i = 0; i < N_ROWS; i++) any |= hs_option_rows[i].is_output && *text_at(cli, &hs_option_rows[i]);
  return any;
}

enum hs_status hs_cli_parse(int argc, char **argv, struct hs_cli *cli, struct hs_error *err)
{
  uint64_t used = 0;
  *cli = (struct hs_cli){.seed = HS_SEED};
  enum hs_status status = parse_options(argc, argv, cli, &used, err);
  bool word = optind < argc && strcmp(argv[optind], "help") == 0;
  cli->help |= word;
  if (cli->help && optind + word < argc) take_command(argv[optind + word], cli);
  if (status || cli->help || cli->version || cli->man || cli->completion) return status;
  HS_TRY(parse_words(argc, argv, cli, err));
  for (int i = 0; i < N_ROWS; i++)
    if (used >> i & 1 && !(hs_option_rows[i].commands >> cli->command & 1))
      return hs_fail(err, HS_USAGE, "--%s does not go with hetsim %s", hs_option_rows[i].name, hs_command_names[cli->command]);
  if (cli->inferences && cli->duration_s > 0) return hs_fail(err, HS_USAGE, "--inferences and --duration: a run ends by one of them");
  if (!cli->inferences && cli->duration_s <= 0) cli->inferences = 1;
  if (cli->command != HS_COMMAND_RUN && cli->format == HS_FORMAT_CSV) return hs_fail(err, HS_USAGE, "--format=csv goes with hetsim run only");
  return check_results(cli, err);
}

/* Not the name of something that comes with hetsim. */
static bool is_file(const char *s)
{
  const char *dot = strrchr(s, '.');
  return strchr(s, '/') || (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".csv") == 0));
}

/* A network that comes with hetsim, by whatever name; a file is one until it's read. */
static bool is_model(const char *word)
{
  struct hs_catalog c;
  struct hs_graph *g = NULL;
  struct hs_error ignored;
  char name[PATH_MAX];
  snprintf(name, sizeof name, "%.*s", (int)(hs_model_word_end(word) - word), word);
  if (is_file(name)) return true;
  bool no = hs_catalog_open(&c, &ignored) == HS_OK && hs_catalog_workload(&c, name, &g, &ignored) == HS_USAGE;
  hs_graph_free(g);
  hs_catalog_close(&c);
  return !no;
}

static enum hs_status no_command(const char *word, struct hs_error *err)
{
  struct hs_text names = {0};
  for (int i = 0; i < HS_COMMAND_N; i++) hs_text_addf(&names, "%s%s", i ? ", " : "", hs_command_names[i]);
  hs_fail(err, HS_USAGE, "\"%.80s\" is neither a command (there are: %s) nor a network (hetsim list models)", word, names.s);
  hs_text_free(&names);
  return err->status;
}

enum hs_status hs_cli_missing(const struct hs_cli *cli, const char *what, struct hs_error *err)
{
  int near = cli->n_words && !cli->named ? hs_nearest(cli->words[0], hs_command_names, HS_COMMAND_N) : -1;
  if (near >= 0) return hs_fail(err, HS_USAGE, "%s is missing, or did you mean hetsim %s?", what, hs_command_names[near]);
  if (cli->n_words && !cli->named && !is_model(cli->words[0])) return no_command(cli->words[0], err);
  return hs_fail(err, HS_USAGE, "%s is missing", what);
}

/* As a shell reads it as one word. */
static void add_word(const char *word, struct hs_text *out)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%_+=:,./-";
  if (*word && !word[strspn(word, plain)]) {
    hs_text_add(out, word);
    return;
  }
  hs_text_add(out, "'");
  for (; *word; word++)
    if (*word == '\'')
      hs_text_add(out, "'\\''");
    else
      hs_text_addf(out, "%c", *word);
  hs_text_add(out, "'");
}

static void add_option(const char *name, const char *value, struct hs_text *out)
{
  hs_text_addf(out, "--%s=", name);
  add_word(value, out);
  hs_text_add(out, " ");
}

static int compare_params(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* --objective, which is among them, has a row of its own. */
static void add_params(const struct hs_cli *cli, struct hs_text *out)
{
  const char *params[sizeof cli->params / sizeof *cli->params];
  memcpy(params, cli->params, sizeof params);
  qsort(params, (size_t)cli->n_params, sizeof *params, compare_params);
  for (int k = 0; k < cli->n_params; k++) {
    const char *goal = strncmp(params[k], "objective=", 10) == 0 ? params[k] + 10 : NULL;
    if (params[k] != cli->objective) add_option(goal ? "objective" : "param", goal ? goal : params[k], out);
  }
}

void hs_cli_command(const struct hs_cli *cli, struct hs_text *out)
{
  for (int i = 0; i < N_ROWS; i++) {
    char id = hs_option_rows[i].id;
    if (!cli->given[i] || id == 'F' || hs_option_rows[i].is_output) continue;
    if (id == 'a')
      add_params(cli, out);
    else
      add_option(hs_option_rows[i].name, cli->given[i], out);
  }
  for (int i = 0; i < cli->n_words; i++) {
    if (i) hs_text_add(out, " ");
    add_word(cli->words[i], out);
  }
}

struct hs_run_options hs_cli_run_options(const struct hs_cli *cli)
{
  bool run = cli->command == HS_COMMAND_RUN;
  return (struct hs_run_options){.soc = cli->soc, .policy = cli->policy, .runtime = cli->runtime, .memory_type = cli->memory_type,
                             .precision = cli->precision, .frequency = cli->frequency, .opt = cli->opt, .threads = cli->threads,
                             .cores = cli->cores, .gpu_kernel_s = cli->gpu_kernel_s, .gpu_window = cli->gpu_window, .seed = cli->seed,
                             .n_params = cli->n_params, .params = cli->params, .scenario = cli->scenario, .profiler = cli->profiler,
                             .model = cli->words[0], .n_more = run ? cli->n_words - 1 : 0, .more = cli->words + 1};
}
