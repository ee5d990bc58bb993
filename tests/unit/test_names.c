/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of networks and SoCs: what is none of ours, what others call ours, and files of such names that are broken. */
#include "tests/unit/shipped.h"

#include <strings.h>

#include "base/spelling.h"
#include "input/json_in.h"
#include "input/names.h"

START_TEST(wrong_names)
{
  struct hs_catalog c;
  struct hs_graph *g = NULL;
  struct hs_error err;
  open_catalog(&c);
  ck_assert_int_eq(hs_catalog_workload(&c, "resnet_5o", &g, &err), HS_USAGE);
  ck_assert(strstr(err.text, "there is no workload \"resnet_5o\"; did you mean resnet50? (there are: alexnet,") != NULL);
  ck_assert_int_eq(hs_catalog_workload(&c, "resnet5_0", &g, &err), HS_USAGE);
  ck_assert_int_eq(hs_catalog_workload(&c, "nowhere/resnet50.json", &g, &err), HS_IO);
  ck_assert_str_eq(hs_test_message(&err), "nowhere/resnet50.json: can't open: No such file or directory");
  static const char *const foreign[] = {"resnet50.onnx", "m.tflite", "m.pb", "m.pt", "m.pth", "m.ptl", "m.caffemodel", "m.prototxt", "m.h5"};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    ck_assert_int_eq(hs_catalog_workload(&c, foreign[i], &g, &err), HS_INPUT);
    ck_assert(strncmp(err.text, foreign[i], strlen(foreign[i])) == 0 && strstr(err.text, ": networks are read as lists of operators in JSON only") != NULL);
  }
  ck_assert_int_eq(hs_catalog_workload(&c, "nowhere/resnet50.tflite", &g, &err), HS_INPUT);
  hs_catalog_close(&c);
}
END_TEST

static void check_other_name(struct hs_catalog *c, int kind, const char *also, const char *name)
{
  struct hs_soc *s = NULL;
  struct hs_graph *g = NULL;
  struct hs_error err;
  enum hs_status status = kind == HS_SOCS ? hs_catalog_soc(c, also, &s, &err) : hs_catalog_workload(c, also, &g, &err);
  ck_assert_msg(status == HS_OK, "%s", hs_test_message(&err));
  ck_assert_str_eq(kind == HS_SOCS ? s->name : g->name, name);
  if (s) hs_soc_free(s);
  if (g) hs_graph_free(g);
}

