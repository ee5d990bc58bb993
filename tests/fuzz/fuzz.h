/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fuzz target is one line: HS_FUZZ(parse, struct, use, free). Whatever the text, the reader either gives an object, which is
 * then used, or a refusal with a reason. Built with clang -fsanitize=fuzzer it is a libFuzzer program; built with HS_REPLAY it
 * runs every file of its corpus, so that the corpus is part of the tests everywhere. */
#ifndef HS_FUZZ_H
#define HS_FUZZ_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise of the header that the object breaks. */
static inline void hs_fuzz_promise(int kept)
{
  if (!kept) abort();
}

#define HS_FUZZ(parse, type, use, release)                                                                             \
  int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                                         \
  {                                                                                                                    \
    char message[1400];                                                                                                \
    struct hs_error err = {0};                                                                                         \
    type *object = NULL;                                                                                               \
    enum hs_status status = parse("input", (const char *)data, size, &object, &err);                                   \
    if (status == HS_OK) {                                                                                             \
      use(object);                                                                                                     \
      release(object);                                                                                                 \
    } else {                                                                                                           \
      hs_fuzz_promise(status == HS_INPUT && status == err.status && !object);                                          \
      hs_fuzz_promise(err.text[0] && err.line > 0 && (err.column > 0 || hs_text_is_utf16((const char *)data, size)));  \
      hs_error_message(&err, message, sizeof message);                                                                 \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }

#ifdef HS_REPLAY
static int replay(const char *folder, int *n)
{
  DIR *d = opendir(folder);
  if (!d) return fprintf(stderr, "can't open %s\n", folder), 1;
  for (struct dirent *e; (e = readdir(d));) {
    char path[1024], *s = NULL;
    size_t len = 0;
    struct hs_error err;
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (hs_file_read(path, &s, &len, &err)) return fprintf(stderr, "can't read %s\n", path), 1;
    LLVMFuzzerTestOneInput((const uint8_t *)s, len);
    free(s);
    ++*n;
  }
  closedir(d);
  return 0;
}

/* Folder: $srcdir/tests/fuzz/corpus/NAME, NAME from the program's own name replay_NAME. */
int main(int argc, char **argv)
{
  int n = 0;
  char folder[600];
  const char *name = strrchr(argv[0], '_'), *root = getenv("srcdir");
  (void)argc;
  snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", root ? root : ".", name ? name + 1 : "");
  if (replay(folder, &n)) return 1;
  printf("%d passed, %d failed\n", n, n == 0);
  return n == 0;
}
#endif

#endif
