# SPDX-License-Identifier: GPL-3.0-or-later
EXTRA_DIST += doc/calibrate.md doc/cost-model.md doc/design.md doc/formats.md doc/gantt.svg doc/policies.md
