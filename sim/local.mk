# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += libhetsim.a
libhetsim_a_SOURCES = \
	sim/base/json_put.c sim/base/json_put.h \
	sim/base/order.c sim/base/order.h \
	sim/base/instant.h \
	sim/base/memory.c sim/base/memory.h \
	sim/base/random.c sim/base/random.h \
	sim/base/status.c sim/base/status.h \
	sim/base/inputs.c sim/base/inputs.h \
	sim/base/files.c sim/base/files.h \
	sim/base/spelling.c sim/base/spelling.h \
	sim/base/text.c sim/base/text.h \
	sim/base/utf8.c sim/base/utf8.h \
	sim/input/catalog.c sim/input/catalog.h \
	sim/input/csv.c sim/input/csv.h \
	sim/input/graph.c sim/input/graph.h sim/input/graph_read.c \
	sim/input/json_in.c sim/input/json_in.h \
	sim/input/json_text.c sim/input/json_text.h \
	sim/input/names.c sim/input/names.h \
	sim/input/op_list.def sim/input/ops.c \
	sim/input/op_support.c sim/input/op_support.h \
	sim/input/op_work.c sim/input/op_work.h \
	sim/input/kernel.h \
	sim/input/kernel_numbers.c sim/input/kernel_numbers.h \
	sim/input/profile.c sim/input/profile.h \
	sim/input/runtime.c sim/input/runtime.h \
	sim/input/scatter.c sim/input/scatter.h \
	sim/input/shape.c \
	sim/input/soc.c sim/input/soc.h sim/input/soc_read.c \
	sim/input/soc_thermal.c sim/input/soc_thermal.h \
	sim/input/sources.c sim/input/sources.h \
	sim/model/blocks.c sim/model/blocks.h \
	sim/model/launch.c sim/model/launch.h \
	sim/model/launched.c sim/model/launched.h \
	sim/model/linked.c sim/model/linked.h \
	sim/model/groups.c sim/model/groups.h \
	sim/model/spread.c sim/model/spread.h \
	sim/model/portion.c sim/model/portion.h \
	sim/model/packing.c sim/model/packing.h sim/model/packed_shaders.c sim/model/packed_shaders.h \
	sim/model/products.c sim/model/products.h \
	sim/model/shader.c sim/model/shader.h \
	sim/model/shader_cost.c sim/model/shader_cost.h \
	sim/model/comm.c sim/model/comm.h \
	sim/model/cost.c sim/model/cost.h \
	sim/model/range.c sim/model/range.h \
	sim/model/spin.c sim/model/spin.h \
	sim/model/system.c sim/model/system.h \
	sim/model/threads.c sim/model/threads.h \
	sim/model/turn.c sim/model/turn.h \
	sim/model/work.c sim/model/work.h \
	sim/device/cache.c sim/device/cache.h \
	sim/device/cfs.c sim/device/cfs.h \
	sim/device/competing.c \
	sim/device/governor.c sim/device/governor.h \
	sim/device/scenario.c sim/device/scenario.h sim/device/scenario_options.c sim/device/scenario_parts.h sim/device/scenario_read.c \
	sim/device/thermal.c sim/device/thermal.h \
	sim/device/thermal_governor.c sim/device/thermal_governor.h \
	sim/plan/chains.c sim/plan/chains.h \
	sim/plan/copies.c sim/plan/copies.h \
	sim/plan/emit.c sim/plan/emit.h \
	sim/plan/estimate.c sim/plan/estimate.h sim/plan/what_if.c sim/plan/what_if.h \
	sim/plan/lower.c sim/plan/lower.h \
	sim/plan/memplan.c sim/plan/memplan.h \
	sim/plan/optimise.c sim/plan/optimise.h \
	sim/plan/pass.c sim/plan/pass.h sim/plan/pass_fuse.c sim/plan/pass_lowrank.c sim/plan/pass_order.c \
	sim/plan/pass_prune.c sim/plan/pass_reuse.c sim/plan/pass_rules.c sim/plan/pass_stretch.c \
	sim/plan/placement.c sim/plan/placement.h \
	sim/plan/program.c sim/plan/program.h \
	sim/plan/delegate.c sim/plan/delegate.h sim/plan/separate.c sim/plan/separate.h \
	sim/calibrate/coefficients.c sim/calibrate/coefficients.h \
	sim/calibrate/core_types.c sim/calibrate/core_types.h \
	sim/calibrate/fit.c sim/calibrate/fit.h \
	sim/calibrate/knots.c sim/calibrate/knots.h \
	sim/calibrate/robust.c sim/calibrate/robust.h \
	sim/calibrate/search.c sim/calibrate/search.h \
	sim/calibrate/solve.c sim/calibrate/solve.h sim/calibrate/standard_errors.c sim/calibrate/standard_errors.h \
	sim/calibrate/measured.c sim/calibrate/measured.h \
	sim/calibrate/measurements.c sim/calibrate/measurements.h sim/calibrate/measurements_csv.c \
	sim/calibrate/tflite_match.c sim/calibrate/tflite_match.h sim/calibrate/tflite_profile.c \
	sim/calibrate/write_profile.c sim/calibrate/write_profile.h \
	sim/engine/accounting.c \
	sim/engine/clock.c sim/engine/clock.h \
	sim/engine/cores.c sim/engine/cores.h \
	sim/engine/des.h sim/engine/engine_simgrid.c \
	sim/engine/engine.c sim/engine/engine.h sim/engine/engine_parts.h \
	sim/engine/flow.c sim/engine/flow.h \
	sim/engine/jobs.c \
	sim/engine/slices.c sim/engine/slices.h \
	sim/engine/stealing.c sim/engine/stealing.h \
	sim/engine/workers.c \
	sim/serve/arrivals.c sim/serve/arrivals.h sim/serve/living.c sim/serve/living.h sim/serve/load.c sim/serve/load.h sim/serve/noise.c sim/serve/noise.h sim/serve/patience.c sim/serve/patience.h sim/serve/pieces.c sim/serve/pieces.h sim/serve/serve.c sim/serve/serve.h \
	sim/serve/competitors.c sim/serve/competitors.h \
	sim/out/check.c sim/out/check.h sim/out/check_parts.c sim/out/check_parts.h sim/out/check_program.c sim/out/check_report.c sim/out/check_shares.c \
	sim/out/chart_bars.c sim/out/chart_bars.h sim/out/chart_groups.c sim/out/chart_groups.h sim/out/chart_text.c sim/out/chart_text.h \
	sim/out/explain.c sim/out/explain.h \
	sim/out/curves.c \
	sim/out/gantt.c \
	sim/out/metrics.c sim/out/metrics.h \
	sim/out/ran.c sim/out/ran.h \
	sim/out/report.c sim/out/report.h sim/out/report_csv.c sim/out/report_json.c sim/out/report_text.c \
	sim/out/report_device.c \
	sim/out/report_no_effect.c \
	sim/out/report_noise.c \
	sim/out/distribution.c sim/out/distribution.h \
	sim/out/table.c sim/out/table.h \
	sim/out/timeline.c sim/out/timeline.h \
	sim/out/trace_chrome.c \
	sim/program/calibrate_report.c sim/program/calibrate_report.h sim/program/show_kernels.c sim/program/show_kernels.h \
	sim/program/show_soc.c sim/program/show_soc.h \
	sim/program/compare_report.c sim/program/compare_report.h \
	sim/program/child.c sim/program/child.h \
	sim/program/interrupt.c sim/program/interrupt.h \
	sim/program/claims.c sim/program/claims.h \
	sim/program/cli.c sim/program/cli.h sim/program/cli_table.h \
	sim/program/cli_help.c \
	sim/program/cli_completion.c \
	sim/program/cmd_calibrate.c sim/program/cmd_compare.c sim/program/cmd_explain.c sim/program/cmd_list.c sim/program/cmd_reproduce.c sim/program/cmd_run.c \
	sim/program/cmd_show.c sim/program/cmd_validate.c \
	sim/program/trial.c sim/program/trial.h \
	sim/program/lookup.c sim/program/lookup.h \
	sim/program/model_word.c sim/program/model_word.h \
	sim/program/noise_runs.c sim/program/noise_runs.h \
	sim/program/progress.c sim/program/progress.h \
	sim/program/quantity.c sim/program/quantity.h \
	sim/program/papers.c \
	sim/program/reproduce.c sim/program/reproduce.h sim/program/reproduce_mosaic.c sim/program/reproduce_nn_stretch.c sim/program/reproduce_nn_stretch.h \
	sim/program/reproduce_nn_stretch_cells.c sim/program/reproduce_nn_stretch_phones.c \
	sim/program/reproduce_study.c \
	sim/program/setup.c sim/program/setup.h \
	sim/program/validate.c sim/program/validate.h \
	policies/adaptive.c \
	policies/band.c \
	policies/band_units.c policies/band_units.h \
	policies/branches.c policies/branches.h \
	policies/choose.c policies/choose.h \
	policies/codl.c \
	policies/codl_plans.c policies/codl_plans.h \
	policies/cuts.c policies/cuts.h \
	policies/exhaustive.c \
	policies/flops.c policies/flops.h \
	policies/heft.c \
	policies/layers.c policies/layers.h \
	policies/mosaic.c \
	policies/mulayer.c \
	policies/nn_stretch.c \
	policies/policy.c policies/policy.h policies/policy_list.def \
	policies/single.c policies/single.h \
	policies/stretch_released.c policies/stretch_released.h \
	policies/stretch_search.c policies/stretch_search.h \
	policies/stretch_units.c policies/stretch_units.h \
	policies/task_parallel.c \
	policies/tf_baseline.c

HETSIM_LIBS = libhetsim.a $(SIMGRID_LIBS) $(CJSON_LIBS) $(GSL_LIBS) $(MD_LIBS) -lm

bin_PROGRAMS += hetsim
hetsim_SOURCES = sim/program/main.c
hetsim_LDADD = $(HETSIM_LIBS)

# the man page is printed from the option table
man1_MANS += hetsim.1
CLEANFILES += hetsim.1
hetsim.1: hetsim$(EXEEXT)
	$(AM_V_GEN)./hetsim$(EXEEXT) --man > $@.tmp && mv $@.tmp $@

# so is bash's completion, which is found by the command's name
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = completions/hetsim
CLEANFILES += completions/hetsim
completions/hetsim: hetsim$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completions && ./hetsim$(EXEEXT) --completion > $@.tmp && mv $@.tmp $@