/* A name of others stands for something of the catalogue's that isn't called so itself and means one thing. */
static void visit_names(const char *path, const char *expected)
{
  struct hs_json doc;
  struct hs_json_at root, names, entry;
  struct hs_catalog c;
  struct hs_error err;
  int n, kind = strstr(path, "/socs/") ? HS_SOCS : HS_WORKLOADS;
  (void)expected;
  open_catalog(&c);
  ck_assert_msg(hs_json_open(&doc, path, &err) == HS_OK && hs_json_root(&doc, &root, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_int_eq(hs_json_get_array(&root, "names", 1, 10000, &names, &n, &err), HS_OK);
  for (int i = 0; i < n; i++) {
    const char *also, *name;
    int ours = 0, theirs = 0;
    hs_json_element_object(&names, i, &entry, &err);
    ck_assert(hs_json_get_name(&entry, "also", &also, &err) == HS_OK && hs_json_get_name(&entry, "name", &name, &err) == HS_OK);
    for (int k = 0; k < c.n_names[kind]; k++) {
      ours += strcmp(c.names[kind][k], name) == 0;
      theirs += strcasecmp(c.names[kind][k], also) == 0 || (hs_spelled_alike(c.names[kind][k], also) && strcmp(c.names[kind][k], name) != 0);
    }
    ck_assert_msg(ours == 1 && theirs == 0, "%s: \"%s\" for \"%s\"", path, also, name);
    check_other_name(&c, kind, also, name); /* the first of the files that have it decides: so none has it with another meaning */
  }
  hs_json_close(&doc);
  hs_catalog_close(&c);
}

START_TEST(other_names)
{
  struct hs_catalog c;
  struct hs_error err;
  struct hs_soc *s = NULL;
  open_catalog(&c);
  ck_assert_int_eq(each_file(&c, "socs/names", visit_names), 2);
  ck_assert_int_eq(each_file(&c, "workloads/names", visit_names), 5);
  ck_assert_int_eq(hs_catalog_soc(&c, "sm8250-ac", &s, &err), HS_OK);
  ck_assert_str_eq(s->name, "sd870");
  hs_soc_free(s);
  ck_assert_int_eq(hs_catalog_soc(&c, "SM9999", &s, &err), HS_USAGE);
  hs_catalog_close(&c);
}
END_TEST

/* However somebody spells a name of the catalogue's, no two of which are spelt alike; and what they say of common networks. */
START_TEST(spellings)
{
  static const struct {
    const char *theirs, *ours;
  } names[] = {{"ResNet-50", "resnet50"}, {"VGG-16", "vgg16"}, {"YOLOv2", "yolov2"}, {"Inception-V4", "inception_v4"},
               {"EfficientNet-Lite4", "efficientnet_lite4"},
               {"RegNetX-1.6GF", "regnetx_1.6gf"}, {"RegNetX-4GF", "regnetx_4.0gf"}, {"FastStyleTransfer", "fst"},
               {"MobileNetV2", "mobilenet_v2_1.0"}, {"mobilenet_v2", "mobilenet_v2_1.0"},
               {"mobilenet_v2_1.0_224", "mobilenet_v2_1.0"}, {"mobilenet_v1_1.0_224_quant", "mobilenet_v1"},
               {"ResNet-V2-152", "resnet_v2_152"}, {"MnasNet", "mnasnet_1.0"},
               {"shufflenet_v2_x1_0", "shufflenet_v2"}, {"squeezenet1_1", "squeezenet_1.1"}, {"beit-base-patch16-224", "beit_base_224"},
               {"SSD-MobileNet-V2", "ssd_mobilenet_v2"}};
  struct hs_catalog c;
  open_catalog(&c);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) check_other_name(&c, HS_WORKLOADS, names[i].theirs, names[i].ours);
  check_other_name(&c, HS_SOCS, "Kirin 990", "kirin990");
  check_other_name(&c, HS_SOCS, "SD855", "sd855");
  check_other_name(&c, HS_SOCS, "Snapdragon-888", "sd888");
  for (int kind = HS_SOCS; kind <= HS_WORKLOADS; kind++)
    for (int i = 0; i < c.n_names[kind]; i++)
      for (int k = 0; k < i; k++) ck_assert_msg(!hs_spelled_alike(c.names[kind][i], c.names[kind][k]), "%s, %s", c.names[kind][i], c.names[kind][k]);
  hs_catalog_close(&c);
}
END_TEST

/* Only a wrong name asks the files of names, and then a broken one is told, not passed over. */
START_TEST(broken_names)
{
  static const struct {
    const char *names, *rule;
  } cases[] = {
    {"[{'also': 'a', 'name': 'b'}]", NULL},
    {"[]", "1:59: $.names: has 0 elements, not 1 to 10000"},
    {"[{'also': 'a', 'name': 'b', 'nom': 'c'}]", "1:87: $.names[0].nom: unknown key \"nom\""},
    {"[{'also': 'a b', 'name': 'b'}]", "1:69: $.names[0].also: a name has letters, digits and _ . / : + - only"},
    {"[{'also': 'a', 'name': 'b'}, {'also': 'A', 'name': 'b'}]", NULL},
    {"[{'also': 'a', 'name': 'b'}, {'also': 'A', 'name': 'c'}]", "1:88: $.names[1]: \"A\" stands for b already"},
  };
  char text[300], name[64], message[500];
  struct hs_error err;
  snprintf(text, sizeof text, "{'format': 'hetsim-names/1', 'source': 'theirs', 'names': %s}", cases[_i].names);
  char *json = hs_test_json(text), *path = hs_test_file(".json", json, strlen(json));
  free(json);
  enum hs_status status = hs_names_find(path, "A", name, sizeof name, &err);
  if (cases[_i].rule) {
    snprintf(message, sizeof message, "%s:%s", path, cases[_i].rule);
    hs_test_refused(status, &err, message);
  } else {
    hs_test_accepted(status, &err);
    ck_assert_str_eq(name, "b");
    ck_assert_int_eq(hs_names_find(path, "aa", name, sizeof name, &err), HS_OK);
    ck_assert_str_eq(name, "");
  }
  remove(path);
  free(path);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, wrong_names);
  tcase_add_test(t, other_names);
  tcase_add_test(t, spellings);
  tcase_add_loop_test(t, broken_names, 0, 6);
}

int main(void) { return hs_test_main("names", fill); }
