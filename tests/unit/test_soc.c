/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader of SoCs refuses: a small valid file, spoilt in one place at a time; and what others ask of a SoC. */
#include "tests/unit/suite.h"

#include "input/soc.h"

/* Of the GPU's domain, with a key more. */
#define GPU_DOMAIN "'slice_limit_bytes': 100000000.0, 'domains': [{'name': 'g', "
#define GPU_HAS(key) GPU_DOMAIN, GPU_DOMAIN key ", "

static const struct {
  const char *from, *to, *message;
} soc_cases[] = {
  {"'freq_hz': 1000000000.0", "'freq_hz': 0", "$.processors[0].domains[0].opps[0].freq_hz: 0 is not > 0"},
  {"'freq_hz': 1000000000.0", "'freq_hz': 1000", "freq_hz 1000 is below 10 MHz: the unit is Hz"},
  {"'freq_hz': 1000000000.0", "'freq_hz': 1000000", "freq_hz 1e+06 is below 10 MHz: the unit is Hz"}, /* kHz */
  {"'freq_hz': 2000000000.0", "'freq_hz': 1000000000.0",
   "$.processors[0].domains[0].opps[1]: freq_hz 1e+09 is not above the OPP before it"},
  {"'volt': 1.1", "'volt': 0.9", "volt 0.9 is below the OPP before it"},
  {"'dynamic_w': 1,", "'dynamic_w': -1,", "$.processors[0].domains[0].opps[0].dynamic_w: -1 is not in [0, 100]"},
  {"'capacity_bytes': 1000000000.0", "'capacity_bytes': 1e99", "$.memory.capacity_bytes: 1e+99 is not in"},
  {"'type': 'L'", "'typ': 'L'", "$.memory: key \"type\" is missing; is \"typ\" meant?"},
  {"'name': 'gpu', 'kind'", "'name': 'cpu', 'kind'", "there is already a processor \"cpu\""},
  {"'kind': 'gpu'", "'kind': 'tpu'", "\"tpu\" is not one of cpu, gpu, dsp, npu"},
  {"'discipline': 'processor-shared'", "'discipline': 'queued'", "a CPU is processor-shared, every other kind is queued"},
  {"'memory_types': ['image', 'buffer']", "'memory_types': ['image', 'image']", "is listed twice"},
  {"'to': 'gpu'", "'to': 'dsp'", "an entry from cpu to gpu or back is missing"},
  {"'to': 'gpu'", "'to': 'cpu'", "exactly one side must be cpu"},
  {"'fixed_s': 1e-05", "'fixed_s': -1e-05", "transform.fixed_s: -1e-05 is not in [0, 0.1]"},
  {"'capacitance_j_per_k': 1", "'capacitance_j_per_k': -1", "$.thermal.nodes[0].capacitance_j_per_k: -1 is not > 0"},
  {"'to': 'ambient'", "'to': 'n'", "joins a node to itself"},
  {"'links': [{", "'links': [{'from': 'ambient', 'to': 'n', 'resistance_k_per_w': 5}, {",
   "$.thermal.links[1]: joins the same two nodes as links[0]"},
  {"'links': [{'from': 'n', 'to': 'ambient'", "'links': [{'from': 'nn', 'to': 'ambient'", "there is no thermal node \"nn\""},
  {"'nodes': [{", "'nodes': [{'name': 'lost', 'processors': [], 'capacitance_j_per_k': 2}, {", "node \"lost\" has no way to ambient"},
  {"'processors': ['cpu', 'gpu'], 'capacitance", "'processors': ['npu'], 'capacitance", "there is no processor \"npu\""},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0", "$.memory.capacity_bytes: no source says where this number comes from"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': 'b'", "\"b\" is not in the table of sources"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': {'capacity_bytes': 'a', 'peak_bytes_per_s': 'a'}",
   "$.memory.llc_bytes: no source"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': {'latency_s': 'a'}", "a source for a key that isn't there"},
  {"'kind': 'assumed'", "'kind': 'guessed'", "\"guessed\" is not one of measured, vendor, derived, press, assumed"},
  {"'title': 't'", "'title': 't', 'titel': 't'", "unknown key \"titel\""},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {}", "names no precision"},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {'fp64': 8}", "unknown key \"fp64\""},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {'fp32': 8, 'fp64': 8}",
   "$.processors[0].domains[0].macs_per_cycle.fp64: unknown key \"fp64\""},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {'fp32': 0}",
   "$.processors[0].domains[0].macs_per_cycle.fp32: 0 is not in [0.001, 1e+07]"},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {'fp32': 1e-302}",
   "$.processors[0].domains[0].macs_per_cycle.fp32: 1e-302 is not in [0.001, 1e+07]"},
  {"hetsim-soc/1", "hetsim-soc/2", "$.format: \"hetsim-soc/2\" is not \"hetsim-soc/1\""},
  {"'name': 'x'", "'name': 'x y'", "$.name: a name has letters, digits"},
  {"'name': 'x'", "'name': '../x'", "$.name: the name of a SoC is part of its profiles' file names, and has no /"},
  {"'name': 'x'", "'name': 'any'", "$.name: \"any\" is what the profiles of every SoC are called"},
  {"'title': 't'", "'title': 't\\u001bc'", "$.title: has the control character U+001B"},
  {"'title': 't'", "'title': 't\\u009bc'", "$.title: has the control character U+009B"},
  {"'idle_w': 1", "'idle_w': 21", "$.device.idle_w: 21 is not in [0, 20]"},
  {"'freq_hz': 1000000000.0", "'freq_hz': 1e12", "$.processors[0].domains[0].opps[0].freq_hz: 1e+12 is not <= 1e+10"},
  {"'freq_hz': 1000000000.0", "'freq_hz': 1e999", "$.processors[0].domains[0].opps[0].freq_hz: is not a finite number"},
  {"'freq_hz': 1000000000.0", "'freq_mhz': 1000", "$.processors[0].domains[0].opps[0]: key \"freq_hz\" is missing"},
  {"'freq_hz': 2000000000.0", "'freq_hz': 500000000.0",
   "$.processors[0].domains[0].opps[1]: freq_hz 5e+08 is not above the OPP before it (1e+09)"},
  {"'volt': 1,", "'volt': 0,", "$.processors[0].domains[0].opps[0].volt: 0 is not in [0.2, 2]"},
  {"'volt': 1,", "'volt': 700,", "$.processors[0].domains[0].opps[0].volt: 700 is not in [0.2, 2]"}, /* millivolts */
  {"'volt': 1,", "'volt': 0.1,", "$.processors[0].domains[0].opps[0].volt: 0.1 is not in [0.2, 2]"},
  {"'volt': 1.1,", "'volt': 11,", "$.processors[0].domains[0].opps[1].volt: 11 is not in [0.2, 2]"},
  {"'static_w': 0.1", "'static_w': 101", "static_w: 101 is not in [0, 100]"},
  {"'static_w': 0.1", "'static_w': 0.1, 'shared_w': -1", "shared_w: -1 is not in [0, 100]"},
  {"'dynamic_w': 2, 'static_w': 0.1", "'dynamic_w': 2, 'static_w': 80",
   "$.processors[0].domains[0].opps: static_w 80 at the highest OPP is above dynamic_w of all cores (2): the unit of both is W"}, /* mW */
  {"'bandwidth_per_core_bytes_per_s': 1000000000.0", "'bandwidth_per_core_bytes_per_s': 2e7",
   "$.processors[0].domains[0].bandwidth_per_core_bytes_per_s: 2e+07 is not in [1e+08, 1e+13]"},
  {"'bandwidth_bytes_per_s': 1000000000.0", "'bandwidth_bytes_per_s': 2e7", "$.processors[0].bandwidth_bytes_per_s: 2e+07 is not in [1e+08, 1e+13]"},
  {"'kernel_power_factor': 1.5", "'kernel_power_factor': 0", "$.processors[0].kernel_power_factor: 0 is not > 0"},
  {"'kernel_power_factor': 1.5", "'kernel_power_factor': 101", "$.processors[0].kernel_power_factor: 101 is not <= 100"},
  {"'cores': 1", "'cores': 0", "$.processors[0].domains[0].cores: 0 is not in [1, 16]"},
  {"'cores': 1", "'cores': 1.5", "$.processors[0].domains[0].cores: 1.5 is not a whole number"},
  {"'op_support': {'tflite': 'x'}, 'slice_limit_bytes': 100000000.0, 'domains': [{'name': 'g', 'cores': 1",
   "'op_support': {'tflite': 'x'}, 'slice_limit_bytes': 100000000.0, 'domains': [{'name': 'g', 'cores': 2",
   "$.processors[1].domains[0]: cores 2 is not 1: the rates and powers of what isn't a CPU are of the whole unit"},
  {GPU_HAS("'compute_units': 0"), "$.processors[1].domains[0].compute_units: 0 is not in [1, 64]"},
  {GPU_HAS("'compute_units': 65"), "$.processors[1].domains[0].compute_units: 65 is not in [1, 64]"},
  {GPU_HAS("'compute_units': 1.5"), "$.processors[1].domains[0].compute_units: 1.5 is not a whole number"},
  {"'macs_per_cycle': {'fp32': 8}", "'macs_per_cycle': {'fp32': 8}, 'compute_units': 2",
   "$.processors[0].domains[0].compute_units: unknown key \"compute_units\": only a gpu has it"}, /* a CPU */
  {"'slice_limit_bytes': 100000000.0", "'slice_limit_bytes': 100", "$.processors[1].slice_limit_bytes: 100 is not in [100000, 1e+12]"},
  {"'slice_limit_bytes': 100000000.0", "'slice_limit_bytes': 1e8, 'local_bytes': 1e6",
   "$.processors[1].local_bytes: unknown key \"local_bytes\": a gpu has none"}, /* a GPU */
  {"'op_support': {'tflite': 'x'}", "'op_support': {'bolt': 'x'}", "$.processors[1].op_support.bolt: is without effect: bolt has no code for a gpu"},
  {"'op_support': {'tflite': 'x'}", "'op_support': {'tflite': 3}", "$.processors[1].op_support.tflite: is not a string"},
  {"'op_support': {'tflite': 'x'}", "'op_support': {'tflite': 'x', 'tflite': 'y'}", "$.processors[1].op_support.tflite: duplicate key"},
  {"'op_support': {'tflite': 'x'}", "'op_support': {'tflit': 'x'}",
   "$.processors[1].op_support.tflit: there is no runtime \"tflit\"; did you mean tflite? (there are: mace, tflite, tflite-xnnpack, tflite-nnapi, pytorch, "
   "paddle-lite, bolt, ncnn)"},
  {"'op_support': {'tflite': 'x'}",
   "'op_support': {'a': 'x', 'b': 'x', 'c': 'x', 'd': 'x', 'e': 'x', 'f': 'x', 'g': 'x', 'h': 'x', 'i': 'x'}", "has more than 8 runtimes"},
  {"'memory_types': ['image', 'buffer']", "'memory_types': []", "$.processors[1].memory_types: has 0 elements, not 1 to 2"},
  {"'memory_types': ['image', 'buffer'], ", "", "$.processors[1]: key \"memory_types\" is missing"},
  {"'discipline': 'processor-shared'", "'discipline': 'processor-shared', 'memory_types': ['buffer']",
   "$.processors[0].memory_types: unknown key \"memory_types\": only a gpu has it"},
  {"'discipline': 'processor-shared'", "'discipline': 'processor-shared', 'context_slice_s': 2",
   "$.processors[0].context_slice_s: unknown key \"context_slice_s\": only a gpu has it"},
  {"'discipline': 'queued'", "'discipline': 'shared'", "$.processors[1].discipline: \"shared\" is not one of processor-shared, queued"},
  {"'discipline': 'queued'", "'disciplin': 'queued'", "$.processors[1].disciplin: unknown key \"disciplin\"; did you mean discipline?"},
  {"'discipline': 'queued'", "'discipline': 'processor-shared'", "a CPU is processor-shared, every other kind is queued"},
  {"{'from': 'gpu', 'to': 'cpu'", "{'from': 'cpu', 'to': 'gpu'", "$.sharing_costs[1]: this pair is listed twice"},
  {"'from': 'cpu'", "'from': 'dsp'", "exactly one side must be cpu"},
  {"'transform': {'fixed_s'", "'transfer': {'fixed_s'", "$.sharing_costs[0]: key \"transform\" is missing"},
  {"'from': 'cpu', 'to': 'gpu',", "'from': 'cpu', 'to': 'gpu', 'wake': {'fixed_s': 1e-5, 's_per_byte': 0},",
   "$.sharing_costs[0].wake: unknown key \"wake\": only an entry from gpu has it"}, /* only the host waits for conversions */
  {"'from': 'gpu', 'to': 'cpu',", "'from': 'gpu', 'to': 'cpu', 'wake': {'fixed_s': 1e-5, 's_per_byte': 0, 'scatter': {}},",
   "$.sharing_costs[1].wake.scatter: unknown key \"scatter\": the wait scatters as a whole, as sync has it"},
  {"'s_per_byte': 1e-10", "'s_per_byte': 2", "$.sharing_costs[0].transform.s_per_byte: 2 is not in [0, 1e-07]"},
  {"'s_per_byte': 1e-10", "'s_per_byte': 0.1", "$.sharing_costs[0].transform.s_per_byte: 0.1 is not in [0, 1e-07]"}, /* ns */
  {"'fixed_s': 1e-05", "'fixed_s': 10", "$.sharing_costs[0].transform.fixed_s: 10 is not in [0, 0.1]"}, /* us */
  {"'s_per_byte': 0}}", "'s_per_byte': 1e-10}}", "$.sharing_costs[0].launch.s_per_byte: 1e-10 is not 0: a launch moves no data"},
  {"'launch': {'fixed_s': 0,", "'launch': {'fixed_s': 1e-06,", "$.sharing_costs[1].launch.fixed_s: 1e-06 is not 0: nothing is launched on a cpu"},
  {"'rpc': {'fixed_s': 0, 's_per_byte': 0}, 'launch': {'fixed_s': 1e-05", "'rpc': {'fixed_s': 0.002, 's_per_byte': 0}, 'launch': {'fixed_s': 1e-05",
   "$.sharing_costs[0].rpc.fixed_s: 0.002 is not 0: a gpu isn't called"},
  {"'rpc': {'fixed_s': 0, 's_per_byte': 0}, 'launch': {'fixed_s': 0", "'rpc': {'fixed_s': 0, 's_per_byte': 3e-10}, 'launch': {'fixed_s': 0",
   "$.sharing_costs[1].rpc.s_per_byte: 3e-10 is not 0: a gpu isn't called"},
  {"'ambient_c': 25", "'ambient_c': 298", "$.thermal.ambient_c: 298 is not in [-40, 80]"}, /* kelvin */
  {"'nodes': [{'name': 'n'", "'nodes': [{'name': 'ambient'", "$.thermal.nodes[0]: \"ambient\" is reserved"},
  {"'nodes': [{", "'nodes': [{'name': 'n', 'processors': [], 'capacitance_j_per_k': 2}, {",
   "$.thermal.nodes[1]: there is already a thermal node \"n\""},
  {"'nodes': [{", "'nodes': [{'name': 'm', 'processors': ['cpu'], 'capacitance_j_per_k': 2}, {",
   "$.thermal.nodes[1]: a processor heats two nodes"},
  /* two nodes that only heat each other */
  {"'nodes': [{'name': 'n', 'processors': ['cpu', 'gpu'], 'capacitance_j_per_k': 1}], 'links': [{",
   "'nodes': [{'name': 'n', 'processors': ['cpu', 'gpu'], 'capacitance_j_per_k': 1}, {'name': 'p', 'processors': [], "
   "'capacitance_j_per_k': 1},{'name': 'q', 'processors': [], 'capacitance_j_per_k': 1}], 'links': [{'from': 'p', 'to': 'q', "
   "'resistance_k_per_w': 1}, {", "$.thermal.links: node \"p\" has no way to ambient"},
  {"'capacitance_j_per_k': 1", "'capacitance_j_per_k': 0", "$.thermal.nodes[0].capacitance_j_per_k: 0 is not > 0"},
  {"'capacitance_j_per_k': 1", "'capacitance_j_per_k': 1e5", "$.thermal.nodes[0].capacitance_j_per_k: 100000 is not <= 10000"},
  {"'resistance_k_per_w': 3", "'resistance_k_per_w': 3000", "$.thermal.links[0].resistance_k_per_w: 3000 is not <= 1000"},
  {"'resistance_k_per_w': 3", "'resistance_k_per_w': 0", "$.thermal.links[0].resistance_k_per_w: 0 is not > 0"},
  {"'resistance_k_per_w': 3", "'resistance_k_per_w': -3", "$.thermal.links[0].resistance_k_per_w: -3 is not > 0"},
  {"'processors': ['cpu', 'gpu'], 'capacitance", "'processors': ['cpu'], 'capacitance", "$.thermal.nodes: processor \"gpu\" heats no node"},
  {"'processors': ['cpu', 'gpu'], 'capacitance", "'processors': ['cpu', 'gpu', 'cpu'], 'capacitance",
   "$.thermal.nodes[0].processors[2]: \"cpu\" is listed twice"},
  /* 1e-4 J/K x 3 K/W, and with a second link beside the first 1e-3 J/K x 0.75 K/W */
  {"'capacitance_j_per_k': 1", "'capacitance_j_per_k': 1e-4",
   "$.thermal.links: node \"n\" follows its neighbours within 0.0003 s, which is below 1 ms"},
  {"'capacitance_j_per_k': 1}], 'links': [",
   "'capacitance_j_per_k': 1e-3}, {'name': 'q', 'processors': [], 'capacitance_j_per_k': 1}], 'links': [{'from': 'q', 'to': 'n', "
   "'resistance_k_per_w': 1}, ", "$.thermal.links: node \"n\" follows its neighbours within 0.00075 s, which is below 1 ms"},
  {"'trips': [", "'trips': [{'node': 'n', 'type': 'passive', 'temperature_c': 90, 'hysteresis_c': 2, 'processors': []}, ",
   "$.thermal.trips[1]: temperature_c 90 is not above the passive trip of this node before it (90)"},
  {"{'node': 'n', 'type': 'passive'",
   "{'node': 'n', 'type': 'critical', 'temperature_c': 90, 'hysteresis_c': 2, 'processors': []}, {'node': 'n', 'type': 'passive'",
   "$.thermal.trips[1]: the critical trip of this node (90) is not above its passive one (90)"},
  {"'llc_bytes': 0", "'llc_bytes': 3", "$.memory: llc_bytes 3 is below 65536: the unit is bytes, and 0 is none"},
  {"'domains': [{'name': 'g'",
   "'domains': [{'name': 'f', 'cores': 1, 'bandwidth_per_core_bytes_per_s': 1000000000.0, 'macs_per_cycle': {'fp32': 16}, "
   "'opps': [{'freq_hz': 1500000000.0, 'volt': 1, 'dynamic_w': 1, 'static_w': 0.1}], 'source': 'a'}, {'name': 'g'",
   "$.processors[0].domains[1]: a core of \"g\" reaches 1.6e+10 MAC/s (fp32), one of \"f\" before it 2.4e+10: the slowest stand first"},
  {"'domains': [{'name': 'g', 'cores': 1, 'bandwidth_per_core_bytes_per_s': 1000000000.0, 'macs_per_cycle': {'fp32': 8}",
   "'domains': [{'name': 'f', 'cores': 1, 'bandwidth_per_core_bytes_per_s': 1000000000.0, 'macs_per_cycle': {'fp32': 8, 'fp16': 64}, "
   "'opps': [{'freq_hz': 1500000000.0, 'volt': 1, 'dynamic_w': 1, 'static_w': 0.1}], 'source': 'a'}, {'name': 'g', 'cores': 1, "
   "'bandwidth_per_core_bytes_per_s': 1000000000.0, 'macs_per_cycle': {'fp32': 8, 'fp16': 16}",
   "$.processors[0].domains[1]: a core of \"g\" reaches 3.2e+10 MAC/s (fp16), one of \"f\" before it 9.6e+10: the slowest stand first"},
  {"'trips': [", "'vendor_caps': [{'node': 'n', 'temperature_c': 60, 'hysteresis_c': 2, 'processor': 'npu', 'freq_hz': 1e9}], 'trips': [",
   "$.thermal.vendor_caps[0].processor: there is no processor \"npu\""},
  {"'trips': [", "'vendor_caps': [{'node': 'n', 'temperature_c': 60, 'hysteresis_c': 2, 'processor': 'gpu', 'freq_hz': 9e9}], 'trips': [",
   "$.thermal.vendor_caps[0].freq_hz: 9e+09 is not from the lowest to the highest OPP of gpu.g"},
  {"'trips': [", "'vendor_caps': [{'node': 'n', 'temperature_c': 60, 'hysteresis_c': 2, 'processor': 'gpu', 'freq_hz': 1e6}], 'trips': [",
   "$.thermal.vendor_caps[0].freq_hz: 1e+06 is not from the lowest to the highest OPP of gpu.g"},
  {"'trips': [", "'zones': [{'node': 'n', 'governor': 'fair_share'}], 'trips': [",
   "$.thermal.zones[0].governor: \"fair_share\" is not one of step_wise, power_allocator"},
  {"'trips': [", "'zones': [{'node': 'n', 'governor': 'step_wise', 'k_i_w_per_k': 1}], 'trips': [",
   "$.thermal.zones[0].k_i_w_per_k: goes with the governor power_allocator only, not step_wise"},
  {"'trips': [", "'zones': [{'node': 'n', 'governor': 'power_allocator', 'sustainable_w': 0}], 'trips': [",
   "$.thermal.zones[0].sustainable_w: 0 is not > 0"},
  {"'trips': [", "'zones': [{'node': 'n', 'governor': 'step_wise', 'period_s': 100}], 'trips': [",
   "$.thermal.zones[0].period_s: 100 is not in [0.01, 60]"},
  {"'trips': [", "'zones': [{'node': 'n', 'governor': 'step_wise'}, {'node': 'n', 'governor': 'step_wise'}], 'trips': [",
   "$.thermal.zones[1]: node \"n\" has a zone already"},
  {"'type': 'passive', 'temperature_c': 90, 'hysteresis_c': 2, 'processors': ['cpu']}]",
   "'type': 'hot', 'temperature_c': 90, 'hysteresis_c': 2, 'processors': []}], 'zones': [{'node': 'n', 'governor': 'step_wise'}]",
   "$.thermal.zones[0]: node \"n\" has no passive trip to look after"},
  {"'temperature_c': 90", "'temperature_c': 363", "$.thermal.trips[0].temperature_c: 363 is not in [0, 200]"}, /* kelvin */
  {"'hysteresis_c': 2", "'hysteresis_c': -2", "$.thermal.trips[0].hysteresis_c: -2 is not in [0, 50]"},
  {"'node': 'n'", "'node': 'm'", "$.thermal.trips[0].node: there is no thermal node \"m\""},
  {"'node': 'n'", "'node': 'ambient'", "$.thermal.trips[0].node: there is no thermal node \"ambient\""},
  {"'type': 'passive'", "'type': 'active'", "$.thermal.trips[0].type: \"active\" is not one of passive, hot, critical"},
  /* sources */
  {"'ref': 'r'", "'ref': ''", "$.sources.a: ref is empty"},
  {"'ref': 'r'", "'ref': 'r', 'url': 'r'", "$.sources.a.url: unknown key \"url\""},
  {"'sources': {", "'sources': {'a': {'kind': 'press', 'ref': 'r'}, ", "$.sources.a: duplicate key"},
  {"'sources': {'a': {'kind': 'assumed', 'ref': 'r'}}", "'sources': {}", "$.device.source: \"a\" is not in the table of sources"},
  {"'sources': {'a': {'kind': 'assumed', 'ref': 'r'}}", "'sources': ['a']", "$.sources: is not an object"},
  {"'sources': {'a': {'kind': 'assumed', 'ref': 'r'}}, ", "", "$: key \"sources\" is missing"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': ['a']", "$.memory.source: is neither a source name nor an object"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': {'type': 'b'}",
   "$.memory.source.type: \"b\" is not in the table of sources"},
  {"'llc_bytes': 0, 'source': 'a'",
   "'llc_bytes': 0, 'source': {'type': 5, 'capacity_bytes': 'a', 'peak_bytes_per_s': 'a', 'llc_bytes': 'a'}",
   "$.memory.source.type: is neither a source name nor an object"},
  {"'llc_bytes': 0, 'source': 'a'",
   "'llc_bytes': 0, 'source': {'type': {'b': 'a'}, 'capacity_bytes': 'a', 'peak_bytes_per_s': 'a', 'llc_bytes': 'a'}",
   "$.memory.source.type: mirrors an object or a list that isn't there"},
  {"'llc_bytes': 0, 'source': 'a'", "'llc_bytes': 0, 'source': {'capacity_bytes': 'a', 'peak_bytes_per_s': 'a', 'llc_bytes': {}}",
   "$.memory.source.llc_bytes: mirrors an object or a list that isn't there"},
  {"'static_w': 0.1}], 'source': 'a'",
   "'static_w': 0.1}], 'source': {'cores': 'a', 'bandwidth_per_core_bytes_per_s': 'a', 'macs_per_cycle': 'a', 'opps': {'freq_hz': 'a'}}",
   "$.processors[0].domains[0].opps[0].volt: no source says where this number comes from"},
  {"'static_w': 0.1}], 'source': 'a'",
   "'static_w': 0.1}], 'source': {'cores': 'a', 'bandwidth_per_core_bytes_per_s': 'a', 'macs_per_cycle': {'fp16': 'a'}, 'opps': 'a'}",
   "$.processors[0].domains[0].source.macs_per_cycle.fp16: a source for a key that isn't there"},
  /* a source nobody looks up, because all numbers below have a nearer one */
  {"'source': 'a', 'transform': {'fixed_s': 1e-05, 's_per_byte': 1e-10}, 'map': {'fixed_s': 1e-05, 's_per_byte': 1e-10}, "
   "'sync': {'fixed_s': 1e-05, 's_per_byte': 1e-10}, 'rpc': {'fixed_s': 0, 's_per_byte': 0}, 'launch': {'fixed_s': 1e-05, "
   "'s_per_byte': 0}",
   "'source': 'b', 'transform': {'fixed_s': 1e-05, 's_per_byte': 1e-10, 'source': 'a'}, 'map': {'fixed_s': 1e-05, 's_per_byte': 1e-10, "
   "'source': 'a'}, 'sync': {'fixed_s': 1e-05, 's_per_byte': 1e-10, 'source': 'a'}, 'rpc': {'fixed_s': 0, 's_per_byte': 0, "
   "'source': 'a'}, 'launch': {'fixed_s': 1e-05, 's_per_byte': 0, 'source': 'a'}",
   "$.sharing_costs[0].source: \"b\" is not in the table of sources"},
  /* a mistyped key is unknown before it is without a source */
  {"'title': 't'", "'title': 't', 'idle_w': 3", "$.idle_w: unknown key \"idle_w\""},
};

