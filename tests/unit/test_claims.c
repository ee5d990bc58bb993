/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation/claims.csv: the reader's refusals word by word, the grammar of fields with values worked out by hand, and looking fields up. */
#include "tests/unit/suite.h"

#include <math.h>

#include "program/claims.h"

#define HEAD "id,group,role,command,field,expected,unit,tolerance,fit,source,note,reason\n"

static enum hs_status parse(const char *rows, struct hs_claims *c, struct hs_error *err)
{
  char text[2000];
  *c = (struct hs_claims){0};
  snprintf(text, sizeof text, HEAD "%s", rows);
  return hs_claims_parse("c.csv", text, c, err);
}

/* --- refusals --- */

#define QUOTE(column) "c.csv:2:" #column ": a quote that isn't closed, or is inside a cell: the whole cell goes into quotes, and a quote in it is doubled"
#define ROW "a,g,held-out,x,y,2,ms,10%,,src,,\n"
static const struct {
  const char *rows, *message;
} bad[] = {
  {"", "c.csv:1: no row"},
  {"a,g,held-out\n", "c.csv:2:1: 3 cells, where the header names 12 columns"},
  {"a,g,held-out,x,y,2,ms,10%,,src,,,\n", "c.csv:2:1: 13 cells, where the header names 12 columns; a number has a decimal point, and a cell with a comma stands in quotes"},
  {"a,\"g,held-out\n", QUOTE(3)},
  {"a,g,held-out,x,y,2,ms,10%,,src,,\"\n", QUOTE(33)},
  {"a,\"g\"g,held-out,x\n", QUOTE(3)},
  {"a,g\"g\",held-out\n", QUOTE(3)},
  {"A b,g,held-out,x,y,2,ms,10%,,src,,\n", "c.csv:2: id: \"A b\": a name has lower-case letters, digits and . _ -"},
  {"a,,held-out,x,y,2,ms,10%,,src,,\n", "c.csv:2: group: \"\": a name has lower-case letters, digits and . _ -"},
  {"a,g,heldout,x,y,2,ms,10%,,src,,\n", "c.csv:2: role: \"heldout\": calibrated, held-out, ordering or open"},
  {"a,g,held-out,,y,2,ms,10%,,src,,\n", "c.csv:2: command: empty: a command line of hetsim run, compare, explain or reproduce without the program's name"},
  {"a,g,held-out,x,,2,ms,10%,,src,,\n", "c.csv:2: field: \"\": a number, a field, min(…), max(…) or (…) is expected"},
  {"a,g,held-out,x,b.y,2,ms,10%,,src,,\n", "c.csv:2: field: \"b.y\": there is no command b"},
  {"a,g,held-out,x ; z,y,2,ms,10%,,src,,\n", "c.csv:2: field: \"y\": with several commands a field begins with a letter: a is the first"},
  {"a,g,held-out,x,y,2 ms,ms,10%,,src,,\n", "c.csv:2: expected: \"2 ms\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds"},
  {"a,g,held-out,x,y,3..2,ms,,,src,,\n", "c.csv:2: expected: \"3..2\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds"},
  {"a,g,held-out,x,y,2..2,ms,,,src,,\n", "c.csv:2: expected: \"2..2\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds"},
  {"a,g,open,,,2 ms,ms,,,src,,what isn't modelled\n", "c.csv:2: expected: \"2 ms\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds"},
  {"a,g,held-out,x,y,nan,ms,10%,,src,,\n", "c.csv:2: expected: \"nan\": a number, LOW..HIGH, <NUMBER, <=NUMBER, >NUMBER, >=NUMBER or holds"},
  {"a,g,ordering,x,y < z,1,,1,,src,,\n", "c.csv:2: expected: \"1\": a chain of < holds or not: write holds"},
  {"a,g,ordering,x,y < z,holds,s,,,src,,\n", "c.csv:2: unit: \"s\": what holds or not has none"},
  {"a,g,held-out,x,y,2,kg,10%,,src,,\n", "c.csv:2: unit: \"kg\": s, ms, W, mW, J, mJ, B, MB, GB, %, x, G, M or empty"},
  {"a,g,held-out,x,energy_j,2,ms,10%,,src,,\n", "c.csv:2: unit: \"ms\": by the endings of its fields energy_j is in another one"},
  {"a,g,held-out,x,latency_s,2,x,10%,,src,,\n", "c.csv:2: unit: \"x\": by the endings of its fields latency_s is in another one"},
  {"a,g,held-out,x,peak_memory_bytes,2,x,10%,,src,,\n", "c.csv:2: unit: \"x\": by the endings of its fields peak_memory_bytes is in another one"},
  {"a,g,held-out,x,latency_s,2,,10%,,src,,\n", "c.csv:2: unit: \"\": by the endings of its fields latency_s is in another one"},
  {"a,g,held-out,x,1 / latency_s,2,x,10%,,src,,\n", "c.csv:2: unit: \"x\": by the endings of its fields 1 / latency_s is in another one"},
  {"a,g,held-out,x,latency_s,2,G,10%,,src,,\n", "c.csv:2: unit: \"G\": by the endings of its fields latency_s is in another one"},
  {"a,g,held-out,x,rows[k=a_b].busy_s / (rest.energy_j + 2 * more_j),2,W,10%,,src,,\n",
   "c.csv:2: unit: \"W\": by the endings of its fields rows[k=a_b].busy_s / (rest.energy_j + 2 * more_j) is in another one"},
  {"a,g,held-out,x,latency_s + energy_j,2,ms,10%,,src,,\n",
   "c.csv:2: field: \"latency_s + energy_j\": by the endings of its fields it adds or compares what isn't alike"},
  {"a,g,ordering,x,latency_s < 2 * energy_j,holds,,,,src,,\n",
   "c.csv:2: field: \"latency_s < 2 * energy_j\": by the endings of its fields it adds or compares what isn't alike"},
  {"a,g,held-out,x,communication_frac * 1,2,%,10%,,src,,\n",
   "c.csv:2: unit: \"%\": communication_frac * 1 is a fraction of 1: write 100 * (communication_frac * 1)"},
  {"a,g,held-out,x,communication_frac / 2,2,%,10%,,src,,\n",
   "c.csv:2: unit: \"%\": communication_frac / 2 is a fraction of 1: write 100 * (communication_frac / 2)"},
  {"a,g,ordering,x,0 < latency_s < energy_j,holds,,,,src,,\n",
   "c.csv:2: field: \"0 < latency_s < energy_j\": by the endings of its fields it adds or compares what isn't alike"},
  {"a,g,held-out,x,latency_s + 1 + energy_j,2,ms,10%,,src,,\n",
   "c.csv:2: field: \"latency_s + 1 + energy_j\": by the endings of its fields it adds or compares what isn't alike"},
  {"a,g,held-out,x,a.,2,ms,10%,,src,,\n", "c.csv:2: field: \"a.\": a dot stands between two members"},
  {"a,g,held-out,x,networks[0]latency_s,2,ms,10%,,src,,\n", "c.csv:2: field: \"networks[0]latency_s\": a dot stands between two members"},
  {"a,g,held-out,x,latency_s.,2,ms,10%,,src,,\n", "c.csv:2: field: \"latency_s.\": a dot stands between two members"},
  {"a,g,held-out,x,.latency_s,2,ms,10%,,src,,\n", "c.csv:2: field: \".latency_s\": a dot stands between two members"},
  {"a,g,held-out,x,networks.[0].latency_s,2,ms,10%,,src,,\n", "c.csv:2: field: \"networks.[0].latency_s\": a dot stands between two members"},
  {"a,g,held-out,x,communication_frac,2,%,10%,,src,,\n", "c.csv:2: unit: \"%\": communication_frac is a fraction of 1: write 100 * (communication_frac)"},
  {"a,g,held-out,x,1 - communication_frac,2,%,10%,,src,,\n",
   "c.csv:2: unit: \"%\": 1 - communication_frac is a fraction of 1: write 100 * (1 - communication_frac)"},
  {"a,g,held-out,x,y,2,ms,,,src,,\n", "c.csv:2: tolerance: \"\": a positive number with % (of the value) or without (in its unit)"},
  {"a,g,held-out,x,y,2,ms,0,,src,,\n", "c.csv:2: tolerance: \"0\": a positive number with % (of the value) or without (in its unit)"},
  {"a,g,held-out,x,y,2,ms,-1,,src,,\n", "c.csv:2: tolerance: \"-1\": a positive number with % (of the value) or without (in its unit)"},
  {"a,g,held-out,x,y,0,ms,10%,,src,,\n", "c.csv:2: tolerance: \"10%\" of 0 is nothing: give it in the unit"},
  {"a,g,held-out,x,y,1..2,ms,10%,,src,,\n", "c.csv:2: tolerance: \"10%\": only a value that is run has one"},
  {"a,g,calibrated,x,y,2,ms,10%,,src,,\n", "c.csv:2: fit: empty: a calibrated row names the fit that used it, as NAME:FREE-PARAMETERS"},
  {"a,g,held-out,x,y,2,ms,10%,f:1,src,,\n", "c.csv:2: fit: \"f:1\": what was fitted to is calibrated, not held-out"},
  {"a,g,calibrated,x,y,2,ms,10%,f:0,src,,\n", "c.csv:2: fit: \"f:0\": NAME:FREE-PARAMETERS, a whole number in [1, 1000]"},
  {"a,g,calibrated,x,y,2,ms,10%,f,src,,\n", "c.csv:2: fit: \"f\": NAME:FREE-PARAMETERS, a whole number in [1, 1000]"},
  {"a,g,calibrated,x,y,2,ms,10%,f:1001,src,,\n", "c.csv:2: fit: \"f:1001\": NAME:FREE-PARAMETERS, a whole number in [1, 1000]"},
  {"a,g,calibrated,x,y,2,ms,10%,f:1.5,src,,\n", "c.csv:2: fit: \"f:1.5\": NAME:FREE-PARAMETERS, a whole number in [1, 1000]"},
  {"a,g,calibrated,x,y,2,ms,10%,f:1 e:2 f:1,src,,\n", "c.csv:2: fit: f is named twice"},
  {"a,g,calibrated,x,y,2,ms,10%,f:1 f:2,src,,\n", "c.csv:2: fit: f is named twice"},
  {"a,g,calibrated,x,y,2,ms,10%,a:1 b:1 c:1 d:1 e:1,src,,\n", "c.csv:2: fit: more than 4 fits"},
  {"a,g,held-out,x ; x ; x ; x ; x ; x ; x ; x ; x ; x ; x ; x ; x,a.y,2,ms,10%,,src,,\n", "c.csv:2: command: more than 12 commands"},
  {"a,g,held-out,x,y,2,ms,10%,,,,\n", "c.csv:2: source: empty: who measured or says so, and where"},
  {"a,g,open,,,2,ms,,,src,,\n", "c.csv:2: reason: empty: an open row says what it needs"},
  {ROW "# a comment, and an empty line\n\n" ROW, "c.csv:5: id: \"a\" is in line 2, too"},
  {ROW "b,g,calibrated,x,z,2,ms,10%,f:1,src,,\n", "c.csv:3: group: \"g\" has calibrated and held-out rows (line 2): a group is one of both"},
  {ROW "b,h,calibrated,x,y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,held-out,--soc s --param a=b x ; z,a.y + b.y,2,ms,10%,,src,,\nb,h,calibrated,x --param=a=b  --soc=s ; z,a.y + b.y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,held-out,run -s sd855 -p gpu x,y,2,ms,10%,,src,,\nb,h,calibrated,--policy gpu x --soc=sd855,y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,held-out,--so sd855 --policy=mosaic --param=objective=energy x,y,2,ms,10%,,src,,\nb,h,calibrated,--soc sd855 -p mosaic --objective energy x,y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,held-out,-p codl --param cut=height --param gpu_share=0.5 x,y,2,ms,10%,,src,,\n"
   "b,h,calibrated,-p codl --param gpu_share=0.5 --param cut=height x,y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,held-out,x,y,2,ms,10%,,src,,\nb,h,calibrated,x --check,y,3,ms,10%,f:1,src,,\n",
   "c.csv:3: role: calibrated, but the same figure of the same source is held-out in line 2: nothing is both fitted and held out"},
  {"a,g,calibrated,x,y,2,ms,10%,f:1,src,,\nb,h,calibrated,x,z,2,ms,10%,e:2 f:2,src,,\n", "c.csv:3: fit: f has 2 free parameters here and 1 in line 2"},
};

