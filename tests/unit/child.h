/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a test does in a child process, because SimGrid allows one platform per process, and memory that both see. */
#ifndef HS_TEST_CHILD_H
#define HS_TEST_CHILD_H

#include "tests/unit/suite.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Zeroed; munmap() gives it back. */
static inline void *hs_test_shared(size_t size)
{
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ck_assert(p != MAP_FAILED);
  return p;
}

/* As fork(), but that it can't fail. The child ends with _exit(). */
static inline pid_t hs_test_fork(void)
{
  fflush(NULL);
  pid_t child = fork();
  ck_assert(child >= 0);
  return child;
}

/* Exit status of a child; < 0: a signal ended it. */
static inline int hs_test_wait(pid_t child)
{
  int status = -1;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

#endif
