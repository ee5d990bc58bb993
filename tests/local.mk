# SPDX-License-Identifier: GPL-3.0-or-later
AM_TESTS_ENVIRONMENT = HETSIM_DATA="$(abs_top_srcdir)"; HETSIM="$(abs_top_builddir)/hetsim"; ZOO="$(abs_top_builddir)/hetsim-zoo"; \
	export HETSIM_DATA HETSIM ZOO;
TEST_LIBS = $(HETSIM_LIBS) $(CHECK_LIBS)


# --- unit, model, policy: one Check program per file ---
check_PROGRAMS += \
	tests/unit/test_arrivals \
	tests/unit/test_claims \
	tests/unit/test_shipped_networks \
	tests/unit/test_shipped_operators \
	tests/unit/test_shipped_socs \
	tests/unit/test_shipped_traces \
	tests/unit/test_shipped_profiles \
	tests/unit/test_names \
	tests/unit/test_cfs \
	tests/unit/test_child \
	tests/unit/test_governor \
	tests/unit/test_schedutil \
	tests/unit/test_graph \
	tests/unit/test_json_in \
	tests/unit/test_op_support \
	tests/unit/test_scenario \
	tests/unit/test_scenario_options \
	tests/unit/test_scenario_table \
	tests/unit/test_soc \
	tests/unit/test_profile \
	tests/unit/test_json_put \
	tests/unit/test_kernel_numbers \
	tests/unit/test_files \
	tests/unit/test_charts \
	tests/unit/test_search \
	tests/unit/test_spelling \
	tests/unit/test_text \
	tests/unit/test_thermal \
	tests/unit/test_step_wise \
	tests/unit/test_power_allocator \
	tests/unit/test_throttling \
	tests/cli/test_json \
	tests/cli/test_json_run \
	tests/cli/test_terminal \
	tests/model/test_fit_curve \
	tests/model/test_fit_operators \
	tests/model/test_fit_networks \
	tests/model/test_fit_lowered \
	tests/model/test_fit_pace \
	tests/model/test_fit_core_types \
	tests/model/test_fit_search \
	tests/model/test_fit_refused \
	tests/model/test_write_profile \
	tests/model/test_measurements \
	tests/model/test_tflite_profile \
	tests/model/test_cost \
	tests/model/test_cost_cpu_products \
	tests/model/test_cost_cpu_light \
	tests/model/test_cost_gpu \
	tests/model/test_core_factors \
	tests/model/test_cost_parts \
	tests/model/test_linked \
	tests/model/test_launch \
	tests/model/test_packing \
	tests/model/test_packed_shaders \
	tests/model/test_products \
	tests/model/test_explain \
	tests/model/test_lower \
	tests/model/test_lower_launches \
	tests/model/test_lower_memory \
	tests/model/test_metamorphic \
	tests/policy/test_adaptive \
	tests/policy/test_adaptive_learning \
	tests/policy/test_expected \
	tests/policy/test_codl \
	tests/policy/test_mulayer \
	tests/policy/test_branches \
	tests/policy/test_band_units \
	tests/policy/test_flops \
	tests/policy/test_codl_published \
	tests/policy/test_codl_chips \
	tests/policy/test_conformance \
	tests/policy/test_conformance_2 \
	tests/policy/test_exhaustive \
	tests/policy/test_five_layers \
	tests/policy/test_tf_baseline \
	tests/policy/test_heft \
	tests/policy/test_indifference \
	tests/policy/test_relations \
	tests/policy/test_fallback \
	tests/policy/test_jank \
	tests/policy/test_nn_stretch \
	tests/policy/test_stretch_rewrite \
	tests/policy/test_stretch_search \
	tests/policy/test_schedulers \
	tests/policy/test_scheduler_answers \
	tests/policy/test_mosaic \
	tests/model/test_check \
	tests/model/test_check_several \
	tests/model/test_check_living \
	tests/model/test_estimate_under \
	tests/model/test_load \
	tests/model/test_copies \
	tests/model/test_engine \
	tests/model/test_engine_jobs \
	tests/model/test_living \
	tests/model/test_living_frames \
	tests/model/test_living_governors \
	tests/model/test_living_rivals \
	tests/model/test_living_rules \
	tests/model/test_slices \
	tests/model/test_host_calls \
	tests/model/test_stealing \
	tests/model/test_shader \
	tests/model/test_shapes \
	tests/model/test_spin \
	tests/model/test_memplan \
	tests/model/test_metrics \
	tests/model/test_noise \
	tests/model/test_optimise \
	tests/model/test_reuse \
	tests/model/test_pass_fuse \
	tests/model/test_pass_prune \
	tests/model/test_program \
	tests/model/test_program_cut \
	tests/model/test_program_joins \
	tests/model/test_program_starts \
	tests/model/test_program_memory \
	tests/model/test_ran \
	tests/model/test_queues \
	tests/model/test_random_programs \
	tests/model/test_random_runs \
	tests/model/test_random_scale \
	tests/model/test_serve \
	tests/model/test_serve_schedulers \
	tests/model/test_serve_turns \
	tests/model/test_siblings \
	tests/model/test_libraries \
	tests/model/test_system \
	tests/model/test_work \
	tests/policy/test_contract \
	tests/policy/test_single
