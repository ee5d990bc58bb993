/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/cli.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "out/report.h"
#include "policies/policy.h"

enum { INFERENCES_MAX = 1000000, WINDOW_MAX = 10000, RUNS_MAX = 100000, THREADS_MAX = 16 };
static const double DURATION_MAX_S = 86400;

/* Options in the order of the help. `commands`: bit mask of enum hs_command. */
static const struct option_row {
  char id; /* also the short option where it is a letter */
  const char *name, *argument, *help;
  unsigned commands;
} rows[] = {
#define RUN (1u << HS_COMMAND_RUN)
#define SHOW (1u << HS_COMMAND_SHOW)
#define COMPARE (1u << HS_COMMAND_COMPARE)
#define EXPLAIN (1u << HS_COMMAND_EXPLAIN)
#define REPRODUCE (1u << HS_COMMAND_REPRODUCE)
#define VALIDATE (1u << HS_COMMAND_VALIDATE)
#define CALIBRATE (1u << HS_COMMAND_CALIBRATE)
#define ALL ((1u << HS_COMMAND_N) - 1)
  {'s', "soc", "NAME", "SoC description: a name (hetsim list socs) or a JSON file", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE},
  {'p', "policy", "NAME", "what decides where operators run (hetsim list policies)", RUN | SHOW | EXPLAIN},
  {'l', "policies", "LIST", "compare only these, in this order: NAME,NAME…", COMPARE},
  {'a', "param", "NAME=VALUE", "parameter of the policy (hetsim show policy NAME); may be repeated", RUN | EXPLAIN},
  {'O', "objective", "GOAL", "what a policy minimises that asks: latency, energy or edp; same as --param objective=GOAL", RUN | EXPLAIN},
  {'r', "runtime", "NAME", "whose kernels run (hetsim list runtimes); default: the policy's, else one that can run MODEL", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE},
  {'m', "memory-type", "TYPE", "OpenCL memory of the GPU: buffer or image; default: the SoC's preferred", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE},
  {'P', "precision", "TYPE", "of the model: fp32, fp16 or int8, where a processor has it, or the other float; default: the policy's", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE},
  {'t', "threads", "N", "threads of a CPU processor, fastest cores first; default: the runtime's (4)", RUN | SHOW | COMPARE | EXPLAIN | CALIBRATE},
  {'A', "cores", "LIST", "of a CPU instead of --threads: a thread on each core of these domains, as mid:3+big:1", RUN | SHOW | COMPARE | EXPLAIN},
  {'i', "gpu-kernel-time", "TIME", "cut kernels of the GPU that take longer (mace: 1ms), so that the display gets its turn", RUN | SHOW | COMPARE | EXPLAIN},
  {'w', "gpu-window", "N", "wait for the GPU after every N kernels, for the same reason (mace)", RUN | SHOW | COMPARE | EXPLAIN},
  {'f', "frequency", "LIST", "OPPs: max, min, or a frequency, for all or as processor[.domain]=VALUE,…; default: max", RUN | SHOW | COMPARE | EXPLAIN},
  {'z', "opt", "LIST", "optimise: prune=RATIO, lowrank=RATIO, quantize=int8|fp16, fuse, memplan, reuse=RATIO|1|2, between commas", RUN | COMPARE | EXPLAIN},
  {'x', "scenario", "NAME", "what else happens on the phone: a name (hetsim list scenarios) or a JSON file; the options below come on top of it", RUN | COMPARE},
  {'G', "governor", "LIST", "who sets frequencies: schedutil, or gpu=userspace:427MHz,cpu.big=ondemand", RUN | COMPARE},
  {'K', "temperature", "LIST", "simulated, or held: gpu=60C,cpu=70C", RUN | COMPARE},
  {'k', "competing", "FILE", "processes of a CSV table, as recorded (doc/formats.md)", RUN | COMPARE},
  {'R', "rivals", "LIST", "processes that compete all the time: cpu=2,gpu=1, or 2 of the CPU", RUN | COMPARE},
  {'U', "ui", "HZ", "the display draws frames at this rate", RUN | COMPARE},
  {'C', "cache-hit", "FRAC", "hit rate of the last-level cache; default: as processes' footprints leave it", RUN | COMPARE},
  {'B', "fallback", "LIST", "part of the operators planned for a processor that run on the CPU after all: gpu=0.5", RUN | COMPARE},
  {'D', "rpc-thread", "WHERE", "cores of the thread that calls a DSP or NPU: cpu, or cpu.mid; default: the efficiency cores", RUN | COMPARE},
  {'I', "profiler", "WHICH", "what policies know: offline (the idle, cool device) or runtime (its held temperatures and its cache as they are); default: offline",
   RUN | COMPARE},
  {'n', "inferences", "N", "how many of each network, back to back where it has no rate; default: 1", RUN},
  {'d', "duration", "SECONDS", "run for so much simulated time instead of a number of inferences", RUN},
  {'S', "seed", "N", "seed of all random streams; default: 1", RUN},
  {'F', "format", "FORMAT", "text, json or csv (of a run); default: text", ALL},
  {'N', "noise", "RUNS", "draw durations from measured distributions, in so many runs: their mean, p5, p50 and p95; all else is of the first", RUN},
  {'o', "output", "FILE", "write the result to FILE instead of standard output; of calibrate the kernel profile", ALL},
  {'T', "timeline", "FILE", "write every task as Chrome trace events (opens in Perfetto)", RUN},
  {'g', "gantt", "FILE", "write a Gantt chart of the first inference as SVG", RUN},
  {'v', "curves", "FILE", "write power, frequency and temperature over time as SVG; with a scenario", RUN},
  {'b', "svg", "FILE", "write a bar chart of the comparison, or the figure that is reproduced, as SVG", COMPARE | REPRODUCE},
  {'L', "claims", "FILE", "what is held against the model (doc/formats.md); default: validation/claims.csv", VALIDATE},
  {'M', "markdown", "FILE", "write the validation's tables as Markdown, too", VALIDATE},
  {'H', "holdout", "WHAT", "rows kept out of the fit to try it on: a fraction (0.3), or a CSV file of others", CALIBRATE},
  {'y', "only", "LIST", "coefficients to fit, by their names in the table: cycles Gelu,overhead_cycles; all others stay as they are; default: all that the rows speak of", CALIBRATE},
  {'c', "check", NULL, "check the run's invariants; exit with 1 if one is broken", RUN},
  {'h', "help", NULL, "print this help, as hetsim help does", ALL},
  {'V', "version", NULL, "print the version", ALL},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static const char *const command_names[HS_COMMAND_N + 1] = {"run", "list", "show", "compare", "explain", "reproduce", "validate", "calibrate", NULL};
static const char *const format_names[HS_FORMAT_N + 1] = {"text", "json", "csv", NULL};

/* --- parsing --- */

static enum hs_status whole_number(const char *option, const char *s, long long min, long long max, long long *out, struct hs_error *err)
{
  char *end;
  errno = 0;
  *out = strtoll(s, &end, 10);
  if (errno || end == s || *end || *out < min || *out > max)
    return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a whole number in [%lld, %lld]", option, s, min, max);
  return HS_OK;
}

static enum hs_status seconds(const char *option, const char *s, double max, double *out, struct hs_error *err)
{
  const char *rest = s + strspn(s, "0123456789.");
  char *end;
  *out = strtod(s, &end);
  if (rest == s || end != rest || *end || !(*out > 0 && *out <= max))
    return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a number of seconds in (0, %g]", option, s, max);
  return HS_OK;
}

static enum hs_status kernel_time(const char *option, const char *s, double *out, struct hs_error *err)
{
  if (hs_time_parse(s, out) && *out > 0 && *out <= 1) return HS_OK;
  return hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not a time: write 1ms or 800us, in (0, 1 s]", option, s);
}

static enum hs_status word(const char *option, const char *s, const char *const *words, int *out, struct hs_error *err)
{
  for (*out = 0; words[*out]; ++*out)
    if (strcmp(words[*out], s) == 0) return HS_OK;
  struct hs_text list = {0};
  hs_text_words(&list, words);
  hs_fail(err, HS_USAGE, "--%s: \"%.40s\" is not one of %s", option, s, list.s);
  hs_text_free(&list);
  return err->status;
}

static enum hs_status add_param(struct hs_cli *cli, const char *option, const char *param, struct hs_error *err)
{
  if (cli->n_params == (int)(sizeof cli->params / sizeof *cli->params)) return hs_fail(err, HS_USAGE, "--%s: too many parameters", option);
  cli->params[cli->n_params++] = param;
  return HS_OK;
}

/* Where an option is kept that stays as it was written; NULL: not such a one. */
static const char **text_of(struct hs_cli *cli, char id)
{
  switch (id) {
  case 's': return &cli->soc;
  case 'p': return &cli->policy;
  case 'r': return &cli->runtime;
  case 'm': return &cli->memory_type;
  case 'P': return &cli->precision;
  case 'f': return &cli->frequency;
  case 'A': return &cli->cores;
  case 'z': return &cli->opt;
  case 'x': return &cli->scenario.file;
  case 'G': return &cli->scenario.governor;
  case 'K': return &cli->scenario.temperature;
  case 'k': return &cli->scenario.competing;
  case 'R': return &cli->scenario.rivals;
  case 'U': return &cli->scenario.ui;
  case 'C': return &cli->scenario.cache_hit;
  case 'B': return &cli->scenario.fallback;
  case 'D': return &cli->scenario.rpc_thread;
  case 'I': return &cli->profiler;
  case 'o': return &cli->output;
  case 'T': return &cli->timeline;
  case 'l': return &cli->policies;
  case 'b': return &cli->svg;
  case 'g': return &cli->gantt;
  case 'v': return &cli->curves;
  case 'L': return &cli->claims;
  case 'M': return &cli->markdown;
  case 'H': return &cli->holdout;
  case 'y': return &cli->only;
  default: return NULL;
  }
}

static enum hs_status take_count(const struct option_row *row, const char *value, int max, int *out, struct hs_error *err)
{
  long long n = 0;
  enum hs_status status = whole_number(row->name, value, 1, max, &n, err);
  *out = (int)n;
  return status;
}

static enum hs_status take_seed(struct hs_cli *cli, const struct option_row *row, const char *value, struct hs_error *err)
{
  long long n = 0;
  enum hs_status status = whole_number(row->name, value, 0, (1LL << 53), &n, err);
  cli->seed = (uint64_t)n;
  return status;
}

static enum hs_status take_format(struct hs_cli *cli, const struct option_row *row, const char *value, struct hs_error *err)
{
  int w = 0;
  enum hs_status status = word(row->name, value, format_names, &w, err);
  cli->format = (enum hs_format)w;
  return status;
}

static enum hs_status take(struct hs_cli *cli, const struct option_row *row, const char *value, struct hs_error *err)
{
  const char **text = text_of(cli, row->id);
  if (text) *text = value;
  switch (row->id) {
  case 'a': return add_param(cli, row->name, value, err);
  case 'O':
    snprintf(cli->objective, sizeof cli->objective, "objective=%s", value);
    return add_param(cli, row->name, cli->objective, err);
  case 'c': cli->check = true; break;
  case 'h': cli->help = true; break;
  case 'V': cli->version = true; break;
  case 't': return take_count(row, value, THREADS_MAX, &cli->threads, err);
  case 'n': return take_count(row, value, INFERENCES_MAX, &cli->inferences, err);
  case 'i': return kernel_time(row->name, value, &cli->gpu_kernel_s, err);
  case 'w': return take_count(row, value, WINDOW_MAX, &cli->gpu_window, err);
  case 'd': return seconds(row->name, value, DURATION_MAX_S, &cli->duration_s, err);
  case 'S': return take_seed(cli, row, value, err);
  case 'N': return take_count(row, value, RUNS_MAX, &cli->noise, err);
  case 'F': return take_format(cli, row, value, err);
  default: break;
  }
  return HS_OK;
}

static enum hs_status unknown_option(const char *given, struct hs_error *err)
{
  const char *names[N_ROWS];
  char name[40];
  for (int i = 0; i < N_ROWS; i++) names[i] = rows[i].name;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
  int near = hs_nearest(name + strspn(name, "-"), names, N_ROWS);
  return hs_fail(err, HS_USAGE, "unknown option %.60s%s%s%s", given, near < 0 ? "" : "; did you mean --", near < 0 ? "" : names[near], near < 0 ? "" : "?");
}

static enum hs_status parse_options(int argc, char **argv, struct hs_cli *cli, uint64_t *used, struct hs_error *err)
{
  struct option longs[N_ROWS + 2] = {{0}};
  char shorts[3 * N_ROWS + 3] = ":";
  for (int i = 0; i < N_ROWS; i++) {
    longs[i] = (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument, NULL, rows[i].id};
    size_t n = strlen(shorts);
    snprintf(shorts + n, sizeof shorts - n, "%c%s", rows[i].id, rows[i].argument ? ":" : "");
  }
  longs[N_ROWS] = (struct option){"man", no_argument, NULL, 1};
  opterr = 0;
  optind = 1;
  for (int id; (id = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    const char *given = argv[optind - 1];
    if (id == ':') return hs_fail(err, HS_USAGE, "%.60s needs an argument", given);
    if (id == '?' && optopt) return hs_fail(err, HS_USAGE, "unknown option, or an argument too many: %.60s", given);
    if (id == '?') return unknown_option(given, err);
    if (id == 1) {
      cli->man = true;
      continue;
    }
    for (int i = 0; i < N_ROWS; i++)
      if (rows[i].id == id) {
        enum hs_status status = take(cli, &rows[i], optarg, err);
        if (status) return status;
        *used |= (uint64_t)1 << i;
      }
  }
  return HS_OK;
}

/* The command, where the first word is one, and what follows it. */
static enum hs_status parse_words(int argc, char **argv, struct hs_cli *cli, struct hs_error *err)
{
  int first = optind;
  for (int k = 0; k < HS_COMMAND_N && first < argc; k++)
    if (strcmp(argv[first], command_names[k]) == 0) {
      cli->command = (enum hs_command)k;
      first++;
      break;
    }
  for (int i = first; i < argc; i++) {
    if (cli->n_words == (int)(sizeof cli->words / sizeof *cli->words)) return hs_fail(err, HS_USAGE, "too many arguments: %.60s", argv[i]);
    cli->words[cli->n_words++] = argv[i];
  }
  return HS_OK;
}

const char *hs_cli_measured_file(const char *word, const char **colon)
{
  const char *equals = strchr(word, '='), *c = equals;
  while (c && c > word && *c != ':') c--;
  *colon = c && c > word ? c : NULL;
  return *colon ? equals + 1 : word;
}

/* Not the name of something that comes with hetsim. */
static bool is_file(const char *s)
{
  const char *dot = strrchr(s, '.');
  return strchr(s, '/') || (dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".csv") == 0));
}

