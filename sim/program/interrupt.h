/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ctrl-C in front of a long run: it is broken off, and what ended until then is reported. */
#ifndef HS_INTERRUPT_H
#define HS_INTERRUPT_H

#include <signal.h>

/* Set by SIGINT, once it is caught; hs_serve_calls.stop. */
extern volatile sig_atomic_t hs_interrupted;

/* Not where it was ignored from the start, as that of a shell's background job is. */
void hs_interrupt_catch(void);
/* A process with nothing to report yet, a child's that plans, ends by it again. */
void hs_interrupt_let_go(void);

#endif