START_TEST(refused)
{
  struct hs_claims c;
  struct hs_error err = {0};
  hs_test_refused(parse(bad[_i].rows, &c, &err), &err, bad[_i].message);
  hs_claims_free(&c);
}
END_TEST

START_TEST(wrong_header)
{
  struct hs_claims c = {0};
  struct hs_error err = {0};
  hs_test_refused(hs_claims_parse("c.csv", "\xef\xbb\xbf# x\nid,group\n", &c, &err), &err,
                  "c.csv:2:1: column \"role\" is missing after group: id,group,role,command,field,expected,unit,tolerance,fit,source,note,reason");
  hs_claims_free(&c);
  hs_test_refused(hs_claims_parse("c.csv", "id,group,role,command,field,expected,unit,tolerance,fit,source,note,reason,x\n", &c, &err), &err, "c.csv:1:76: no column follows \"reason\"");
  hs_claims_free(&c);
}
END_TEST

START_TEST(no_text)
{
  struct hs_claims c = {0};
  struct hs_error err = {0};
  char message[500], *path = hs_test_file(".csv", "# x\nid\0,group\n", 14);
  enum hs_status status = hs_claims_read(path, &c, &err);
  remove(path);
  snprintf(message, sizeof message, "%s:2:3: is no text: it has a zero byte", path);
  hs_test_refused(status, &err, message);
  free(path);
  hs_claims_free(&c);
}
END_TEST