START_TEST(soc_is_valid)
{
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *text = hs_test_seed("soc/small");
  ck_assert_msg(hs_soc_parse("s.json", text, strlen(text), &s, &err) == HS_OK, "%s", hs_test_message(&err));
  ck_assert_int_eq(s->n_processors, 2);
  ck_assert_double_eq(s->processors[1].slice_limit_bytes, 1e8);
  ck_assert_double_eq(s->sharing[HS_CPU][HS_GPU][HS_MAP].fixed_s, 1e-5);
  /* the two OPPs of a domain are one entry of two values; what is called alike below another key is an entry of its own */
  static const struct {
    const char *path;
    int n_values;
    double value;
  } entries[] = {{"$.processors[0].domains[0].opps[].volt", 2, 1},
                 {"$.sharing_costs[0].transform.fixed_s", 1, 1e-5},
                 {"$.sharing_costs[0].map.fixed_s", 1, 1e-5}};
  for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
    int n = 0;
    for (int i = 0; i < s->sources.n_numbers; i++) {
      if (strcmp(s->sources.numbers[i].path, entries[k].path) != 0) continue;
      n++;
      ck_assert_int_eq(s->sources.numbers[i].n_values, entries[k].n_values);
      ck_assert_double_eq(s->sources.numbers[i].value, entries[k].value);
    }
    ck_assert_msg(n == 1, "%s: %d entries", entries[k].path, n);
  }
  hs_soc_free(s);
  free(text);
}
END_TEST