tests_unit_test_arrivals_SOURCES = tests/unit/test_arrivals.c
tests_unit_test_arrivals_LDADD = $(TEST_LIBS)
tests_unit_test_claims_SOURCES = tests/unit/test_claims.c
tests_unit_test_claims_LDADD = $(TEST_LIBS)
tests_unit_test_shipped_networks_SOURCES = tests/unit/test_shipped_networks.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_shipped_networks_LDADD = $(TEST_LIBS)
tests_unit_test_shipped_operators_SOURCES = tests/unit/test_shipped_operators.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_shipped_operators_LDADD = $(TEST_LIBS)
tests_unit_test_shipped_socs_SOURCES = tests/unit/test_shipped_socs.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_shipped_socs_LDADD = $(TEST_LIBS)
tests_unit_test_shipped_traces_SOURCES = tests/unit/test_shipped_traces.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_shipped_traces_LDADD = $(TEST_LIBS)
tests_unit_test_shipped_profiles_SOURCES = tests/unit/test_shipped_profiles.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_shipped_profiles_LDADD = $(TEST_LIBS)
tests_unit_test_names_SOURCES = tests/unit/test_names.c tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_names_LDADD = $(TEST_LIBS)
tests_unit_test_cfs_SOURCES = tests/unit/test_cfs.c
tests_unit_test_cfs_LDADD = $(TEST_LIBS)
tests_unit_test_child_SOURCES = tests/unit/test_child.c
tests_unit_test_child_LDADD = $(TEST_LIBS)
tests_unit_test_governor_SOURCES = tests/unit/test_governor.c tests/unit/governor.h tests/unit/suite.h
tests_unit_test_governor_LDADD = $(TEST_LIBS)
tests_unit_test_schedutil_SOURCES = tests/unit/test_schedutil.c tests/unit/governor.h tests/unit/suite.h
tests_unit_test_schedutil_LDADD = $(TEST_LIBS)
tests_unit_test_graph_SOURCES = tests/unit/test_graph.c
tests_unit_test_graph_LDADD = $(TEST_LIBS)
tests_unit_test_json_in_SOURCES = tests/unit/test_json_in.c
tests_unit_test_json_in_LDADD = $(TEST_LIBS)
tests_unit_test_op_support_SOURCES = tests/unit/test_op_support.c
tests_unit_test_op_support_LDADD = $(TEST_LIBS)
tests_unit_test_scenario_SOURCES = tests/unit/test_scenario.c tests/unit/scenario_soc.h tests/unit/scenario_text.h
tests_unit_test_scenario_LDADD = $(TEST_LIBS)
tests_unit_test_scenario_options_SOURCES = tests/unit/test_scenario_options.c tests/unit/scenario_soc.h tests/unit/scenario_text.h
tests_unit_test_scenario_options_LDADD = $(TEST_LIBS)
tests_unit_test_scenario_table_SOURCES = tests/unit/test_scenario_table.c tests/unit/scenario_soc.h tests/unit/scenario_text.h
tests_unit_test_scenario_table_LDADD = $(TEST_LIBS)
tests_unit_test_soc_SOURCES = tests/unit/test_soc.c
tests_unit_test_soc_LDADD = $(TEST_LIBS)
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c
tests_unit_test_profile_LDADD = $(TEST_LIBS)
tests_unit_test_json_put_SOURCES = tests/unit/test_json_put.c
tests_unit_test_json_put_LDADD = $(TEST_LIBS)
tests_unit_test_kernel_numbers_SOURCES = tests/unit/test_kernel_numbers.c
tests_unit_test_kernel_numbers_LDADD = $(TEST_LIBS)
tests_unit_test_charts_SOURCES = tests/unit/test_charts.c
tests_unit_test_charts_LDADD = $(TEST_LIBS)
tests_unit_test_spelling_SOURCES = tests/unit/test_spelling.c
tests_unit_test_spelling_LDADD = $(TEST_LIBS)
tests_unit_test_files_SOURCES = tests/unit/test_files.c
tests_unit_test_files_LDADD = $(TEST_LIBS)
tests_unit_test_search_SOURCES = tests/unit/test_search.c
tests_unit_test_search_LDADD = $(TEST_LIBS)
tests_unit_test_text_SOURCES = tests/unit/test_text.c
tests_unit_test_text_LDADD = $(TEST_LIBS)
tests_unit_test_thermal_SOURCES = tests/unit/test_thermal.c tests/unit/thermal.h tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_thermal_LDADD = $(TEST_LIBS)
tests_unit_test_step_wise_SOURCES = tests/unit/test_step_wise.c tests/unit/thermal.h tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_step_wise_LDADD = $(TEST_LIBS)
tests_unit_test_power_allocator_SOURCES = tests/unit/test_power_allocator.c tests/unit/thermal.h tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_power_allocator_LDADD = $(TEST_LIBS)
tests_unit_test_throttling_SOURCES = tests/unit/test_throttling.c tests/unit/thermal.h tests/unit/shipped.h tests/unit/suite.h
tests_unit_test_throttling_LDADD = $(TEST_LIBS)
tests_policy_test_adaptive_SOURCES = tests/policy/test_adaptive.c
tests_policy_test_adaptive_LDADD = $(TEST_LIBS)
tests_policy_test_adaptive_learning_SOURCES = tests/policy/test_adaptive_learning.c tests/policy/streams.h
tests_policy_test_adaptive_learning_LDADD = $(TEST_LIBS)
tests_policy_test_expected_SOURCES = tests/policy/test_expected.c
tests_policy_test_expected_LDADD = $(TEST_LIBS)
tests_policy_test_codl_SOURCES = tests/policy/test_codl.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_codl_LDADD = $(TEST_LIBS)
tests_policy_test_mulayer_SOURCES = tests/policy/test_mulayer.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_mulayer_LDADD = $(TEST_LIBS)
tests_policy_test_branches_SOURCES = tests/policy/test_branches.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_branches_LDADD = $(TEST_LIBS)
tests_policy_test_band_units_SOURCES = tests/policy/test_band_units.c tests/model/fixture.h
tests_policy_test_band_units_LDADD = $(TEST_LIBS)
tests_policy_test_flops_SOURCES = tests/policy/test_flops.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_flops_LDADD = $(TEST_LIBS)
tests_policy_test_codl_published_SOURCES = tests/policy/test_codl_published.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_codl_published_LDADD = $(TEST_LIBS)
tests_policy_test_codl_chips_SOURCES = tests/policy/test_codl_chips.c tests/policy/cutting.h tests/model/fixture.h
tests_policy_test_codl_chips_LDADD = $(TEST_LIBS)
tests_policy_test_exhaustive_SOURCES = tests/policy/test_exhaustive.c tests/policy/five.h
tests_policy_test_exhaustive_LDADD = $(TEST_LIBS)
tests_policy_test_five_layers_SOURCES = tests/policy/test_five_layers.c tests/policy/five.h
tests_policy_test_five_layers_LDADD = $(TEST_LIBS)
tests_policy_test_tf_baseline_SOURCES = tests/policy/test_tf_baseline.c tests/policy/five.h
tests_policy_test_tf_baseline_LDADD = $(TEST_LIBS)
tests_policy_test_heft_SOURCES = tests/policy/test_heft.c
tests_policy_test_heft_LDADD = $(TEST_LIBS)
tests_policy_test_nn_stretch_SOURCES = tests/policy/test_nn_stretch.c
tests_policy_test_nn_stretch_LDADD = $(TEST_LIBS)
tests_policy_test_stretch_rewrite_SOURCES = tests/policy/test_stretch_rewrite.c tests/policy/five.h
tests_policy_test_stretch_rewrite_LDADD = $(TEST_LIBS)
tests_policy_test_stretch_search_SOURCES = tests/policy/test_stretch_search.c
tests_policy_test_stretch_search_LDADD = $(TEST_LIBS)
tests_policy_test_schedulers_SOURCES = tests/policy/test_schedulers.c tests/policy/streams.h
tests_policy_test_schedulers_LDADD = $(TEST_LIBS)
tests_policy_test_scheduler_answers_SOURCES = tests/policy/test_scheduler_answers.c tests/policy/streams.h
tests_policy_test_scheduler_answers_LDADD = $(TEST_LIBS)
tests_policy_test_fallback_SOURCES = tests/policy/test_fallback.c
tests_policy_test_fallback_LDADD = $(TEST_LIBS)
tests_policy_test_jank_SOURCES = tests/policy/test_jank.c
tests_policy_test_jank_LDADD = $(TEST_LIBS)
tests_policy_test_indifference_SOURCES = tests/policy/test_indifference.c
tests_policy_test_indifference_LDADD = $(TEST_LIBS)
tests_policy_test_relations_SOURCES = tests/policy/test_relations.c
tests_policy_test_relations_LDADD = $(TEST_LIBS)
tests_policy_test_mosaic_SOURCES = tests/policy/test_mosaic.c
tests_policy_test_mosaic_LDADD = $(TEST_LIBS)
tests_cli_test_terminal_SOURCES = tests/cli/test_terminal.c
tests_cli_test_terminal_LDADD = $(TEST_LIBS) -lutil
tests_cli_test_json_SOURCES = tests/cli/test_json.c tests/cli/json.h
tests_cli_test_json_LDADD = $(TEST_LIBS)
tests_cli_test_json_run_SOURCES = tests/cli/test_json_run.c tests/cli/json.h
tests_cli_test_json_run_LDADD = $(TEST_LIBS)
tests_model_test_fit_curve_SOURCES = tests/model/test_fit_curve.c tests/model/desk.h
tests_model_test_fit_curve_LDADD = $(TEST_LIBS)
tests_model_test_fit_operators_SOURCES = tests/model/test_fit_operators.c tests/model/desk.h
tests_model_test_fit_operators_LDADD = $(TEST_LIBS)
tests_model_test_fit_networks_SOURCES = tests/model/test_fit_networks.c tests/model/desk.h
tests_model_test_fit_networks_LDADD = $(TEST_LIBS)
tests_model_test_fit_lowered_SOURCES = tests/model/test_fit_lowered.c tests/model/desk.h
tests_model_test_fit_lowered_LDADD = $(TEST_LIBS)
tests_model_test_fit_core_types_SOURCES = tests/model/test_fit_core_types.c tests/model/desk.h
tests_model_test_fit_core_types_LDADD = $(TEST_LIBS)
tests_model_test_fit_pace_SOURCES = tests/model/test_fit_pace.c tests/model/desk.h
tests_model_test_fit_pace_LDADD = $(TEST_LIBS)
tests_model_test_fit_search_SOURCES = tests/model/test_fit_search.c tests/model/desk.h
tests_model_test_fit_search_LDADD = $(TEST_LIBS)
tests_model_test_fit_refused_SOURCES = tests/model/test_fit_refused.c tests/model/desk.h
tests_model_test_fit_refused_LDADD = $(TEST_LIBS)
tests_model_test_write_profile_SOURCES = tests/model/test_write_profile.c tests/model/desk.h
tests_model_test_write_profile_LDADD = $(TEST_LIBS)
tests_model_test_measurements_SOURCES = tests/model/test_measurements.c tests/model/desk.h
tests_model_test_measurements_LDADD = $(TEST_LIBS)
tests_model_test_tflite_profile_SOURCES = tests/model/test_tflite_profile.c tests/model/desk.h
tests_model_test_tflite_profile_LDADD = $(TEST_LIBS)
tests_model_test_cost_SOURCES = tests/model/test_cost.c tests/model/costs.h tests/model/fixture.h
tests_model_test_cost_LDADD = $(TEST_LIBS)
tests_model_test_cost_cpu_products_SOURCES = tests/model/test_cost_cpu_products.c tests/model/costs.h tests/model/fixture.h
tests_model_test_cost_cpu_products_LDADD = $(TEST_LIBS)
tests_model_test_cost_cpu_light_SOURCES = tests/model/test_cost_cpu_light.c tests/model/costs.h tests/model/fixture.h
tests_model_test_cost_cpu_light_LDADD = $(TEST_LIBS)
tests_model_test_cost_gpu_SOURCES = tests/model/test_cost_gpu.c tests/model/costs.h tests/model/fixture.h
tests_model_test_cost_gpu_LDADD = $(TEST_LIBS)
tests_model_test_core_factors_SOURCES = tests/model/test_core_factors.c tests/model/rig.h tests/unit/child.h
tests_model_test_core_factors_LDADD = $(TEST_LIBS)
tests_model_test_cost_parts_SOURCES = tests/model/test_cost_parts.c tests/model/costs.h tests/model/fixture.h
tests_model_test_cost_parts_LDADD = $(TEST_LIBS)
tests_model_test_linked_SOURCES = tests/model/test_linked.c tests/model/costs.h tests/model/fixture.h
tests_model_test_linked_LDADD = $(TEST_LIBS)
tests_model_test_launch_SOURCES = tests/model/test_launch.c
tests_model_test_launch_LDADD = $(TEST_LIBS)
tests_model_test_packing_SOURCES = tests/model/test_packing.c
tests_model_test_packing_LDADD = $(TEST_LIBS)
tests_model_test_packed_shaders_SOURCES = tests/model/test_packed_shaders.c
tests_model_test_packed_shaders_LDADD = $(TEST_LIBS)
tests_model_test_products_SOURCES = tests/model/test_products.c
tests_model_test_products_LDADD = $(TEST_LIBS)
tests_model_test_lower_SOURCES = tests/model/test_lower.c tests/model/two_convs.h tests/model/fixture.h
tests_model_test_lower_LDADD = $(TEST_LIBS)
tests_model_test_lower_launches_SOURCES = tests/model/test_lower_launches.c tests/model/two_convs.h tests/model/fixture.h
tests_model_test_lower_launches_LDADD = $(TEST_LIBS)
tests_model_test_lower_memory_SOURCES = tests/model/test_lower_memory.c tests/model/two_convs.h tests/model/fixture.h
tests_model_test_lower_memory_LDADD = $(TEST_LIBS)
tests_model_test_metamorphic_SOURCES = tests/model/test_metamorphic.c
tests_model_test_metamorphic_LDADD = $(TEST_LIBS)
tests_model_test_check_SOURCES = tests/model/test_check.c tests/model/spoilt.h
tests_model_test_check_LDADD = $(TEST_LIBS)
tests_model_test_check_several_SOURCES = tests/model/test_check_several.c tests/model/spoilt.h tests/model/serving.h
tests_model_test_check_several_LDADD = $(TEST_LIBS)
tests_model_test_check_living_SOURCES = tests/model/test_check_living.c tests/model/spoilt.h
tests_model_test_check_living_LDADD = $(TEST_LIBS)
tests_model_test_copies_SOURCES = tests/model/test_copies.c
tests_model_test_copies_LDADD = $(TEST_LIBS)
tests_model_test_engine_SOURCES = tests/model/test_engine.c tests/model/pair.h
tests_model_test_engine_LDADD = $(TEST_LIBS)
tests_model_test_engine_jobs_SOURCES = tests/model/test_engine_jobs.c tests/model/pair.h
tests_model_test_engine_jobs_LDADD = $(TEST_LIBS)
tests_model_test_living_SOURCES = tests/model/test_living.c tests/model/alive.h tests/model/phone.h
tests_model_test_living_LDADD = $(TEST_LIBS)
tests_model_test_living_frames_SOURCES = tests/model/test_living_frames.c tests/model/alive.h tests/model/phone.h
tests_model_test_living_frames_LDADD = $(TEST_LIBS)
tests_model_test_living_governors_SOURCES = tests/model/test_living_governors.c tests/model/alive.h tests/model/phone.h
tests_model_test_living_governors_LDADD = $(TEST_LIBS)
tests_model_test_living_rivals_SOURCES = tests/model/test_living_rivals.c tests/model/alive.h tests/model/phone.h
tests_model_test_living_rivals_LDADD = $(TEST_LIBS)
tests_model_test_living_rules_SOURCES = tests/model/test_living_rules.c tests/model/alive.h tests/model/phone.h tests/model/serving.h
tests_model_test_living_rules_LDADD = $(TEST_LIBS)
tests_model_test_shader_SOURCES = tests/model/test_shader.c tests/model/fixture.h
tests_model_test_shader_LDADD = $(TEST_LIBS)
tests_model_test_shapes_SOURCES = tests/model/test_shapes.c
tests_model_test_shapes_LDADD = $(TEST_LIBS)
tests_model_test_slices_SOURCES = tests/model/test_slices.c tests/model/sliced.h tests/model/alive.h
tests_model_test_slices_LDADD = $(TEST_LIBS)
tests_model_test_host_calls_SOURCES = tests/model/test_host_calls.c tests/model/sliced.h tests/model/alive.h
tests_model_test_host_calls_LDADD = $(TEST_LIBS)
tests_model_test_stealing_SOURCES = tests/model/test_stealing.c tests/model/sliced.h tests/model/alive.h
tests_model_test_stealing_LDADD = $(TEST_LIBS)
tests_model_test_spin_SOURCES = tests/model/test_spin.c tests/model/alive.h
tests_model_test_spin_LDADD = $(TEST_LIBS)
tests_model_test_memplan_SOURCES = tests/model/test_memplan.c
tests_model_test_memplan_LDADD = $(TEST_LIBS)
tests_model_test_metrics_SOURCES = tests/model/test_metrics.c
tests_model_test_metrics_LDADD = $(TEST_LIBS)
tests_model_test_noise_SOURCES = tests/model/test_noise.c tests/model/serving.h
tests_model_test_noise_LDADD = $(TEST_LIBS)
tests_model_test_optimise_SOURCES = tests/model/test_optimise.c tests/model/passes.h
tests_model_test_optimise_LDADD = $(TEST_LIBS)
tests_model_test_reuse_SOURCES = tests/model/test_reuse.c
tests_model_test_reuse_LDADD = $(TEST_LIBS)
tests_model_test_pass_fuse_SOURCES = tests/model/test_pass_fuse.c
tests_model_test_pass_fuse_LDADD = $(TEST_LIBS)
tests_model_test_pass_prune_SOURCES = tests/model/test_pass_prune.c tests/model/passes.h
tests_model_test_pass_prune_LDADD = $(TEST_LIBS)
tests_model_test_program_SOURCES = tests/model/test_program.c tests/model/lowering.h
tests_model_test_program_LDADD = $(TEST_LIBS)
tests_model_test_program_cut_SOURCES = tests/model/test_program_cut.c tests/model/lowering.h
tests_model_test_program_cut_LDADD = $(TEST_LIBS)
tests_model_test_program_joins_SOURCES = tests/model/test_program_joins.c tests/model/lowering.h
tests_model_test_program_joins_LDADD = $(TEST_LIBS)
tests_model_test_program_starts_SOURCES = tests/model/test_program_starts.c
tests_model_test_program_starts_LDADD = $(TEST_LIBS)
tests_model_test_program_memory_SOURCES = tests/model/test_program_memory.c tests/model/lowering.h
tests_model_test_program_memory_LDADD = $(TEST_LIBS)
tests_model_test_ran_SOURCES = tests/model/test_ran.c tests/model/both.h
tests_model_test_ran_LDADD = $(TEST_LIBS)
tests_model_test_explain_SOURCES = tests/model/test_explain.c tests/model/both.h
tests_model_test_explain_LDADD = $(TEST_LIBS)
tests_model_test_queues_SOURCES = tests/model/test_queues.c tests/model/serving.h
tests_model_test_queues_LDADD = $(TEST_LIBS)
tests_model_test_siblings_SOURCES = tests/model/test_siblings.c
tests_model_test_siblings_LDADD = $(TEST_LIBS)
tests_model_test_libraries_SOURCES = tests/model/test_libraries.c
tests_model_test_libraries_LDADD = $(TEST_LIBS)
tests_model_test_random_programs_SOURCES = tests/model/test_random_programs.c tests/model/random.h
tests_model_test_random_programs_LDADD = $(TEST_LIBS)
tests_model_test_random_runs_SOURCES = tests/model/test_random_runs.c tests/model/random.h
tests_model_test_random_runs_LDADD = $(TEST_LIBS)
tests_model_test_random_scale_SOURCES = tests/model/test_random_scale.c tests/model/random.h
tests_model_test_random_scale_LDADD = $(TEST_LIBS)
tests_model_test_estimate_under_SOURCES = tests/model/test_estimate_under.c tests/model/sealed.h tests/model/serving.h
tests_model_test_estimate_under_LDADD = $(TEST_LIBS)
tests_model_test_load_SOURCES = tests/model/test_load.c tests/model/sealed.h tests/model/serving.h
tests_model_test_load_LDADD = $(TEST_LIBS)
tests_model_test_serve_SOURCES = tests/model/test_serve.c tests/model/serving.h
tests_model_test_serve_LDADD = $(TEST_LIBS)
tests_model_test_serve_schedulers_SOURCES = tests/model/test_serve_schedulers.c tests/model/serving.h
tests_model_test_serve_schedulers_LDADD = $(TEST_LIBS)
tests_model_test_serve_turns_SOURCES = tests/model/test_serve_turns.c tests/model/serving.h
tests_model_test_serve_turns_LDADD = $(TEST_LIBS)
tests_model_test_system_SOURCES = tests/model/test_system.c
tests_model_test_system_LDADD = $(TEST_LIBS)
tests_model_test_work_SOURCES = tests/model/test_work.c tests/model/rig.h tests/unit/child.h
tests_model_test_work_LDADD = $(TEST_LIBS)
tests_policy_test_contract_SOURCES = tests/policy/test_contract.c
tests_policy_test_contract_LDADD = $(TEST_LIBS)
tests_policy_test_single_SOURCES = tests/policy/test_single.c
tests_policy_test_single_LDADD = $(TEST_LIBS)
tests_policy_test_conformance_SOURCES = tests/policy/test_conformance.c
tests_policy_test_conformance_LDADD = $(TEST_LIBS)
tests_policy_test_conformance_2_SOURCES = tests/policy/test_conformance.c
tests_policy_test_conformance_2_CPPFLAGS = $(AM_CPPFLAGS) -DHALF=1
tests_policy_test_conformance_2_LDADD = $(TEST_LIBS)

