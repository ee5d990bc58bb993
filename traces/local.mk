# SPDX-License-Identifier: GPL-3.0-or-later
nobase_dist_pkgdata_DATA += \
	traces/MANIFEST \
	traces/browsing.csv \
	traces/browsing.json \
	traces/gaming.json \
	traces/hot-60C.json \
	traces/hot-70C.json \
	traces/idle.json \
	traces/rivals-cpu-1.json \
	traces/rivals-cpu-2.json \
	traces/rivals-cpu-3.json \
	traces/rivals-gpu-1.json \
	traces/rivals-poisson.json \
	traces/study-s0.json \
	traces/study-s1.json \
	traces/study-s2.json \
	traces/study-s3.json \
	traces/study-s4.json \
	traces/video-playback.json