/* The same file, however its name is written. What a link that is written to leads to stays: the link is replaced. */
static bool same_file(const char *input, const char *output)
{
  struct stat in, out;
  if (strcmp(input, output) == 0) return true;
  return stat(input, &in) == 0 && lstat(output, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* The file that a word names: measurements, or a network. NULL: the name of one that comes with hetsim, or something else. */
static const char *file_of(const struct hs_cli *cli, const char *word, char *buf, size_t size)
{
  const char *colon;
  if (cli->command == HS_COMMAND_CALIBRATE) return hs_cli_measured_file(word, &colon);
  snprintf(buf, size, "%.*s", (int)(hs_setup_end_of_model(word) - word), word);
  return is_file(buf) ? buf : NULL;
}

static enum hs_status check_replaced(const struct hs_cli *cli, const char *option, const char *path, struct hs_error *err)
{
  const char *colon, *names[] = {cli->soc, cli->scenario.file};
  const char *files[] = {cli->scenario.competing, cli->claims, cli->holdout ? hs_cli_measured_file(cli->holdout, &colon) : NULL};
  char buf[PATH_MAX];
  bool replaced = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) replaced |= names[i] && is_file(names[i]) && same_file(names[i], path);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) replaced |= files[i] && same_file(files[i], path);
  for (int i = 0; i < cli->n_words; i++) {
    const char *file = file_of(cli, cli->words[i], buf, sizeof buf);
    replaced |= file && same_file(file, path);
  }
  return replaced ? hs_fail(err, HS_USAGE, "--%s=%.100s would replace what is read from it", option, path) : HS_OK;
}

