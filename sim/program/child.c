/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "program/child.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum hs_status hs_in_child(void (*work)(const void *state, void *answer), const void *state, void *answer, size_t size, struct hs_error *err)
{
  int status = -1;
  /* pages that nobody writes take no memory, so that an answer may be generous */
  void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return hs_fail(err, HS_ENGINE, "no memory to share with a child process");
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    work(state, shared);
    _exit(0);
  }
  if (pid > 0) waitpid(pid, &status, 0);
  memcpy(answer, shared, size);
  munmap(shared, size);
  if (pid < 0) return hs_fail(err, HS_ENGINE, "can't fork");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? HS_OK : hs_fail(err, HS_ENGINE, "the child process that simulates died");
}
