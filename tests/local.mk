# SPDX-License-Identifier: GPL-3.0-or-later
AM_TESTS_ENVIRONMENT = HETSIM_DATA="$(abs_top_srcdir)"; HETSIM="$(abs_top_builddir)/hetsim"; export HETSIM_DATA HETSIM;

check_PROGRAMS += tests/policy/test_conformance
TESTS += $(check_PROGRAMS)
tests_policy_test_conformance_SOURCES = tests/policy/test_conformance.c
tests_policy_test_conformance_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS)
tests_policy_test_conformance_LDADD = $(HETSIM_LIBS) $(CHECK_LIBS)