/* Two results in one file would leave one of them, and one in the place of an input destroys that. Devices take any number. */
static enum hs_status check_files(const struct hs_cli *cli, struct hs_error *err)
{
  const struct {
    const char *option, *path;
  } outputs[] = {{"output", cli->output ? cli->output : "-"}, {"timeline", cli->timeline}, {"gantt", cli->gantt}, {"curves", cli->curves},
                 {"svg", cli->svg}, {"markdown", cli->markdown}};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    const char *path = outputs[i].path;
    if (!path || strncmp(path, "/dev/", 5) == 0) continue;
    for (size_t k = 0; k < i; k++)
      if (outputs[k].path && strcmp(outputs[k].path, path) == 0)
        return hs_fail(err, HS_USAGE, "--%s and --%s both go to %.100s", outputs[k].option, outputs[i].option, strcmp(path, "-") == 0 ? "standard output" : path);
    if (strcmp(path, "-") != 0) HS_TRY(check_replaced(cli, outputs[i].option, path, err));
  }
  return HS_OK;
}

enum hs_status hs_cli_parse(int argc, char **argv, struct hs_cli *cli, struct hs_error *err)
{
  uint64_t used = 0;
  *cli = (struct hs_cli){.seed = 1};
  enum hs_status status = parse_options(argc, argv, cli, &used, err);
  cli->help |= optind < argc && strcmp(argv[optind], "help") == 0;
  if (status || cli->help || cli->version || cli->man) return status;
  HS_TRY(parse_words(argc, argv, cli, err));
  for (int i = 0; i < N_ROWS; i++)
    if (used >> i & 1 && !(rows[i].commands >> cli->command & 1))
      return hs_fail(err, HS_USAGE, "--%s does not go with hetsim %s", rows[i].name, command_names[cli->command]);
  if (cli->inferences && cli->duration_s > 0) return hs_fail(err, HS_USAGE, "--inferences and --duration: a run ends by one of them");
  if (!cli->inferences && cli->duration_s <= 0) cli->inferences = 1;
  if (cli->command != HS_COMMAND_RUN && cli->format == HS_FORMAT_CSV) return hs_fail(err, HS_USAGE, "--format=csv goes with hetsim run only");
  return check_files(cli, err);
}