/* Who doesn't say how processors are shared has them as their kinds are. */
START_TEST(soc_without_disciplines)
{
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *first = hs_test_spoilt("soc/small", "'discipline': 'processor-shared', ", ""), *text = hs_test_replace(first, "\"discipline\": \"queued\", ", "");
  ck_assert_ptr_null(strstr(text, "discipline"));
  hs_test_accepted(hs_soc_parse("s.json", text, strlen(text), &s, &err), &err);
  ck_assert_str_eq(hs_discipline_names[hs_kind_discipline(s->processors[0].kind)], "processor-shared");
  ck_assert_str_eq(hs_discipline_names[hs_kind_discipline(s->processors[1].kind)], "queued");
  hs_soc_free(s);
  free(first);
  free(text);
}
END_TEST

/* Where a file leaves them out there are none, and a kernel's own count. */
START_TEST(compute_units)
{
  static const struct {
    const char *from, *to;
    int units;
  } cases[] = {{GPU_DOMAIN, GPU_DOMAIN, 0}, {GPU_HAS("'compute_units': 1"), 1}, {GPU_HAS("'compute_units': 64"), 64}};
  for (int i = 0; i < 3; i++) {
    struct hs_soc *s = NULL;
    struct hs_error err;
    char *text = hs_test_spoilt("soc/small", cases[i].from, cases[i].to);
    ck_assert_msg(hs_soc_parse("s.json", text, strlen(text), &s, &err) == HS_OK, "%s", hs_test_message(&err));
    ck_assert_int_eq(s->processors[1].domains[0].compute_units, cases[i].units);
    ck_assert_int_eq(s->processors[0].domains[0].compute_units, 0);
    hs_soc_free(s);
    free(text);
  }
}
END_TEST

