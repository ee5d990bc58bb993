# SPDX-License-Identifier: GPL-3.0-or-later
AM_TESTS_ENVIRONMENT = HETSIM_DATA="$(abs_top_srcdir)"; HETSIM="$(abs_top_builddir)/hetsim"; export HETSIM_DATA HETSIM;