/* --- what a row becomes --- */

START_TEST(accepted)
{
  struct hs_claims c;
  struct hs_error err = {0};
  hs_test_accepted(parse("a,g,held-out,one ; two,\"min(a.x, b.y)\",2.5,ms,10%,,\"said \"\"so\"\", Fig. 1\",,\r\n"
                         "b,g,held-out,x,y,1.4..1.8,x,,,src,,\n"
                         "c,g,held-out,x,y,>90,%,,,src,,\n"
                         "d,g,held-out,x,y,<=2,,,,src,,\n"
                         "e,h,calibrated,x,z,-3,%,5,f:2 g:3,src,,\n"
                         "f,g,held-out,x,z,-3,%,10%,,other,,\n"
                         "g,g,held-out,x,100 * a_frac + b_frac,3,%,10 %,,src,,\n"
                         "h,g,held-out,x,\"min(2 * energy_j, rest[k=v])\",3,ms,10%,,src,,\n"
                         "i,g,held-out,x,power_w * end[i=a].until_s / inferences_per_s,3,mJ,10%,,src,,\n"
                         "j,g,held-out,x,max_bytes / more_bytes,3,x,10%,,src,,\n"
                         "k,g,held-out,x,1 / latency_s,3,,10%,,src,,\n"
                         "l,g,held-out,x,dram_bytes / latency_s,3,G,10%,,src,,\n"
                         "m,g,held-out,x,100 * (1 - a_frac),3,%,10%,,src,,\n"
                         "n,g,held-out,x,100 * (a_frac / 2),3,%,10%,,src,,\n"
                         "o,g,held-out,x,a_frac * 50 * 2,3,%,10%,,src,,\n"
                         "p,g,held-out,x,(2 * 50) * a_frac,3,%,10%,,src,,\n",
                         &c, &err), &err);
  ck_assert_int_eq(c.n, 16);
  ck_assert_near(c.rows[6].tolerance, 0.3);
  ck_assert_int_eq(c.rows[0].n_commands, 2);
  ck_assert_str_eq(c.rows[0].commands[1], "two");
  ck_assert_str_eq(c.rows[0].source, "said \"so\", Fig. 1");
  ck_assert_near(c.rows[0].tolerance, 0.25);
  ck_assert_near(c.rows[0].scale, 1e-3);
  ck_assert(c.rows[1].kind == HS_EXPECT_RANGE && c.rows[1].low == 1.4 && c.rows[1].high == 1.8 && !c.rows[1].strict);
  ck_assert(c.rows[2].strict && c.rows[2].low == 90 && c.rows[2].high == INFINITY);
  ck_assert(!c.rows[3].strict && c.rows[3].high == 2 && c.rows[3].low == -INFINITY);
  ck_assert(c.rows[4].expected == -3 && c.rows[4].tolerance == 5 && c.rows[4].n_fits == 2 && c.rows[4].fits[1].n_free == 3);
  ck_assert_near(c.rows[5].tolerance, 0.3); /* of the value's size */
  hs_claims_free(&c);
}
END_TEST