START_TEST(soc_processors)
{
  static const char cpu2[] = "\"processors\": [{\"name\": \"%s\", \"kind\": \"cpu\", \"discipline\": \"processor-shared\", \"bandwidth_bytes_per_s\": 1e9,"
                             "\"domains\": [{\"name\": \"mid\", \"cores\": %d, \"bandwidth_per_core_bytes_per_s\": 1e9, \"macs_per_cycle\": {\"fp32\": 8%s},"
                             "\"opps\": [{\"freq_hz\": 1e9, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0}]}, {\"name\": \"%s\", \"cores\": 16,"
                             "\"bandwidth_per_core_bytes_per_s\": 1e9, \"macs_per_cycle\": {\"fp32\": 4},"
                             "\"opps\": [{\"freq_hz\": 2e9, \"volt\": 1, \"dynamic_w\": 1, \"static_w\": 0}]}], \"source\": \"a\"}, {";
  static const struct {
    const char *name;
    int cores;
    const char *rates, *domain, *message;
  } cases[] = {
    {"big", 1, "", "big", "$.processors[0]: has more than 16 cores"},
    {"big", 1, "", "mid", "$.processors[0].domains[1]: there is already a domain \"mid\""},
    {"big", 1, ", \"int8\": 32", "big", "$.processors[0].domains[1]: the domains of a processor must offer the same precisions (int8)"},
    {"big", 17, "", "big", "$.processors[0].domains[0].cores: 17 is not in [1, 16]"},
  };
  char *text = hs_test_seed("soc/small"), processors[1500];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hs_soc *s = NULL;
    struct hs_error err;
    snprintf(processors, sizeof processors, cpu2, cases[i].name, cases[i].cores, cases[i].rates, cases[i].domain);
    char *spoilt = hs_test_replace(text, "\"processors\": [{", processors);
    ck_assert_int_eq(hs_soc_parse("s.json", spoilt, strlen(spoilt), &s, &err), HS_INPUT);
    ck_assert_msg(strstr(hs_test_message(&err), cases[i].message) != NULL, "%s", hs_test_message(&err));
    free(spoilt);
  }
  free(text);
}
END_TEST

