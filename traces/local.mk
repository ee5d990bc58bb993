# SPDX-License-Identifier: GPL-3.0-or-later
nobase_dist_pkgdata_DATA += \
	traces/MANIFEST \
	traces/browsing.json \
	traces/competing/browsing.csv \
	traces/competing/rivals-cpu-1.json \
	traces/competing/rivals-cpu-2.json \
	traces/competing/rivals-cpu-3.json \
	traces/competing/rivals-gpu-1.json \
	traces/competing/rivals-poisson.json \
	traces/gaming.json \
	traces/hot-60C.json \
	traces/hot-70C.json \
	traces/idle.json \
	traces/study-s0.json \
	traces/study-s1.json \
	traces/study-s2.json \
	traces/study-s3.json \
	traces/study-s4.json \
	traces/video-playback.json
