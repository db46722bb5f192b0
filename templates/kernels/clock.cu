/* Time lives on the device: no step waits for the host. */
#define CLOCK_TIME 0   /* t at the start of the step */
#define CLOCK_DT 1     /* length of the step; 0 once the target is reached or the computation has failed */
#define CLOCK_STEPS 2  /* steps taken */
#define CLOCK_LIMIT 3  /* the longest stable step */
#define CLOCK_FAILED 4 /* 0, or why it cannot go on */
#define CLOCK_TARGET 5 /* a time that is to be hit exactly */
#define CLOCK_CFL 6    /* the Courant number */
#define CLOCK_NUMBERS 7
#define FAILED_INADMISSIBLE 1 /* the solution has left the admissible set */
#define FAILED_COLLAPSED 2    /* time and a stable step later are the same number */

/* The longest stable step grows at most by this from one bound to the next: waves may be about to enter. */
#define CLOCK_GROWTH 1.1

/* t <- t + dt */
DEVICE void end_step(double clock[CLOCK_NUMBERS])
{
    const double dt = clock[CLOCK_DT];
    if (dt > 0.0) {
        const double left = clock[CLOCK_TARGET] - clock[CLOCK_TIME];
        clock[CLOCK_TIME] = dt >= left ? clock[CLOCK_TARGET] : clock[CLOCK_TIME] + dt;
        clock[CLOCK_STEPS] += 1.0;
    }
}

/* limit <- CFL min h / ((2p + 1) lambda) */
DEVICE void renew_limit(double clock[CLOCK_NUMBERS], double longest)
{
    double limit = clock[CLOCK_CFL] * longest;
    /* Written so that a limit that is no number fails too. */
    if (!(limit > 0.0)) {
        clock[CLOCK_FAILED] = FAILED_INADMISSIBLE;
    }
    if (clock[CLOCK_LIMIT] > 0.0 && limit > CLOCK_GROWTH * clock[CLOCK_LIMIT]) {
        limit = CLOCK_GROWTH * clock[CLOCK_LIMIT];
    }
    clock[CLOCK_LIMIT] = limit;
}

/* dt <- min(limit, target - t) */
DEVICE void begin_step(double clock[CLOCK_NUMBERS])
{
    const double left = clock[CLOCK_TARGET] - clock[CLOCK_TIME];
    double dt = clock[CLOCK_LIMIT];
    if (clock[CLOCK_FAILED] == 0.0 && left > 0.0 && clock[CLOCK_TIME] + dt == clock[CLOCK_TIME]) {
        clock[CLOCK_FAILED] = FAILED_COLLAPSED;
    }
    if (dt >= left) {
        dt = left;
    } else if (2.0 * dt > left) {
        /* Two equal steps rather than a long and a tiny one. */
        dt = 0.5 * left;
    }
    clock[CLOCK_DT] = clock[CLOCK_FAILED] == 0.0 && left > 0.0 ? dt : 0.0;
}

typedef struct {
    double *clock;         /* inout */
    const scalar *longest; /* in: numbers of which the smallest is min h / ((2p + 1) lambda), where `renew` */
    long long rows;        /* in: how many of them, at least 1 */
    long long end;         /* in: whether a step is to be ended */
    long long renew;       /* in: whether `longest` is new: found by the step that is ended, or before the first */
    long long begin;       /* in: whether the next step is to be begun */
} TurnArguments;

/* From one step to the next. */
KERNEL_BLOCK(turn, TurnArguments)
{
    /* In registers, so that no load waits for a store. */
    double clock[CLOCK_NUMBERS];
    UNROLL
    for (int k = 0; k < CLOCK_NUMBERS; ++k) {
        clock[k] = a->clock[k];
    }
    scalar longest = a->longest[0];
    if (a->renew != 0) {
        for (long long row = thread; row < a->rows; row += THREADS) {
            longest = reduce_min(longest, a->longest[row]);
        }
        longest = smallest_of_block(longest, thread);
    }
    if (thread != 0) {
        return;
    }
    /* Steps of no length, which follow the last one, bound nothing. */
    const int moves = a->end != 0 ? clock[CLOCK_DT] > 0.0 : clock[CLOCK_TIME] < clock[CLOCK_TARGET];
    if (a->end != 0) {
        end_step(clock);
    }
    if (a->renew != 0 && moves) {
        renew_limit(clock, (double)longest);
    }
    if (a->begin != 0) {
        begin_step(clock);
    }
    UNROLL
    for (int k = 0; k <= CLOCK_FAILED; ++k) {
        a->clock[k] = clock[k];
    }
}