/* The host program needs a CPU, and the files promise that it is the first. */
START_TEST(soc_without_a_cpu_in_front)
{
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *text = hs_test_seed("soc/small");
  char *cpu = strstr(text, "{\"name\": \"cpu\""), *gpu = strstr(text, "{\"name\": \"gpu\""), *end = strstr(text, "], \"sharing_costs\"");
  ck_assert(cpu && gpu > cpu && end > gpu);
  struct hs_text swapped = {0};
  hs_text_addf(&swapped, "%.*s%.*s, %.*s%s", (int)(cpu - text), text, (int)(end - gpu), gpu, (int)(gpu - 2 - cpu), cpu, end);
  ck_assert_int_eq(hs_soc_parse("s.json", swapped.s, swapped.len, &s, &err), HS_INPUT);
  ck_assert_str_eq(err.text, "the first processor must be the CPU that runs the host program");
  hs_text_free(&swapped);
  free(text);
}
END_TEST

/* Sums of many cycles are off by their rounding: a clock that stayed at an OPP has that one's frequency, any other what it has. */
START_TEST(mean_frequency)
{
  static const struct hs_opp opps[] = {{.freq_hz = 825.6e6}, {.freq_hz = 2841.6e6}};
  const struct hs_domain d = {.n_opps = 2, .opps = {opps[0], opps[1]}};
  ck_assert_double_eq(hs_domain_mean_hz(&d, 825600000.001 * 1.2, 1.2), 825.6e6);
  ck_assert_double_eq(hs_domain_mean_hz(&d, 2841599999.97, 1), 2841.6e6);
  ck_assert_double_eq(hs_domain_mean_hz(&d, 825600001, 1), 825600001); /* a nanosecond of the other OPP in a second is 2 Hz */
  ck_assert_double_eq(hs_domain_mean_hz(&d, 2e9, 2), 1e9);
}
END_TEST

