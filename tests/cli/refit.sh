#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts that turn a public data set into measurements and networks and fit to them: validation/qed-usc.awk, validation/refit-sd855.sh.
. "$(dirname "$0")/helpers.sh" || exit 1

# a public table becomes measurements and a network
cat >"$work/ops.csv" <<'END'
model,operation,feature,pixel4|gpu|float,pixel4|gpu|kernel
tiny,CONV_2D,"{'Input_shape': '225', 'Input_channel': 3, 'Output_shape': '112', 'Stride': '2', 'Kernel': '3', 'Filter': '8', 'Group': '1', 'FLOPS': '1'}",46.5,convolution_2d_0_linked_:_hard_swish_1
tiny,CONV_2D,"{'Input_shape': '112', 'Input_channel': 8, 'Output_shape': '112', 'Stride': '1', 'Kernel': '1', 'Filter': '8', 'Group': '1', 'FLOPS': '1'}",20,convolution_2d_2_linked_:_add_3
END
qed="$HETSIM_DATA/validation/qed-usc.awk"
if awk -v make=operators -f "$qed" "$work/ops.csv" | grep -q '^tiny,1,gpu,fp16,Conv,112,8,8,1,1,valid,,20$'; then pass; else fail "qed-usc.awk: operators"; fi
awk -v make=networks -v folder="$work" -f "$qed" "$work/ops.csv" # Pad, Conv, HardSwish, Conv, Add
accept "tiny" --soc sd855 --policy cpu "$work/tiny.json" --check
if [ "$(grep -c '"op": "\(Pad\|Conv\|HardSwish\|Add\)"' "$work/tiny.json")" -eq 5 ]; then pass; else fail "qed-usc.awk: networks"; fi
printf 'model,FLOPS,size,pixel4|1large|float|mean,pixel4|1large|float|std,pixel4|1large1med|float|mean,pixel4|4small|quant|mean,pixel4|3small|quant|mean,s10|1large|float|mean\nmit-b2,1,2,10,3,20,30,40,50\ncvt-13,1,2,10,3,20,30,40,50\n' |
  awk -v make=transformers -f "$qed" >"$work/transformers.csv"
if [ "$(paste -sd ' ' "$work/transformers.csv")" = "model,processor,precision,cores,latency_us mit_b2,cpu,fp32,big:1,10 mit_b2,cpu-little,int8,little:3,40" ]; then pass; else fail "qed-usc.awk: transformers"; fi
# refit-sd855.sh says what the fit found elsewhere than where the profile has it (the fit itself needs all of the rows: its table is another's here)
mkdir -p "$work/dataset"
{ sed 's/^tiny/fbnet_cb/' "$work/ops.csv" && sed 1d "$work/ops.csv"; } >"$work/dataset/tflite_cnn_ops_gpu.csv"
printf 'model,FLOPS,size,pixel4|1large|float|mean\nfbnet_cb,1,1,100\ntiny,1,1,100\n' >"$work/dataset/tflite_cnn_e2e.csv"
cat >"$work/fit" <<'END'
#!/bin/sh
case "$*" in *--only=\?*) echo 'hetsim: there is no "?" (but of: overhead_cycles, efficiency conv_1x1, traffic_factor)' >&2 && exit 2 ;; esac
echo "$*" >>"$0.asked"
cat <<'TABLE'
coefficient           before    fitted  standard error
overhead_cycles         7000      7100         2e+02
efficiency conv_1x1     0.81      0.83           0.01
reduction_half          6.13      6.13               -  not determined by the data: kept
serial_frac             0.71      0.01           0.02
window_cycles_per_byte  0.63       0.7           0.3  hardly determined: leans on before
condition 22

error                           n   MAPE
TABLE
END
chmod +x "$work/fit"
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" cpu-fp32 >"$work/stdout" 2>&1 || fail "refit-sd855.sh: status $?"
printf '%s\n' "differs: efficiency conv_1x1, 0.81 in the profile that comes with hetsim, 0.83 here" \
  "differs: serial_frac, 0.71 in the profile that comes with hetsim, 0.01 here" \
  "2 of 4 coefficients as in the profile that comes with hetsim, within a standard error" >"$work/expected"
