# SPDX-License-Identifier: GPL-3.0-or-later
# as in the source, since they name each other so
nobase_dist_doc_DATA = README.md NEWS CONTRIBUTING.md doc/calibrate.md doc/cost-model.md doc/design.md doc/formats.md doc/gantt.svg doc/policies.md \
	socs/README.md validation/README.md validation/fits.md validation/choices.md