/* A domain follows the fastest at its lowest OPP that is as high a part of its own highest: at 1, 1.2 and 2 of 2 GHz with 2, 3 and 4 of 4. */
START_TEST(domains_follow)
{
  static const double follows_hz[3] = {2e9, 3e9, 4e9};
  const struct hs_processor p = {.n_domains = 2, .domains = {{.n_opps = 4, .opps = {{.freq_hz = 1e9}, {.freq_hz = 2e9}, {.freq_hz = 3e9}, {.freq_hz = 4e9}}},
                                                             {.n_opps = 3, .opps = {{.freq_hz = 1e9}, {.freq_hz = 1.2e9}, {.freq_hz = 2e9}}}}};
  for (int level = 0; level < 3; level++) {
    ck_assert_double_eq(p.domains[0].opps[hs_processor_opp(&p, 0, level)].freq_hz, follows_hz[level]);
    ck_assert_int_eq(hs_processor_opp(&p, 1, level), level);
  }
}
END_TEST

/* A domain that takes no dynamic power, as where a board's power is one number, may leak. */
START_TEST(soc_without_dynamic_power)
{
  struct hs_soc *s = NULL;
  struct hs_error err;
  char *first = hs_test_spoilt("soc/small", "'dynamic_w': 1,", "'dynamic_w': 0,"), *text = hs_test_replace(first, "\"dynamic_w\": 2,", "\"dynamic_w\": 0,");
  hs_test_accepted(hs_soc_parse("s.json", text, strlen(text), &s, &err), &err);
  ck_assert_double_eq(s->processors[0].domains[0].opps[1].static_w, 0.1);
  hs_soc_free(s);
  free(first);
  free(text);
}
END_TEST