enum hs_status hs_cli_missing(const struct hs_cli *cli, const char *what, struct hs_error *err)
{
  int near = cli->n_words ? hs_nearest(cli->words[0], command_names, HS_COMMAND_N) : -1;
  if (near < 0) return hs_fail(err, HS_USAGE, "%s is missing", what);
  return hs_fail(err, HS_USAGE, "%s is missing, or did you mean hetsim %s?", what, command_names[near]);
}

struct hs_request hs_cli_request(const struct hs_cli *cli)
{
  bool run = cli->command == HS_COMMAND_RUN;
  return (struct hs_request){.soc = cli->soc, .policy = cli->policy, .runtime = cli->runtime, .memory_type = cli->memory_type,
                             .precision = cli->precision, .frequency = cli->frequency, .opt = cli->opt, .threads = cli->threads,
                             .cores = cli->cores, .gpu_kernel_s = cli->gpu_kernel_s, .gpu_window = cli->gpu_window, .seed = cli->seed,
                             .n_params = cli->n_params, .params = cli->params, .scenario = cli->scenario, .profiler = cli->profiler,
                             .model = cli->words[0], .n_more = run ? cli->n_words - 1 : 0, .more = cli->words + 1};
}

/* --- help --- */

static const char *const synopsis[] = {
  "hetsim [run] --soc NAME --policy NAME MODEL[@PATTERN][,deadline=TIME][,priority=N][:POLICY]... [OPTION]...",
  "hetsim compare --soc NAME MODEL [--policies=NAME,NAME...] [--svg=FILE] [--format=json]",
  "hetsim explain --soc NAME --policy NAME MODEL [--param NAME=VALUE]... [--format=json]",
  "hetsim reproduce [mosaic|nn-stretch|study [TABLE-OR-FIGURE]] [--svg=FILE] [--format=json]",
  "hetsim calibrate --soc NAME --runtime NAME MEASUREMENTS.csv|MODEL:PROCESSOR=PROFILE.csv... -o FILE.json [--holdout=WHAT] [--only=LIST]",
  "hetsim validate [--claims=FILE] [--markdown=FILE] [--format=json]",
  "hetsim list socs|models|policies|runtimes|scenarios|reproductions [--format=json]",
  "hetsim show soc NAME | model NAME [--soc NAME] | policy NAME [--format=json]",
};
enum { N_SYNOPSIS = sizeof synopsis / sizeof *synopsis };