if grep 'in the profile' "$work/stdout" | cmp -s - "$work/expected"; then pass; else fail "refit-sd855.sh: what differs from the profile"; fi
# a network that the profiles weren't made with is neither fitted to nor kept out
if grep -qx "put aside, .*: tiny" "$work/stdout" && [ "$(cat "$work"/refit/cpu-fp32-*.csv | grep -c 'fbnet_cb\|tiny')" -eq 1 ]; then pass
else fail "refit-sd855.sh: other networks of the tables"; fi
# a kernel that there isn't is told before anything is made
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/none" cpu-fp32 pytorch-tokens-little-fp32 >"$work/stdout" 2>&1
if [ $? -eq 2 ] && [ ! -e "$work/none" ] && grep -q 'no kernel "pytorch-tokens-little-fp32" (but cpu-fp32 ' "$work/stdout"; then pass; else fail "refit-sd855.sh: no such kernel"; fi
# a kernel of PyTorch's needs its latencies, and is that runtime's; no CPU has a traffic_factor to fit
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" pytorch-little-int8 >"$work/stdout" 2>&1 && fail "refit-sd855.sh: without latencies"
printf 'model,flops,size,pixel4|2small|quant|mean,pixel4|2small|quant|std\nfbnet_cb,1,1,90,2\n' >"$work/dataset/torch_cnn_e2e.csv"
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" pytorch-little-int8 >"$work/stdout" 2>&1 || fail "refit-sd855.sh: status $?"
asked='calibrate --soc sd855 --runtime pytorch pytorch-little-int8-fit.csv --only=overhead_cycles,efficiency conv_1x1 --holdout=pytorch-little-int8-out.csv -o pytorch-little-int8.json'
if [ "$(tail -n 1 "$work/fit.asked")" = "$asked" ] && grep -qx 'pytorch/networks/fbnet_cb.json,cpu-little,int8,little:2,90' "$work"/refit/pytorch-little-int8-*.csv; then pass
else fail "refit-sd855.sh: PyTorch"; fi
# its transformers: what they have beside convolutional networks, on efficiency cores in fp32 in one fit with these, and no core of each cluster
printf 'model,flops,size,pixel4|1large|float|mean,pixel4|1large1med|float|mean,pixel4|2small|float|mean\nmit-b2,1,1,9,8,7\n' |
  tee "$work/dataset/torch_transformer_e2e.csv" >"$work/dataset/tflite_transformer_e2e.csv"
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" pytorch-tokens-cpu-fp32 pytorch-tokens-cpu-int8 pytorch-little-fp32 >"$work/stdout" 2>&1 ||
  fail "refit-sd855.sh: status $?"
functions='cycles Gelu,cycles MatMul,cycles Softmax,cycles Sigmoid'
if [ "$(tail -n 3 "$work/fit.asked" | sed 's/.*-fit.csv --only=\(.*\) --holdout.*/\1/; s/^overhead_cycles,.*,cycles Add,/.../' | paste -sd ';' -)" = \
  "$functions,gemm_factor;$functions,cycles Transpose;...gemm_factor,reread_cycles_per_byte,$functions" ] &&
  grep -qx 'mit_b2,cpu-little,fp32,little:2,7' "$work"/refit/pytorch-little-fp32-*.csv && ! grep -q 'big:1+\|+big:1' "$work"/refit/pytorch-tokens-cpu-fp32-*.csv; then pass
