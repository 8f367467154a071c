// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols of later versions of glibc than 2.28 that libstdc++ 12 and LLVM 19 use, for link.sh. Before each stands the
// version that brought it.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

// 2.32: true while a program has one thread. Here it is never true, so that reference counts are always atomic.
HIDDEN char __libc_single_threaded = 0;

// 2.33: returns the use of memory, of which LLVM reads `uordblks` alone, the bytes in use. The number is cut at 2^32.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
HIDDEN struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){.uordblks = (unsigned int)mallinfo().uordblks}; }

// 2.36: returns a random number.
HIDDEN uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
    if (errno != EINTR) abort();
  }
  return value;
}

// 2.30: waits until a time of `clock`. The condition's own clock is CLOCK_REALTIME, as in std::condition_variable.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  struct timespec now;
  struct timespec real;
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &real) != 0) return EINVAL;
  const int64_t second = 1000000000;
  int64_t nanoseconds = until->tv_nsec - now.tv_nsec + real.tv_nsec;
  real.tv_sec += until->tv_sec - now.tv_sec + nanoseconds / second;
  nanoseconds %= second;
  if (nanoseconds < 0) {
    nanoseconds += second;
    --real.tv_sec;
  }
  real.tv_nsec = nanoseconds;
  return pthread_cond_timedwait(condition, mutex, &real);
}