static const struct {
  const char *example, *help;
} patterns[] = {
  {"30fps", "one request every 1/30 s, the first at 0"},
  {"poisson:20fps", "20 requests per second on average, at random (exponential gaps, --seed)"},
  {"burst:5x10fps", "5 requests at a time, 10 times per second on average, at random"},
};
enum { N_PATTERNS = sizeof patterns / sizeof *patterns };

static const char *const exit_codes[] = {
  [HS_OK] = "done",
  [HS_UNMET] = "a stated requirement failed (--check, validate), the device shut down, or a network starves; what ran until then is reported",
  [HS_USAGE] = "usage: an option, a name or a value",
  [HS_INPUT] = "an input file, or a network that can't run there",
  [HS_POLICY] = "a policy broke its contract",
  [HS_ENGINE] = "the simulation engine failed",
  [HS_IO] = "reading or writing a file failed"};

void hs_cli_help(struct hs_text *t)
{
  hs_text_add(t, "Simulates deep-learning inference on the processors of mobile SoCs.\n\n");
  for (int i = 0; i < N_SYNOPSIS; i++) hs_text_addf(t, "%s %s\n", i ? "      " : "Usage:", synopsis[i]);
  hs_text_add(t, "\nMODEL is a name (hetsim list models) or a JSON file. Several run at the same time, each under a policy of its own or\n"
                 "else --policy. Its requests come back to back, or by a PATTERN:\n");
  for (int i = 0; i < N_PATTERNS; i++) hs_text_addf(t, "  %-15s %s\n", patterns[i].example, patterns[i].help);
  hs_text_add(t, "A request is late after its deadline (50ms, 1.5s), for NAME@30fps by default the next frame. Priority is 0 to 99, default 0: of\n"
                 "what waits for a network's policy or an accelerator, the highest goes first.\n\nOptions:\n");
  for (int i = 0; i < N_ROWS; i++) {
    char left[40];
    snprintf(left, sizeof left, "-%c, --%s%s%s", rows[i].id, rows[i].name, rows[i].argument ? "=" : "", rows[i].argument ? rows[i].argument : "");
    hs_text_addf(t, "  %-24s %s\n", left, rows[i].help);
  }
  hs_text_add(t, "\nPolicies:");
  for (int i = 0; i < hs_n_policies; i++) hs_text_addf(t, "%s %s", i ? "," : "", hs_policies[i]->name);
  hs_text_add(t, "\n\nExit status:\n");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) hs_text_addf(t, "  %zu  %s\n", i, exit_codes[i]);
}

