/* Time lives on the device: no step waits for the host. */
#define CLOCK_TIME 0   /* t at the start of the step */
#define CLOCK_DT 1     /* length of the step; 0 once the target is reached or the computation has failed */
#define CLOCK_STEPS 2  /* steps taken */
#define CLOCK_LIMIT 3  /* the longest stable step */
#define CLOCK_FAILED 4 /* 0, or why it cannot go on */
#define FAILED_INADMISSIBLE 1 /* the solution has left the admissible set */
#define FAILED_COLLAPSED 2    /* time and a stable step later are the same number */

/* The longest stable step grows at most by this from one bound to the next: waves may be about to enter. */
#define CLOCK_GROWTH 1.1

typedef struct {
    double *clock;         /* inout */
    const scalar *longest; /* in: the smallest over all elements of h / ((2p + 1) lambda), where `renew` */
    double cfl;            /* in */
    double target;         /* in: a time that is to be hit exactly */
    long long renew;       /* in: whether `longest` is new */
} BeginStepArguments;

/* Sets dt = min(CFL min h / ((2p + 1) lambda), target - t). */
KERNEL_SCALAR(begin_step, BeginStepArguments)
{
    (void)i;
    double *clock = a->clock;
    const double left = a->target - clock[CLOCK_TIME];
    if (a->renew != 0 && left > 0.0) {
        double limit = a->cfl * (double)a->longest[0];
        /* Written so that a limit that is no number fails too. */
        if (!(limit > 0.0)) {
            clock[CLOCK_FAILED] = FAILED_INADMISSIBLE;
        }
        if (clock[CLOCK_LIMIT] > 0.0 && limit > CLOCK_GROWTH * clock[CLOCK_LIMIT]) {
            limit = CLOCK_GROWTH * clock[CLOCK_LIMIT];
        }
        clock[CLOCK_LIMIT] = limit;
    }
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
    double *clock; /* inout */
    double target; /* in */
} EndStepArguments;

KERNEL_SCALAR(end_step, EndStepArguments)
{
    (void)i;
    double *clock = a->clock;
    const double dt = clock[CLOCK_DT];
    if (dt > 0.0) {
        clock[CLOCK_TIME] = dt >= a->target - clock[CLOCK_TIME] ? a->target : clock[CLOCK_TIME] + dt;
        clock[CLOCK_STEPS] += 1.0;
    }
}
