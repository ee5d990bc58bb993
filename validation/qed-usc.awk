# SPDX-License-Identifier: GPL-3.0-or-later
# Turns tables of qed-usc/mobile-ml-benchmark into what `hetsim calibrate` reads (validation/README.md says how to fetch and refit).
#
#   awk -v make=operators [-v phone=pixel4] -f qed-usc.awk tflite_cnn_ops_gpu.csv >operators.csv
#   awk -v make=networks -v folder=DIR [-v runtime=pytorch] -f qed-usc.awk tflite_cnn_ops_gpu.csv         DIR/NAME.json: a workload per network
#   awk -v make=latencies -v folder=DIR [-v phone=pixel4] -f qed-usc.awk tflite_cnn_e2e.csv >latencies.csv
#   awk -v make=shaders [-v phone=pixel4] -f qed-usc.awk torch_cnn_ops_gpu.csv >operators.csv             of PyTorch on the GPU
#   awk -v make=transformers [-v phone=pixel4] -f qed-usc.awk tflite_transformer_e2e.csv >transformers.csv           of the networks in workloads/
#
# Operator lists have no edges: an operator reads the newest tensor of its size that nobody has read. What kernels of the GPU have linked
# (element-wise operators) is told by their names, which are numbered: where numbers are missing, element-wise kernels ran that the list leaves
# out. A Pad stands where an operator reads a few rows more than there are, a Slice where it reads some of the channels.
# Under PyTorch a normalisation and its ReLU are two operators.