# --- fuzz: the corpus is replayed by the tests, `make fuzz` searches with clang's libFuzzer ---
FUZZ_TARGETS = workload soc support profile scenario competing measurements tflite
FUZZ_SECONDS = 600
REPLAY_CFLAGS = -DHS_REPLAY
check_PROGRAMS += tests/fuzz/replay_workload tests/fuzz/replay_soc tests/fuzz/replay_support tests/fuzz/replay_profile tests/fuzz/replay_scenario \
	tests/fuzz/replay_competing tests/fuzz/replay_measurements tests/fuzz/replay_tflite
tests_fuzz_replay_workload_SOURCES = tests/fuzz/fuzz_workload.c tests/fuzz/fuzz.h
tests_fuzz_replay_workload_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_workload_LDADD = $(TEST_LIBS)
tests_fuzz_replay_soc_SOURCES = tests/fuzz/fuzz_soc.c
tests_fuzz_replay_soc_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_soc_LDADD = $(TEST_LIBS)
tests_fuzz_replay_support_SOURCES = tests/fuzz/fuzz_support.c
tests_fuzz_replay_support_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_support_LDADD = $(TEST_LIBS)
tests_fuzz_replay_profile_SOURCES = tests/fuzz/fuzz_profile.c
tests_fuzz_replay_profile_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_profile_LDADD = $(TEST_LIBS)
tests_fuzz_replay_scenario_SOURCES = tests/fuzz/fuzz_scenario.c tests/fuzz/scenario.h tests/unit/scenario_soc.h
tests_fuzz_replay_scenario_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_scenario_LDADD = $(TEST_LIBS)
tests_fuzz_replay_competing_SOURCES = tests/fuzz/fuzz_competing.c tests/fuzz/scenario.h tests/unit/scenario_soc.h
tests_fuzz_replay_competing_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_competing_LDADD = $(TEST_LIBS)
tests_fuzz_replay_measurements_SOURCES = tests/fuzz/fuzz_measurements.c tests/fuzz/desk.h
tests_fuzz_replay_measurements_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_measurements_LDADD = $(TEST_LIBS)
tests_fuzz_replay_tflite_SOURCES = tests/fuzz/fuzz_tflite.c tests/fuzz/desk.h
tests_fuzz_replay_tflite_CPPFLAGS = $(AM_CPPFLAGS) $(REPLAY_CFLAGS)
tests_fuzz_replay_tflite_LDADD = $(TEST_LIBS)
EXTRA_DIST += tests/data/mali-g76-tflite-gpu-networks.csv tests/data/sd855-tflite-gpu-operators.csv tests/data/sd855-tflite-cpu-networks.csv tests/fuzz/corpus tests/fuzz/run.sh tests/fuzz/json.dict
.PHONY: fuzz
fuzz:
	HETSIM_DATA="$(abs_top_srcdir)" CFLAGS='$(subst ',,$(AM_CPPFLAGS))' LIBS="$(CJSON_LIBS) $(MD_LIBS) $(GSL_LIBS) -lm" $(SHELL) $(srcdir)/tests/fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# --- scripts ---
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
dist_check_SCRIPTS = tests/unit/layers.sh \
	tests/cli/calibrate.sh \
	tests/cli/children.sh \
	tests/cli/compare.sh \
	tests/cli/completion.sh \
	tests/cli/data.sh \
	tests/cli/documents.sh \
	tests/cli/explain.sh \
	tests/cli/files.sh \
	tests/cli/input.sh \
	tests/cli/noise.sh \
	tests/cli/opt.sh \
	tests/cli/optimise.sh \
	tests/cli/options.sh \
	tests/cli/refit.sh \
	tests/cli/reproduce.sh \
	tests/cli/run.sh \
	tests/cli/scenarios.sh \
	tests/cli/show.sh \
	tests/cli/streams.sh \
	tests/cli/usage.sh \
	tests/cli/validate.sh \
	tests/cli/zoo.sh