/* roff wants its own escape for a dash that is a dash */
static void roff(struct hs_text *t, const char *s)
{
  for (; *s; s++)
    if (*s == '-')
      hs_text_add(t, "\\-");
    else if (*s == '\\')
      hs_text_add(t, "\\e");
    else
      hs_text_addf(t, "%c", *s);
}

static void man_head(struct hs_text *t)
{
  hs_text_addf(t, ".TH HETSIM 1 \"\" \"hetsim %s\" \"User Commands\"\n.SH NAME\n", hs_version);
  hs_text_add(t, "hetsim \\- simulate deep\\-learning inference on the processors of mobile SoCs\n.SH SYNOPSIS\n");
  for (int i = 0; i < N_SYNOPSIS; i++) {
    hs_text_add(t, i ? ".br\n" : "");
    roff(t, synopsis[i]);
    hs_text_add(t, "\n");
  }
}

static void man_description(struct hs_text *t)
{
  hs_text_add(t, ".SH DESCRIPTION\nA discrete\\-event simulator of heterogeneous mobile SoCs (CPU clusters, GPU, DSP, NPU on one memory) running "
                 "neural networks: what does this way of running this network cost on this chip?\n.PP\nMODEL is a name or a JSON file. Several run "
                 "at the same time, each under a policy of its own or else that of \\-\\-policy. Its requests come back to back, or by a PATTERN:\n");
  for (int i = 0; i < N_PATTERNS; i++) {
    hs_text_addf(t, ".TP\n%s\n", patterns[i].example);
    roff(t, patterns[i].help);
    hs_text_add(t, "\n");
  }
  hs_text_add(t, ".PP\nA request is late after its deadline (50ms, 1.5s), for NAME@30fps by default the next frame. Priority is 0 to 99, default 0: "
                 "of what waits for a network's policy or an accelerator, the highest goes first.\n");
}

