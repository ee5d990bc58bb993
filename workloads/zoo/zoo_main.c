/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hetsim-zoo: writes every network of the zoo into a directory, or lists them.
 * A file is written under a temporary name and then renamed, so that a
 * description is never half written.
 */
#include "zoo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The exit codes of hetsim that apply here. */
enum { ZOO_OK = 0, ZOO_USAGE = 2, ZOO_ENGINE = 5, ZOO_IO = 6 };

static const struct zoo_network *const families[] = {
	zoo_vgg_networks, zoo_resnet_networks, zoo_inception_networks, zoo_mobile_networks,
	zoo_efficientnet_networks, zoo_edgetpu_networks, zoo_universal_networks, zoo_mobile_tf2cv_networks, zoo_paddle_networks, zoo_esnet_networks, zoo_nas_networks,
	zoo_nasnet_networks, zoo_ncnn_networks, zoo_mixnet_networks, zoo_regnet_networks, zoo_hardnet_networks, zoo_resnet_tf2cv_networks,
	zoo_dense_networks, zoo_hrnet_networks, zoo_dla_networks, zoo_darknet_networks, zoo_inception_tf2cv_networks,
	zoo_detect_networks, zoo_yolov5_networks, zoo_nanodet_networks, zoo_picodet_networks, zoo_rtmpose_networks, zoo_ssd_networks, zoo_ssd_caffe_networks,
	zoo_detect_paddle_networks, zoo_segment_networks, zoo_humanseg_networks, zoo_mobileseg_networks, zoo_edgetpu_seg_networks,
	zoo_efficientdet_networks, zoo_style_networks, zoo_vit_networks, zoo_pyramid_networks, zoo_hybrid_networks, zoo_mixer_networks, zoo_torch_attention_networks,
	zoo_vit_torch_networks, zoo_swinv2_networks, zoo_mobilevitv2_networks, zoo_bert_networks
};

enum { N_FAMILIES = sizeof families / sizeof *families };

static const char usage[] =
	"Usage: hetsim-zoo DIR\n"
	"       hetsim-zoo --list\n"
	"Write the descriptions of all networks to DIR/NAME.json, or list their names.\n";

static int fail(const char *what, const char *path)
{
	fprintf(stderr, "hetsim-zoo: %s: %s: %s\n", path, what, strerror(errno));
	return ZOO_IO;
}

static int out_of_memory(void)
{
	fputs("hetsim-zoo: out of memory\n", stderr);
	return ZOO_ENGINE;
}

static int write_file(const struct zoo *z, const struct zoo_network *network, const char *path)
{
	FILE *file = fopen(path, "wb");
	int broken;

	if (!file)
		return fail("cannot create", path);
	zoo_write(z, network, file);
	broken = ferror(file);
	if (fclose(file) == 0 && !broken)
		return ZOO_OK;
	fail("cannot write", path);
	remove(path);
	return ZOO_IO;
}

static int write_and_rename(const struct zoo *z, const struct zoo_network *network, const char *dir)
{
	size_t size = strlen(dir) + strlen(network->name) + sizeof "/.json.tmp";
	char *path = malloc(size), *temporary = malloc(size);
	int status = ZOO_IO;

	if (!path || !temporary) {
		status = out_of_memory();
		goto out;
	}
	snprintf(path, size, "%s/%s.json", dir, network->name);
	snprintf(temporary, size, "%s.tmp", path);
	status = write_file(z, network, temporary);
	if (status == ZOO_OK && rename(temporary, path) != 0) {
		status = fail("cannot rename", temporary);
		remove(temporary);
	}
out:
	free(path);
	free(temporary);
	return status;
}

static int write_network(const struct zoo_network *network, const char *dir)
{
	struct zoo *z = zoo_new();
	int status;

	if (!z)
		return out_of_memory();
	network->build(z);
	status = write_and_rename(z, network, dir);
	zoo_free(z);
	return status;
}

static int write_all(const char *dir)
{
	int status = ZOO_OK;

	for (int i = 0; i < N_FAMILIES && status == ZOO_OK; i++)
		for (const struct zoo_network *n = families[i]; n->name && status == ZOO_OK; n++)
			status = write_network(n, dir);
	return status;
}

static int flush_stdout(void)
{
	return fflush(stdout) == 0 && !ferror(stdout) ? ZOO_OK : fail("cannot write", "standard output");
}

static int list(void)
{
	for (int i = 0; i < N_FAMILIES; i++)
		for (const struct zoo_network *n = families[i]; n->name; n++)
			puts(n->name);
	return flush_stdout();
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--list") == 0)
		return list();
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(usage, stdout);
		return flush_stdout();
	}
	if (argc == 2 && argv[1][0] != '\0' && argv[1][0] != '-')
		return write_all(argv[1]);
	fputs("hetsim-zoo: expected one directory or --list\nTry 'hetsim-zoo --help'.\n", stderr);
	return ZOO_USAGE;
}