else fail "refit-sd855.sh: PyTorch's transformers"; fi
# and its GPU the shaders' as well: kinds by their names, a pool of the whole image, one that is rounded up; its networks with the way to the host and back
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" pytorch-gpu >"$work/stdout" 2>&1 && fail "refit-sd855.sh: without shaders"
printf 'model,flops,size,pixel4|gpu|float|mean\nfbnet_cb,1,1,90\n' >"$work/dataset/torch_cnn_e2e.csv"
cat >"$work/dataset/torch_cnn_ops_gpu.csv" <<'END'
model,operation,feature,pixel4|gpu|float,pixel4|gpu|kernel
fbnet_cb,vulkan_prepack::run_conv2d_context,"{'input_shape': 14, 'output_shape': 7, 'input_channel': 32, 'output_channel': 64, 'kernel_size': 3, 'stride': 2, 'padding': 1, 'groups': 4}",20,vulkan.conv2d
fbnet_cb,vulkan_prepack::run_conv2d_context,"{'input_shape': 7, 'output_shape': 7, 'input_channel': 64, 'output_channel': 64, 'kernel_size': 5, 'stride': 1, 'padding': 2}",21,vulkan.conv2d_dw_5x5
fbnet_cb,aten::max_pool2d,"{'input_shape': 14, 'output_shape': 7, 'input_channel': 32, 'kernel_size': 3, 'stride': 2, 'padding': 0}",22,vulkan.max_pool2d
fbnet_cb,aten::avg_pool2d,"{'input_shape': 7, 'input_channel': 64}",23,vulkan.avg_pool2d
fbnet_cb,aten::sigmoid,"{'input_shape': 7, 'input_channel': 64}",24,vulkan.sigmoid
fbnet_cb,vulkan_prepack::run_linear_context,"{'input_shape': 64, 'output_shape': 10}",25,vulkan.addmm
END
HETSIM=$work/fit sh "$HETSIM_DATA/validation/refit-sd855.sh" "$work/dataset" "$work/refit" pytorch-gpu >"$work/stdout" 2>&1 || fail "refit-sd855.sh: status $?"
asked='calibrate --soc sd855 --runtime pytorch pytorch-gpu-fit.csv pytorch-gpu-operators-fit.csv --holdout=pytorch-gpu-out.csv -o pytorch-gpu.json'
printf '%s\n' fbnet_cb,0,gpu,fp16,Conv,14,32,64,3,2,1,4,20 fbnet_cb,1,gpu,fp16,DepthwiseConv,7,64,,5,1,2,,21 fbnet_cb,2,gpu,fp16,MaxPool,14,32,,3,2,same,,22 \
  fbnet_cb,3,gpu,fp16,AveragePool,7,64,,7,1,valid,,23 fbnet_cb,4,gpu,fp16,Sigmoid,1,64,,,,,,24 fbnet_cb,5,gpu,fp16,Gemm,,64,10,,,,,25 >"$work/expected"
if [ "$(tail -n 1 "$work/fit.asked")" = "$asked" ] && sed 1d "$work/refit/pytorch/operators.csv" | cmp -s - "$work/expected" &&
  grep -qx 'pytorch/networks/fbnet_cb.json,gpu,fp16,,759.5' "$work"/refit/pytorch-gpu-*.csv; then pass
else fail "refit-sd855.sh: PyTorch's GPU"; fi
rm -r "$work/dataset" "$work/refit"
# what normalises in a kernel of its own (1 to 3) isn't the only reader of what it reads, which the sum (5) takes as well; no Reshape between 6 and 7
cat >"$work/ops.csv" <<'END'
model,operation,feature,pixel4|gpu|float,pixel4|gpu|kernel
tiny,CONV_2D,"{'Input_shape': '224', 'Input_channel': 3, 'Output_shape': '112', 'Stride': '2', 'Kernel': '1', 'Filter': '8', 'Group': '1', 'FLOPS': '1'}",20,convolution_2d_0
tiny,CONV_2D,"{'Input_shape': '112', 'Input_channel': 8, 'Output_shape': '112', 'Stride': '1', 'Kernel': '1', 'Filter': '8', 'Group': '1', 'FLOPS': '1'}",20,convolution_2d_4_linked_:_add_5
tiny,MEAN,"{'Input_shape': '112', 'Input_channel': 8, 'Output_shape': '-', 'Stride': '-', 'Kernel': '-', 'Filter': '-', 'Group': '-', 'FLOPS': '1'}",20,mean_6
tiny,FULLY_CONNECTED,"{'Input_shape': '-', 'Input_channel': 8, 'Output_shape': '-', 'Stride': '-', 'Kernel': '-', 'Filter': 10, 'Group': '-', 'FLOPS': '1'}",20,fully_connected_7
END
awk -v make=networks -v folder="$work" -f "$qed" "$work/ops.csv"
accept "tiny" --soc sd855 --policy cpu --runtime tflite "$work/tiny.json" --check
if [ "$(sed -n 's/.*"op": "\([A-Za-z]*\)", "inputs": \(\[[^]]*\]\).*/\1 \2/p' "$work/tiny.json" | tr '\n' ' ')" = \
  'Conv ["image"] BatchNormalization ["t2"] Conv ["t3"] Add ["t4", "t2"] GlobalAveragePool ["t5"] Gemm ["t6"] ' ]; then pass; else fail "qed-usc.awk: shortcuts"; fi
awk -v make=networks -v runtime=pytorch -v folder="$work" -f "$qed" "$work/ops.csv" # there the normalisation's ReLU is an operator
if [ "$(sed -n 's/.*"op": "\([A-Za-z]*\)".*/\1/p' "$work/tiny.json" | tr '\n' ' ')" = 'Conv BatchNormalization Relu Conv Add GlobalAveragePool Gemm ' ]; then pass
else fail "qed-usc.awk: PyTorch"; fi

finish
