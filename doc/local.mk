# SPDX-License-Identifier: GPL-3.0-or-later
dist_doc_DATA = README.md NEWS
docdocdir = $(docdir)/doc
dist_docdoc_DATA = doc/calibrate.md doc/cost-model.md doc/design.md doc/formats.md doc/gantt.svg doc/policies.md
