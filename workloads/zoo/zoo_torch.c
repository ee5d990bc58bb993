/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups of operators of zoo_torch.h, in terms of the builder's calls. */
#include "zoo_torch.h"

int zoo_torch_pixels(struct zoo *z, int size)
{
	int x = zoo_input(z, "pixels", size, size, 3);

	zoo_block(z);
	return x;
}

int zoo_torch_conv(struct zoo *z, const char *name, int x, int channels, int kernel, int stride, int padding)
{
	if (padding == kernel / 2)
		return zoo_conv(z, name, x, channels, zoo_square(kernel, stride, ZOO_CENTRED));
	return zoo_padded_conv(z, name, x, channels, kernel, stride, padding);
}

int zoo_list_of_planes(struct zoo *z, const char *name, int x)
{
	const int channels = zoo_channels(z, x), pixels = zoo_height(z, x) * zoo_width(z, x);
	char local[ZOO_NAME_MAX];

	snprintf(local, sizeof local, "%s_planes", name);
	x = zoo_reshape(z, local, x, 2, (const int[]){channels, pixels});
	return zoo_transpose(z, name, x, (const int[]){1, 0});
}

int zoo_planes_of_list(struct zoo *z, const char *name, int x, int height, int width)
{
	const int channels = zoo_dim(z, x, 1);
	char local[ZOO_NAME_MAX];

	snprintf(local, sizeof local, "%s_planes", name);
	x = zoo_transpose(z, local, x, (const int[]){1, 0});
	return zoo_reshape(z, name, x, 4, (const int[]){1, height, width, channels});
}

int zoo_batch_norm(struct zoo *z, const char *name, int x)
{
	return zoo_unary(z, "BatchNormalization", name, x);
}

int zoo_group_norm(struct zoo *z, const char *name, int x)
{
	return zoo_unary(z, "InstanceNormalization", name, x);
}

int zoo_scaled_sum(struct zoo *z, const char *number, int x, int y)
{
	char scale[ZOO_NAME_MAX], add[ZOO_NAME_MAX];

	snprintf(scale, sizeof scale, "scale%s", number);
	snprintf(add, sizeof add, "add%s", number);
	y = zoo_with_constant(z, "Mul", scale, y);
	return zoo_binary(z, "Add", add, x, y);
}