/* The same command and field may be calibrated and held out where two sources measured it. */
START_TEST(two_sources)
{
  struct hs_claims c;
  struct hs_error err = {0};
  hs_test_accepted(parse(ROW "b,h,calibrated,x,y,3,ms,10%,f:1,other,,\n", &c, &err), &err);
  hs_claims_free(&c);
}
END_TEST

/* --- the grammar --- */

/* Leaves have the values 7, 3, 2, 11 in the order in which they stand. */
static const struct {
  const char *text;
  double value;
} expressions[] = {
  {"x", 7},
  {" 2.5 ", 2.5},
  {"x - y - z", 2},
  {"x / y / z", 7.0 / 6},
  {"x + y * z", 13},
  {"( x + y )*z", 20},
  {"100 * x/y", 700.0 / 3},
  {"min(x, y, z)", 2},
  {"max( x, y + z, 1e3 )", 1000},
  {"x < y", 0},
  {"yy[0].a < zz[name=sd855 b, c].d + 1", 0},
  {"2 < x < 7.5", 1},
  {"2 < x < 7", 0},
  {"min(x, y) < x * y", 1},
};

START_TEST(values)
{
  static const double leaves[] = {7, 3, 2, 11};
  struct hs_arena arena = {0};
  struct hs_quantity q;
  char why[200] = "";
  ck_assert_msg(hs_quantity_parse(expressions[_i].text, 1, &arena, &q, why, sizeof why), "%s", why);
  ck_assert_near(hs_quantity_value(&q, leaves), expressions[_i].value);
  ck_assert_int_eq(q.is_order, strchr(expressions[_i].text, '<') != NULL);
  hs_arena_free(&arena);
}
END_TEST