static void man_options(struct hs_text *t)
{
  hs_text_add(t, ".SH OPTIONS\n");
  for (int i = 0; i < N_ROWS; i++) {
    hs_text_addf(t, ".TP\n\\fB\\-%c\\fR, \\fB", rows[i].id);
    hs_text_add(t, "\\-\\-");
    roff(t, rows[i].name);
    hs_text_add(t, "\\fR");
    if (rows[i].argument) hs_text_addf(t, "=\\fI%s\\fR", rows[i].argument);
    hs_text_add(t, "\n");
    roff(t, rows[i].help);
    hs_text_add(t, "\n");
  }
}

static void man_policies(struct hs_text *t)
{
  hs_text_add(t, ".SH POLICIES\n");
  for (int i = 0; i < hs_n_policies; i++) {
    hs_text_add(t, ".TP\n\\fB");
    roff(t, hs_policies[i]->name);
    hs_text_add(t, "\\fR\n");
    roff(t, hs_policies[i]->summary);
    hs_text_add(t, "\n");
  }
}

void hs_cli_man(struct hs_text *t)
{
  man_head(t);
  man_description(t);
  man_options(t);
  man_policies(t);
  hs_text_add(t, ".SH \"EXIT STATUS\"\n");
  for (size_t i = 0; i < sizeof exit_codes / sizeof *exit_codes; i++) hs_text_addf(t, ".TP\n%zu\n%s\n", i, exit_codes[i]);
  hs_text_add(t, ".SH ENVIRONMENT\n.TP\nHETSIM_DATA\nfolder that has socs/ and workloads/, and traces/ where it has scenarios\n.SH EXAMPLE\n.nf\n"
                 "hetsim \\-\\-soc sd855 \\-\\-policy gpu yolov2\n.fi\n");
}