function value(features, key, otherwise,    at, s) {
  at = index(features, "'" key "': ")
  if (!at) return otherwise
  s = substr(features, at + length(key) + 4)
  sub(/^'/, "", s)
  sub(/[',}].*$/, "", s)
  return s ~ /^[0-9]+$/ ? s + 0 : otherwise
}

# model, operation, features and the cells behind them (cell[1] is the first)
function cut(line,    at, rest) {
  at = index(line, ",\"{")
  n_cells = 0
  if (!at) return 0
  split(substr(line, 1, at - 1), head, ",")
  rest = substr(line, at + 2)
  features = substr(rest, 1, index(rest, "}"))
  n_cells = split(substr(rest, index(rest, "}") + 3), cell, ",")
  I = value(features, "Input_shape", 1); C = value(features, "Input_channel", 0); O = value(features, "Output_shape", 1)
  S = value(features, "Stride", 1); K = value(features, "Kernel", 1); F = value(features, "Filter", 0); G = value(features, "Group", 1)
  return 1
}

function column_of(name,    i, n, names) {
  n = split(header, names, ",")
  for (i = 1; i <= n; i++)
    if (names[i] == name) return i
  print "qed-usc.awk: there is no column " name > "/dev/stderr"
  exit failed = 1
}

function windowed(op) { return op ~ /^CONV_2D/ || op == "DEPTHWISE_CONV_2D" || op ~ /POOL_2D$/ }
function padding(    p) {
  if (int((I - K) / S) + 1 == O && I >= K) return "valid"
  if (int((I + S - 1) / S) == O) return "same"
  for (p = 0; p < 6; p++)
    if (int((I + 2 * p - K) / S) + 1 == O) return "" p
  return ""
}

BEGIN {
  if (phone == "") phone = "pixel4"
  if (make !~ /^(operators|networks|latencies|shaders|transformers)$/) { print "qed-usc.awk: -v make=operators, networks, latencies, shaders or transformers" > "/dev/stderr"; exit failed = 1 }
  if (make ~ /^(networks|latencies)$/ && folder == "") { print "qed-usc.awk: -v folder=DIR is missing" > "/dev/stderr"; exit failed = 1 }
  name_of["CONV_2D"] = name_of["CONV_2D_GROUP"] = "Conv"; name_of["DEPTHWISE_CONV_2D"] = "DepthwiseConv"; name_of["MAX_POOL_2D"] = "MaxPool"
  name_of["AVERAGE_POOL_2D"] = "AveragePool"; name_of["MEAN"] = "GlobalAveragePool"; name_of["FULLY_CONNECTED"] = "Gemm"; name_of["CONCATENATION"] = "Concat"
  if (make ~ /^(operators|shaders)$/) print "network,index,processor,precision,op,h,cin,cout,kernel,stride,pad,group,latency_us"
  if (make ~ /^(latencies|transformers)$/) print "model,processor,precision,cores,latency_us"
  n = split("vit-base-patch16-224-in21k vit_b16_224 vit-base-patch16-384 vit_b16_384 vit-base-patch32-224-in21k vit_b32_224 " \
    "vit-base-patch32-384 vit_b32_384 deit-tiny-distilled-patch16-224 deit_tiny_224 deit-small-distilled-patch16-224 " \
    "deit_small_224 deit-base-distilled-patch16-224 deit_base_224 deit-base-distilled-patch16-384 deit_base_384 " \
    "swin-tiny-patch4-window7-224 swin_tiny_224 swin-base-patch4-window12-384 swin_base_384 mobilevit-xx-small mobilevit_xxs " \
    "mobilevit-x-small mobilevit_xs mobilevit-small mobilevit_s efficientformer-l1-300 efficientformer_l1_300 " \
    "efficientformer-l3-300 efficientformer_l3_300 efficientformer-l7-300 efficientformer_l7_300 mit-b2 mit_b2 mit-b4 mit_b4 " \
    "cvt-13-384 cvt_13_384 cvt-21 cvt_21 cvt-21-384 cvt_21_384 " \
    "beit-base-patch16-224 beit_base_224 beit-base-patch16-384 beit_base_384 dinov2-base-imagenet1k-1-layer dinov2_base " \
    "dinov2-small-imagenet1k-1-layer dinov2_small focalnet-base focalnet_base focalnet-small focalnet_small levit-192 levit_192 " \
    "levit-256 levit_256 levit-384 levit_384 mobilevitv2-1.5-voc-deeplabv3 mobilevitv2_1.5_voc mobilevitv2-2.0-imagenet1k-256 " \
    "mobilevitv2_2.0 poolformer_m36 poolformer_m36 poolformer_s24 poolformer_s24 poolformer_s36 poolformer_s36 pvt-tiny-224 " \
    "pvt_tiny_224 swiftformer-l1 swiftformer_l1 swiftformer-l3 swiftformer_l3 swiftformer-xs swiftformer_xs " \
    "swinv2-base-patch4-window12-192-22k swinv2_base_w12_192 swinv2-base-patch4-window16-256 swinv2_base_w16_256 " \
    "swinv2-base-patch4-window8-256 swinv2_base_w8_256 swinv2-tiny-patch4-window16-256 swinv2_tiny_w16_256 " \
    "swinv2-tiny-patch4-window8-256 swinv2_tiny_w8_256 van-base van_base van-large van_large van-small van_small van-tiny van_tiny " \
    "vit-hybrid-base-bit-384 vit_hybrid_384 vit-msn-base vit_msn_base vit-msn-base-4 vit_msn_base_4 vit-msn-small vit_msn_small ", pair, " ")
  for (i = 1; i < n; i += 2) in_workloads[pair[i]] = pair[i + 1]
}
{ sub(/\r$/, "") }
NR == 1 {
  header = $0
  if (make ~ /^(latencies|transformers)$/) next
  sub(/^model,operation,feature,/, "", header)
  latency = column_of(phone "|gpu|float")
  kernel = column_of(phone "|gpu|kernel")
  next
}

# --- operators ---

make == "operators" && cut($0) {
  op = head[2]
  index_in[head[1]]++
  pad = windowed(op) ? padding() : ""
  if (!(op in name_of) || cell[latency] == "" || (windowed(op) && pad !~ /^(valid|same)$/)) next
  printf "%s,%d,gpu,fp16,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", head[1], index_in[head[1]] - 1, name_of[op], op == "FULLY_CONNECTED" ? "" : I,
    op == "CONCATENATION" ? F : C, op ~ /^CONV_2D|^FULLY/ ? F : "", windowed(op) ? K : "", windowed(op) ? S : "", pad, op == "CONV_2D_GROUP" ? G : "", cell[latency]
}

# --- operators of PyTorch ---

# Kinds by the shader's name; sigmoids and clamps are those of squeeze and excitation, of one pixel each.
function shader_of(operation, shader) {
  if (shader ~ /conv2d/) return shader ~ /_dw/ ? "DepthwiseConv" : "Conv"
  if (shader ~ /addmm/) return "Gemm"
  if (shader ~ /max_pool/) return "MaxPool"
  if (shader ~ /avg_pool/) return "AveragePool"
  if (shader ~ /mean/) return "GlobalAveragePool"
  if (shader ~ /batchnorm/) return "BatchNormalization"
  if (shader ~ /clamp/) return operation ~ /relu/ ? "Relu" : "Relu6"
  return shader ~ /add$/ ? "Add" : shader ~ /mul$/ ? "Mul" : shader ~ /hardswish/ ? "HardSwish" : shader ~ /sigmoid/ ? "Sigmoid" : ""
}

make == "shaders" && cut($0) {
  index_in[head[1]]++
  op = shader_of(head[2], cell[kernel])
  if (op == "" || cell[latency] == "") next
  I = value(features, "input_shape", 1); C = value(features, "input_channel", 0); K = value(features, "kernel_size", I); S = value(features, "stride", 1)
  P = value(features, "padding", 0); O = value(features, "output_shape", 1); F = value(features, "output_channel", 0); G = value(features, "groups", 1)
  if (op == "Gemm") { C = I; F = O; I = "" }
  if (op ~ /^(Sigmoid|Relu6)$/) I = 1
  window = op ~ /Conv|Pool$/ && op !~ /^Global/
  if (window && !P && int((I - K) / S) + 1 != O) P = "same" # rounded up
  printf "%s,%d,gpu,fp16,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", head[1], index_in[head[1]] - 1, op, I, C, op ~ /^(Conv|Gemm)$/ ? F : "", window ? K : "",
    window ? S : "", window ? (P ? P : "valid") : "", (op == "Conv" && G > 1) ? G : "", cell[latency]
}

# --- latencies of networks ---

function core_set(combination,    n, out, part) { # of the Pixel 4: 1large1med is mid:1+big:1
  out = ""
  for (part = combination; match(part, /^[0-9](large|med|small)/); part = substr(part, RLENGTH + 1)) {
    n = substr(part, 1, 1)
    if (part ~ /^.large/) out = out (out == "" ? "" : "+") "big:" n
    if (part ~ /^.med/) out = "mid:" n (out == "" ? "" : "+" out)
    if (part ~ /^.small/) out = out (out == "" ? "" : "+") "little:" n
  }
  return out
}

# Of transformers only what `workloads/` has, and without a core of each cluster and all efficiency cores, which no fit has (validation/fits.md).
function wanted(network, combination) { return make == "latencies" || (network in in_workloads && combination !~ /^(1large1med|4small)$/) }

make ~ /^(latencies|transformers)$/ {
  n = split(header, names, ",")
  split($0, cell, ",")
  for (i = 4; i <= n; i++) {
    split(names[i], part, "|")
    if (part[1] != phone || part[4] != "mean" || cell[i] == "" || !wanted(cell[1], part[2])) continue
    gpu = part[2] == "gpu"
    printf "%s,%s,%s,%s,%s\n", make == "latencies" ? folder "/" cell[1] ".json" : in_workloads[cell[1]], gpu ? "gpu" : part[2] ~ /small/ ? "cpu-little" : "cpu", gpu ? "fp16" : part[3] == "quant" ? "int8" : "fp32",
      gpu ? "" : core_set(part[2]), cell[i]
  }
}

# --- networks ---

function tensor(h, c,    t) { t = ++n_tensors; tensor_name[t] = "t" t; tensor_h[t] = h; tensor_c[t] = c; unread[t] = 1; return t }
function emit(op, inputs, out, more) { ops[++n_ops] = "{\"name\": \"" tensor_name[out] "\", \"op\": \"" op "\", \"inputs\": [" inputs "]" more "}"; last = out }
function quoted(t) { read[t] = 1; return "\"" tensor_name[t] "\"" }

# The newest tensor of a size, one that nobody has read if there is one; 0: none.
function newest(h, c, except,    t, any) {
  for (t = n_tensors; t > 0; t--) {
    if (tensor_h[t] != h || tensor_c[t] != c || t == except) continue
    if (unread[t]) return t
    if (!any) any = t
  }
  return any + 0
}
function wider(h, c,    t, any) {
  for (t = n_tensors; t > 0; t--) {
    if (tensor_h[t] != h || tensor_c[t] <= c || hidden[t]) continue
    if (unread[t]) return t
    if (!any) any = t
  }
  return any + 0
}
function get(h, c, except,    t, d, out, extra) {
  t = newest(h, c, except)
  for (d = 1; !t && d <= 6 && h > 2; d++)
    if ((t = newest(h - d, c, except))) {
      unread[t] = 0
      out = tensor(0, 0)
      unread[out] = 0
      emit("Pad", quoted(t), out, sprintf(", \"pads\": [[0, 0], [%d, %d], [%d, %d], [0, 0]]", int(d / 2), d - int(d / 2), int(d / 2), d - int(d / 2)))
      return out
    }
  if (!t && (t = wider(h, c))) {
    unread[t] = 0
    out = tensor(h, c)
    unread[out] = 0
    emit("Slice", quoted(t), out, sprintf(", \"begin\": [0, 0, 0, 0], \"size\": [1, %d, %d, %d]", h, h, c))
    return out
  }
  if (!t) {
    t = tensor(h, c)
    graph_inputs = graph_inputs sprintf("%s{\"name\": \"%s\", \"shape\": [1, %d, %d, %d]}", graph_inputs == "" ? "" : ", ", tensor_name[t], h, h, c)
    is_input[t] = 1
  }
  unread[t] = 0
  return t
}

# Of pool[1..n] (at most the newest 12) the last r that have c channels in sum; chosen[1..r]
function choose(n, r, c, from, depth, sum,    i, found) {
  if (depth == r) {
    if (sum != c) return 0
    for (i = 1; i <= r; i++) chosen[i] = trying[i]
    return 1
  }
  for (i = from; i <= n; i++) {
    trying[depth + 1] = pool[i]
    if (choose(n, r, c, i + 1, depth + 1, sum + tensor_c[pool[i]])) found = 1
  }
  return found
}
function fill_pool(h, also_read,    t, n, m, old, k) {
  n = m = 0
  for (t = 1; t <= n_tensors; t++) {
    if (tensor_h[t] != h) continue
    if (unread[t]) pool[++n] = t
    else old[++m] = t
  }
  if (also_read)
    for (k = m > 8 ? m - 7 : 1; k <= m; k++) pool[++n] = old[k]
  if (n > 12)
    for (k = 1; k <= 12; k++) pool[k] = pool[n - 12 + k]
  return n > 12 ? 12 : n
}
function concat(    also_read, r, n, i, list, out) {
  for (also_read = 0; also_read < 2; also_read++) {
    n = fill_pool(O, also_read)
    for (r = 2; r <= 7; r++) {
      if (!choose(n, r, cout, 1, 0, 0)) continue
      for (i = 1; i <= r; i++) {
        list = list (i > 1 ? ", " : "") quoted(chosen[i])
        unread[chosen[i]] = 0
      }
      out = tensor(O, cout)
      emit("Concat", list, out, ", \"axis\": 3")
      return
    }
  }
  i = get(O, int(cout / 2))
  n = get(O, cout - int(cout / 2))
  list = quoted(i) ", " quoted(n)
  out = tensor(O, cout)
  emit("Concat", list, out, ", \"axis\": 3")
}

function light(op,    x, y, h, out) { # an element-wise operator behind the last one
  x = last
  unread[x] = 0
  h = tensor_h[x]
  y = op == "Add" ? get(h, tensor_c[x], x) : 0
  x = quoted(x) (y ? ", " quoted(y) : "")
  out = tensor(h, cout)
  emit(op, x, out, "")
}

function links(names,    n, i, k, part, previous, summed, scaled, gate) {
  n = split(names, part, "_linked_:_")
  for (i = 2; i <= n; i++) {
    k = part[i]
    gsub(/_[0-9]+/, "", k)
    scaled = scaled || k == "mul"
    gate = gate || k == "sigmoid"
    if (k == "relu" && summed && runtime == "pytorch") light("Relu") # its converter joins the two, its shaders don't
    summed = k == "add" && !(after_scaling && previous == "mul")
    if (summed) light("Add")
    after_scaling = 0
    if (k == "mul") { light("BatchNormalization"); after_scaling = 1 }
    if (k == "hard_swish") light("HardSwish")
    if (k == "sigmoid") light("Sigmoid")
    previous = k
  }
  if (mean && (gate || (scaled && part[1] ~ /^fully_conn/))) excite()
}

# What normalises in a kernel of its own: who computes its operand would have taken it if nobody else read that.
function normalise(    x) {
  x = last
  light("BatchNormalization")
  if (runtime == "pytorch") light("Relu")
  unread[x] = 1
}

# Squeeze and excitation: channels of what was averaged are multiplied by what came of it
function excite(    s, src, out) {
  s = get(1, tensor_c[mean])
  src = mean
  unread[src] = 0
  src = quoted(src) ", " quoted(s)
  out = tensor(tensor_h[mean], tensor_c[mean])
  emit("Mul", src, out, "")
  excited = 1
}

# A shortcut's convolution is a row and a column larger than what it is added to, which was computed without padding.
function crop(    t, h, x, out) {
  h = tensor_h[last] - 1
  for (t = n_tensors; t > 0 && !(unread[t] && tensor_c[t] == cout && tensor_h[t] == h); t--) ;
  if (!t) return 0
  unread[last] = 0
  x = quoted(last)
  out = tensor(h, cout)
  emit("Slice", x, out, sprintf(", \"begin\": [0, 0, 0, 0], \"size\": [1, %d, %d, %d]", h, h, cout))
  return 1
}

# The number at the end of a kernel's name
function number(name) { sub(/^.*_/, "", name); return name ~ /^[0-9]+$/ ? name + 0 : -1 }

# What ran between the kernels of the last operator and this one: besides a Pad and the product of squeeze and excitation a sum and its ReLU (2),
# what normalises before a ReLU, a product and a sum (3), or both (4). Not HRNet, whose images are enlarged in between.
function between(    n, part, missing) {
  n = split(cell[kernel], part, "_linked_:_")
  missing = number(part[1]) - last_number - 1 - excited - (windowed(head[2]) && !newest(I, C))
  if (number(part[1]) < 0 || last_number < 0 || head[1] ~ /^hrnet/) missing = 0
  last_number = number(part[n])
  excited = 0
  cout = tensor_c[last]
  if (missing == 2 || missing == 4 || (missing == 3 && crop())) {
    light("Add")
    if (runtime == "pytorch" && missing < 4) light("Relu")
  } else if (missing == 3) normalise()
  if (missing == 4) normalise()
}

function operator(    op, x, out, more, pad) {
  op = head[2]
  cout = op ~ /^CONV_2D|^FULLY/ ? F : op == "CONCATENATION" && F ? F : C
  if (windowed(op)) {
    pad = padding()
    if (pad ~ /^[0-9]/) pad = "[" pad ", " pad ", " pad ", " pad "]"
    else pad = "\"" pad "\""
    more = sprintf(", \"kernel\": [%d, %d], \"stride\": [%d, %d], \"pad\": %s", K, K, S, S, pad)
    if (op ~ /^CONV/) more = more ", \"channels\": " F
    if (op == "CONV_2D_GROUP") more = more ", \"group\": " G
    x = quoted(get(I, C))
    out = tensor(O, cout)
    emit(name_of[op], x, out, more)
  } else if (op == "MEAN") {
    mean = get(I, C)
    x = quoted(mean)
    out = tensor(1, C)
    emit("GlobalAveragePool", x, out, "")
  } else if (op == "FULLY_CONNECTED") {
    x = quoted(get(1, C))
    out = tensor(1, F)
    emit("Gemm", x, out, ", \"channels\": " F)
    unread[out] = 1
  } else if (op == "CONCATENATION")
    concat()
  links(cell[kernel])
}

function begin_network() {
  network = head[1]
  n_ops = n_tensors = mean = last = after_scaling = excited = 0
  last_number = -1
  split("", read); split("", unread); split("", is_input); split("", hidden)
  graph_inputs = ""
  first = tensor(224, 3)
  tensor_name[first] = "image"
  is_input[first] = 1
  graph_inputs = "{\"name\": \"image\", \"shape\": [1, 224, 224, 3]}"
}

function end_network(    file, t, outs, i) {
  if (network == "") return
  file = folder "/" network ".json"
  for (t = 1; t <= n_tensors; t++)
    if (!read[t] && !is_input[t]) outs = outs (outs == "" ? "" : ", ") "\"" tensor_name[t] "\""
  printf "{\"format\": \"hetsim-workload/1\", \"name\": \"%s\", \"title\": \"%s\",\n \"source\": \"operator list of qed-usc/mobile-ml-benchmark\",\n", network, network > file
  printf " \"inputs\": [%s],\n \"outputs\": [%s],\n \"ops\": [\n", graph_inputs, outs > file
  for (i = 1; i <= n_ops; i++) printf "  %s%s\n", ops[i], i < n_ops ? "," : "" > file
  print "]}" > file
  close(file)
}

make == "networks" && cut($0) {
  if (head[1] != network) {
    end_network()
    begin_network()
  }
  between()
  operator()
}
END { if (!failed && make == "networks") end_network() }