START_TEST(not_a_number)
{
  static const char *const texts[] = {"x + y", "min(x, y)", "max(x, y)", "min(2, x, y)", "max(2, x, y)", "x < y", "2 < x", "2 < x < y"};
  static const double leaves[] = {NAN, 1}, endless[] = {INFINITY, 1};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct hs_arena arena = {0};
    struct hs_quantity q;
    char why[200];
    ck_assert(hs_quantity_parse(texts[i], 1, &arena, &q, why, sizeof why));
    ck_assert_msg(isnan(hs_quantity_value(&q, leaves)), "%s", texts[i]);
    if (q.is_order) ck_assert_msg(isnan(hs_quantity_value(&q, endless)), "%s", texts[i]);
    hs_arena_free(&arena);
  }
}
END_TEST

static const struct {
  const char *text, *why;
} mistakes[] = {
  {"x +", "\"\": a number, a field, min(…), max(…) or (…) is expected"},
  {"(x", "\"\": ) is expected"},
  {"min(x; y)", "\"; y)\": a comma or ) is expected"},
  {"x y", "\"y\": an operator (+ - * / <) or the end is expected"},
  {"x < ", "\"\": a number, a field, min(…), max(…) or (…) is expected"},
  {"-x", "\"-x\": a number, a field, min(…), max(…) or (…) is expected"},
  {"x[y", "\"[y\": an operator (+ - * / <) or the end is expected"},
  {"c.x", "\"c.x\": there is no command c"},
  {"((((((((((((((((((1))))))))))))))))))", "the expression is nested more than 16 deep"},
};