/* Who has no vendor's daemon, or takes it out, may say so by an empty list, and leave what a source says of it. */
START_TEST(soc_empty_lists)
{
  static const char *const lists[] = {"\"zones\": [], \"trips\": [", "\"vendor_caps\": [], \"trips\": [",
                                      "\"vendor_caps\": [], \"source\": {\"ambient_c\": \"a\", \"nodes\": \"a\", \"links\": \"a\", \"trips\": \"a\", "
                                      "\"vendor_caps\": {\"freq_hz\": \"a\"}}, \"trips\": ["};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    struct hs_soc *s = NULL;
    struct hs_error err;
    char *text = hs_test_seed("soc/small"), *thermal = strstr(text, "\"thermal\""), *source = strstr(thermal, ", \"source\": \"a\"");
    if (i == 2) memset(source, ' ', strlen(", \"source\": \"a\""));
    char *empty = hs_test_replace(text, "\"trips\": [", lists[i]);
    hs_test_accepted(hs_soc_parse("s.json", empty, strlen(empty), &s, &err), &err);
    ck_assert_int_eq(s->thermal.n_vendor_caps, 0);
    hs_soc_free(s);
    free(empty);
    free(text);
  }
}
END_TEST

/* OPPs of 1 and 2 GHz: a cap of 1.25 GHz is a quarter of the way from one to the other, one on an OPP is that OPP. */
START_TEST(soc_caps_between_opps)
{
  static const struct {
    const char *freq;
    int level;
    double above_frac;
  } caps[] = {{"1e9", 0, 0}, {"1.25e9", 0, 0.25}, {"1.9e9", 0, 0.9}, {"2e9", 1, 0}};
  for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
    struct hs_soc *s = NULL;
    struct hs_error err;
    char list[200], *text = hs_test_seed("soc/small");
    snprintf(list, sizeof list,
             "\"vendor_caps\": [{\"node\": \"n\", \"temperature_c\": 60, \"hysteresis_c\": 2, \"processor\": \"gpu\", \"freq_hz\": %s}], \"trips\": [",
             caps[i].freq);
    char *capped = hs_test_replace(text, "\"trips\": [", list);
    hs_test_accepted(hs_soc_parse("s.json", capped, strlen(capped), &s, &err), &err);
    ck_assert_int_eq(s->thermal.vendor_caps[0].level, caps[i].level);
    ck_assert_double_eq_tol(s->thermal.vendor_caps[0].above_frac, caps[i].above_frac, 1e-12);
    hs_soc_free(s);
    free(capped);
    free(text);
  }
}
END_TEST

START_TEST(soc_refused)
{
  struct hs_soc *s = NULL;
  struct hs_error err = {0};
  char *text = hs_test_spoilt("soc/small", soc_cases[_i].from, soc_cases[_i].to);
  ck_assert_int_eq(hs_soc_parse("s.json", text, strlen(text), &s, &err), HS_INPUT);
  ck_assert_msg(strstr(hs_test_message(&err), soc_cases[_i].message) != NULL, "%s", hs_test_message(&err));
  ck_assert_int_gt(err.column, 0);
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, soc_is_valid);
  tcase_add_loop_test(t, soc_refused, 0, sizeof soc_cases / sizeof *soc_cases);
  tcase_add_test(t, soc_without_disciplines);
  tcase_add_test(t, compute_units);
  tcase_add_test(t, soc_processors);
  tcase_add_test(t, soc_without_a_cpu_in_front);
  tcase_add_test(t, soc_empty_lists);
  tcase_add_test(t, soc_caps_between_opps);
  tcase_add_test(t, soc_without_dynamic_power);
  tcase_add_test(t, domains_follow);
  tcase_add_test(t, mean_frequency);
}

int main(void) { return hs_test_main("soc", fill); }