EXTRA_DIST += tests/cli/helpers.sh

TESTS += $(check_PROGRAMS) $(dist_check_SCRIPTS)

# --- bench: ratios within one run, never a pass or a failure ---
EXTRA_PROGRAMS += tests/bench/bench_engine tests/bench/bench_living tests/bench/bench_plan
tests_bench_bench_engine_SOURCES = tests/bench/bench_engine.c tests/bench/bare.h
tests_bench_bench_engine_LDADD = $(TEST_LIBS)
tests_bench_bench_living_SOURCES = tests/bench/bench_living.c tests/bench/bare.h
tests_bench_bench_living_LDADD = $(TEST_LIBS)
tests_bench_bench_plan_SOURCES = tests/bench/bench_plan.c
tests_bench_bench_plan_LDADD = $(TEST_LIBS)
CLEANFILES += $(EXTRA_PROGRAMS)
EXTRA_DIST += tests/bench/start.sh
.PHONY: bench
bench: hetsim$(EXEEXT) tests/bench/bench_engine$(EXEEXT) tests/bench/bench_living$(EXEEXT) tests/bench/bench_plan$(EXEEXT)
	HETSIM_DATA="$(abs_top_srcdir)" tests/bench/bench_engine
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM=./hetsim tests/bench/bench_living
	HETSIM_DATA="$(abs_top_srcdir)" tests/bench/bench_plan
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM=./hetsim $(SHELL) $(srcdir)/tests/bench/start.sh

# --- validate: what takes too long for every check ---
.PHONY: validate
validate: hetsim$(EXEEXT) tests/policy/test_adaptive$(EXEEXT) tests/policy/test_conformance$(EXEEXT) tests/policy/test_conformance_2$(EXEEXT)
	HETSIM_DATA="$(abs_top_srcdir)" ./hetsim$(EXEEXT) validate -o validation.txt; status=$$?; cat validation.txt; exit $$status
	report=`pwd`/validation.txt; cd $(srcdir) && $(SHELL) validation/figures.sh "$$report"
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM_GRID=full tests/policy/test_adaptive
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM=`pwd`/hetsim$(EXEEXT) && export HETSIM_DATA HETSIM && cd $(srcdir) && $(SHELL) validation/adaptive.sh
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM_GRID=full tests/policy/test_conformance
	HETSIM_DATA="$(abs_top_srcdir)" HETSIM_GRID=full tests/policy/test_conformance_2