START_TEST(mistaken)
{
  struct hs_arena arena = {0};
  struct hs_quantity q;
  char why[200] = "";
  ck_assert(!hs_quantity_parse(mistakes[_i].text, 1, &arena, &q, why, sizeof why));
  ck_assert_str_eq(why, mistakes[_i].why);
  hs_arena_free(&arena);
}
END_TEST

START_TEST(too_long)
{
  struct hs_arena arena = {0};
  struct hs_quantity q;
  struct hs_text many = {0}, steps = {0};
  char why[200];
  for (int i = 0; i <= HS_QUANTITY_LEAVES_MAX; i++) hs_text_addf(&many, "%sx", i ? "+" : "");
  for (int i = 0; i <= HS_QUANTITY_NODES_MAX; i++) hs_text_addf(&steps, "%s1", i ? "+" : "");
  ck_assert(!hs_quantity_parse(many.s, 1, &arena, &q, why, sizeof why));
  ck_assert_str_eq(why, "the expression has more than 24 fields");
  ck_assert(!hs_quantity_parse(steps.s, 1, &arena, &q, why, sizeof why));
  ck_assert_str_eq(why, "the expression has more than 64 steps");
  hs_text_free(&many);
  hs_text_free(&steps);
  hs_arena_free(&arena);
}
END_TEST

START_TEST(letters)
{
  struct hs_arena arena = {0};
  struct hs_quantity q;
  char why[200];
  ck_assert(hs_quantity_parse("b.x.y / a[0].z - c{what, [it] says}", 3, &arena, &q, why, sizeof why));
  ck_assert_int_eq(q.n_leaves, 3);
  ck_assert_int_eq(q.leaves[0].command, 1);
  ck_assert_str_eq(q.leaves[0].path, "x.y");
  ck_assert_str_eq(q.leaves[1].path, "[0].z");
  ck_assert_int_eq(q.leaves[2].command, 2);
  ck_assert_str_eq(q.leaves[2].path, "{what, [it] says}");
  hs_arena_free(&arena);
}
END_TEST

/* --- looking up --- */

static const char run[] = "{'a': 2.385, 'b': {'c': [1, {'d': true}], 'c-little': 7}, 'p': [{'name': 'cpu', 'x': 5}, {'name': 'gpu', 'x': null}, {'name': 'two', 'x': 1}, "
                          "{'name': 'two', 'x': 2}, {'name': 'dsp', 'error': 'why'}], 's': 'text'}",
                  item[] = "[{'claims': [{'what': 'v, 1', 'paper': 1.3, 'ours': 1.2}, {'what': 's', 'holds': false, 'ours': 'so'}, "
                           "{'what': 'o', 'needs': 'n'}, "
                           "{'what': 'twice', 'paper': 1, 'ours': 1}, {'what': 'twice', 'paper': 1, 'ours': 1}, "
                           "{'what': 'cannot', 'paper': 1, 'ours': null}]}]";
