/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of SoCs. */
#include "input/soc.h"

#include "fuzz.h"

static void check_domain(const struct hs_domain *d)
{
  hs_fuzz_promise(d->cores >= 1 && d->cores <= HS_CORES_MAX && d->n_opps >= 1 && d->n_opps <= HS_OPPS_MAX);
  for (int i = 0; i < d->n_opps; i++) {
    hs_fuzz_promise(d->opps[i].freq_hz > 0 && d->opps[i].volt > 0 && d->opps[i].dynamic_w >= 0 && d->opps[i].static_w >= 0);
    if (i) hs_fuzz_promise(d->opps[i].freq_hz > d->opps[i - 1].freq_hz && d->opps[i].volt >= d->opps[i - 1].volt);
  }
}

static void use(struct hs_soc *s)
{
  hs_fuzz_promise(s->n_processors >= 1 && s->processors[0].kind == HS_CPU && strlen(s->sha256) == 64);
  for (int i = 0; i < s->n_processors; i++) {
    const struct hs_processor *p = &s->processors[i];
    hs_fuzz_promise(hs_soc_find(s, p->name) == i && hs_soc_first(s, p->kind) <= i && hs_processor_cores(p) >= p->n_domains);
    hs_fuzz_promise(p->kind == HS_CPU || (s->has_sharing[HS_CPU][p->kind] && s->has_sharing[p->kind][HS_CPU]));
    for (int k = 0; k < p->n_domains; k++) check_domain(&p->domains[k]);
    int heats = 0;
    for (int k = 0; k < s->thermal.n_nodes; k++) heats += s->thermal.nodes[k].processors >> i & 1;
    hs_fuzz_promise(heats == 1);
  }
  for (int i = 0; i < s->sources.n_numbers; i++)
    hs_fuzz_promise(s->sources.numbers[i].source >= 0 && s->sources.numbers[i].source < s->sources.n && s->sources.numbers[i].n_values >= 1);
}

HS_FUZZ(hs_soc_parse, struct hs_soc, use, hs_soc_free)
