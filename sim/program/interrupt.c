/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/interrupt.h"

volatile sig_atomic_t hs_interrupted;

static void on_interrupt(int sig)
{
  (void)sig;
  hs_interrupted = 1;
}

static void handle(void (*by)(int))
{
  if (signal(SIGINT, by) == SIG_IGN) signal(SIGINT, SIG_IGN);
}

void hs_interrupt_catch(void) { handle(on_interrupt); }

void hs_interrupt_let_go(void) { handle(SIG_DFL); }