static const struct {
  const char *json, *path;
  int kind;
  double value, paper;
} lookups[] = {
  {run, "a", HS_FOUND_NUMBER, 2.385, NAN},
  {run, "b.c[0]", HS_FOUND_NUMBER, 1, NAN},
  {run, "b.c[1].d", HS_FOUND_TRUTH, 1, NAN},
  {run, "b[c][0]", HS_FOUND_NUMBER, 1, NAN},
  {run, "b[c-little]", HS_FOUND_NUMBER, 7, NAN},
  {run, "b[no]", HS_FOUND_NOTHING, NAN, NAN},
  {run, "p[name=cpu].x", HS_FOUND_NUMBER, 5, NAN},
  {run, "p[name=gpu].x", HS_FOUND_NUMBER, NAN, NAN},
  {run, "p[name=two].x", HS_FOUND_NOTHING, NAN, NAN},
  {run, "p[name=npu].x", HS_FOUND_NOTHING, NAN, NAN},
  {run, "p[name=dsp].x", HS_FOUND_FAILURE, NAN, NAN},
  {run, "p[name=dsp].x.y", HS_FOUND_FAILURE, NAN, NAN},
  {run, "b.c[2]", HS_FOUND_NOTHING, NAN, NAN},
  {run, "p[cpu].x", HS_FOUND_NOTHING, NAN, NAN},
  {run, "p[].x", HS_FOUND_NOTHING, NAN, NAN},
  {run, "s", HS_FOUND_NOTHING, NAN, NAN},
  {run, "A", HS_FOUND_NOTHING, NAN, NAN},
  {run, "{v, 1}", HS_FOUND_NOTHING, NAN, NAN},
  {item, "{v, 1}", HS_FOUND_NUMBER, 1.2, 1.3},
  {item, "{s}", HS_FOUND_TRUTH, 0, NAN},
  {item, "{o}", HS_FOUND_NOTHING, NAN, NAN},
  {item, "{twice}", HS_FOUND_NOTHING, NAN, NAN},
  {item, "{cannot}", HS_FOUND_NUMBER, NAN, 1},
  {item, "[0].claims[what=s].holds", HS_FOUND_TRUTH, 0, NAN},
};

START_TEST(looked_up)
{
  struct hs_found f;
  char *json = hs_test_json(lookups[_i].json);
  ck_assert(hs_quantity_find(json, 1, &lookups[_i].path, &f));
  ck_assert_int_eq(f.kind, lookups[_i].kind);
  ck_assert(f.value == lookups[_i].value || (isnan(f.value) && isnan(lookups[_i].value)));
  ck_assert(f.paper == lookups[_i].paper || (isnan(f.paper) && isnan(lookups[_i].paper)));
  if (lookups[_i].json == item && f.kind == HS_FOUND_TRUTH && *lookups[_i].path == '{') ck_assert_str_eq(f.seen, "so");
  if (f.kind == HS_FOUND_FAILURE) ck_assert_str_eq(f.seen, "why");
  free(json);
}
END_TEST

START_TEST(not_json)
{
  const char *path = "a";
  struct hs_found f;
  ck_assert(!hs_quantity_find("Latency 3 ms", 1, &path, &f));
}
END_TEST

#define EACH(t, test, list) tcase_add_loop_test(t, test, 0, (int)(sizeof list / sizeof *list))

static void fill(TCase *t)
{
  EACH(t, refused, bad);
  tcase_add_test(t, wrong_header);
  tcase_add_test(t, no_text);
  tcase_add_test(t, accepted);
  tcase_add_test(t, two_sources);
  EACH(t, values, expressions);
  tcase_add_test(t, not_a_number);
  EACH(t, mistaken, mistakes);
  tcase_add_test(t, too_long);
  tcase_add_test(t, letters);
  EACH(t, looked_up, lookups);
  tcase_add_test(t, not_json);
}

int main(void) { return hs_test_main("claims", fill); }
