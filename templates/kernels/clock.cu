/* Where a case has a tolerance, these are numbers of its integrator: the weights by which the last stage of a step
 * estimates the error, and the exponents of the controller. */
#ifdef ESTIMATE_U
#define HAS_TOLERANCE 1
#else
#define HAS_TOLERANCE 0
#define ESTIMATE_U R(0.0)
#define ESTIMATE_K R(0.0)
#define ESTIMATE_G R(0.0)
#define CONTROL_1 R(0.0)
#define CONTROL_2 R(0.0)
#define CONTROL_3 R(0.0)
#endif

/* Time lives on the device: no step waits for the host. The clock is CLOCK_NUMBERS doubles. */

/* The most times that a step is shortened before it is given up: 20 halvings leave less than a millionth of it. */
#define CLOCK_MOST_HALVINGS 20

/* t <- t + dt */
DEVICE void end_step(double clock[CLOCK_NUMBERS])
{
    clock[CLOCK_TIME] = time_at(clock, 1.0);
    clock[CLOCK_STEPS] += 1.0;
    clock[CLOCK_HALVINGS] = 0.0;
}

/* Try again with half of dt, or give up. */
DEVICE void reject_step(double clock[CLOCK_NUMBERS])
{
    clock[CLOCK_STABLE_DT] = 0.5 * clock[CLOCK_DT];
    clock[CLOCK_HALVINGS] += 1.0;
    clock[CLOCK_REJECTED] += 1.0;
    clock[CLOCK_BROKEN] = 0.0;
    if (clock[CLOCK_HALVINGS] > CLOCK_MOST_HALVINGS) {
        clock[CLOCK_FAILED] = FAILED_INADMISSIBLE;
    }
}

/* Where a medium changes with time, waves may become faster within a step. A step that is this many times as long as
 * one that is stable at its end is rejected. */
#define CLOCK_MOST_OUTRUN 1.5

/* Whether the step from t is too long for the waves at its end.     in: longest, see renew_stable_dt */
DEVICE int is_outrun(const double clock[CLOCK_NUMBERS], double longest)
{
#ifdef MEDIUM_CHANGES
    return !HAS_TOLERANCE && clock[CLOCK_DT] > CLOCK_MOST_OUTRUN * clock[CLOCK_CFL] * longest;
#else
    return 0;
#endif
}

/* stable_dt <- CFL times the least of the elements' longest stable steps at Courant number 1.
 *     in: longest, that least */
DEVICE void renew_stable_dt(double clock[CLOCK_NUMBERS], double longest)
{
    double stable_dt = clock[CLOCK_CFL] * longest;
    /* Written so that NaN fails too. */
    if (!(stable_dt > 0.0)) {
        clock[CLOCK_FAILED] = FAILED_INADMISSIBLE;
    }
    if (clock[CLOCK_STABLE_DT] > 0.0 && stable_dt > CLOCK_GROWTH * clock[CLOCK_STABLE_DT]) {
        stable_dt = CLOCK_GROWTH * clock[CLOCK_STABLE_DT];
    }
    clock[CLOCK_STABLE_DT] = stable_dt;
}

/* With a tolerance, the error controls the step:
 *
 *   dt <- (1 + atan(e_n^-CONTROL_1 e_(n-1)^-CONTROL_2 e_(n-2)^-CONTROL_3 - 1)) dt,
 *
 * where e_n is the error of the last step divided by the tolerance (a PID controller of ln e: G. Soderlind, ACM
 * Trans. Math. Softw. 29 (2003) 1-26, with the limiter of G. Soderlind & L. Wang, J. Comput. Appl. Math. 185 (2006)
 * 225-243). It also finds the stability limit, beyond which errors grow. */

/* A step is accepted if the factor for the next step is at least this. */
#define CLOCK_LEAST_ACCEPTED 0.81

/* Smaller errors, relative to the tolerance, are replaced by this. */
#define CLOCK_LEAST_ERROR 0.01

/* The factor for the next step's length after a step with this error. */
DEVICE double step_factor(const double clock[CLOCK_NUMBERS], double error)
{
    const double last = clock[CLOCK_ERROR] > 0.0 ? clock[CLOCK_ERROR] : 1.0;
    const double before = clock[CLOCK_ERROR_BEFORE] > 0.0 ? clock[CLOCK_ERROR_BEFORE] : 1.0;
    const scalar wanted = scalar_pow(R(error), -CONTROL_1) * scalar_pow(R(last), -CONTROL_2) *
                          scalar_pow(R(before), -CONTROL_3);
    return 1.0 + (double)scalar_atan(wanted - R(1.0));
}

/* t <- t + dt, or try again with a shorter step.     in: error     out: whether the step is accepted */
DEVICE int control_step(double clock[CLOCK_NUMBERS], double error)
{
    error = error < CLOCK_LEAST_ERROR ? CLOCK_LEAST_ERROR : error;
    const double dt = clock[CLOCK_DT], stable_dt = clock[CLOCK_STABLE_DT], factor = step_factor(clock, error);
    if (factor < CLOCK_LEAST_ACCEPTED) {
        clock[CLOCK_STABLE_DT] = factor * dt;
        clock[CLOCK_REJECTED] += 1.0;
        clock[CLOCK_HALVINGS] += 1.0;
        if (clock[CLOCK_HALVINGS] > CLOCK_MOST_HALVINGS) {
            clock[CLOCK_FAILED] = FAILED_INEXACT;
        }
        return 0;
    }
    end_step(clock);
    /* A step that was cut to hit a target has a small error, which does not justify longer steps. */
    if (dt >= stable_dt || factor < 1.0) {
        clock[CLOCK_STABLE_DT] = factor < CLOCK_GROWTH ? factor * dt : CLOCK_GROWTH * dt;
        clock[CLOCK_ERROR_BEFORE] = clock[CLOCK_ERROR];
        clock[CLOCK_ERROR] = error;
    }
    return 1;
}

/* dt <- min(stable_dt, target - t) */
DEVICE void begin_step(double clock[CLOCK_NUMBERS])
{
    const double left = clock[CLOCK_TARGET] - clock[CLOCK_TIME];
    double dt = clock[CLOCK_STABLE_DT];
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
    double *clock;              /* inout: [CLOCK_NUMBERS] */
    const scalar *bounds;       /* in: [rows]; read where `renew`: longest stable steps, of which the least counts;
                                 * after a step its Courant numbers, of which the largest counts, or with a
                                 * tolerance shares of its squared error, which are summed */
    const scalar *u_start;      /* in, shared: [coefficients]; the solution at the start of the step that is ended */
    const scalar *records_start; /* in, shared: [records]; its records */
    scalar *u_end;              /* inout: [coefficients]; the solution at its end; if the step is rejected, set to that
                                 * at its start */
    scalar *records_end;        /* inout: [records] */
    long long coefficients;     /* in; the length of a solution */
    long long records;          /* in; the length of its records */
    long long rows;             /* in; the length of `bounds`, at least 1 */
    long long end;              /* in; whether a step ends */
    long long renew;            /* in; whether `bounds` is new: from the step that ends, or from before the first */
    long long begin;            /* in; whether the next step begins */
} AdvanceClockArguments;

DEVICE void copy_by_block(scalar *to, const scalar *from, long long count, int thread)
{
    for (long long i = thread; i < count; i += THREADS) {
        to[i] = from[i];
    }
}

/* From one step to the next. */
KERNEL_BLOCK(advance_clock, AdvanceClockArguments)
{
    /* In registers, so that no load waits for a store. */
    double clock[CLOCK_NUMBERS];
    UNROLL
    for (int k = 0; k < CLOCK_NUMBERS; ++k) {
        clock[k] = a->clock[k];
    }
    const long long operation = a->end == 0 ? REDUCE_MIN : HAS_TOLERANCE ? REDUCE_SUM : REDUCE_MAX;
    scalar bound = operation == REDUCE_SUM ? R(0.0) : a->bounds[0];
    for (long long row = thread; row < a->rows; row += THREADS) {
        bound = reduce_pair(operation, bound, a->bounds[row]);
    }
    bound = reduce_block(operation, bound, thread);

    /* After the target is reached dt is 0: such steps end nothing and bound nothing. */
    const int ends = a->end != 0 && clock[CLOCK_DT] > 0.0;
    const int renews = a->renew != 0 && (a->end != 0 ? ends : clock[CLOCK_TIME] < clock[CLOCK_TARGET]);
    const int is_finite = bound - bound == R(0.0), broken = clock[CLOCK_BROKEN] != 0.0 || (renews && !is_finite);
    /* Where nothing moves, a step is as long as others let it be. */
    const scalar at_least = bound > R(1e-30) ? bound : R(1e-30);
    const double longest = ends ? clock[CLOCK_DT] * (double)scalar_reciprocal(at_least) : (double)bound;
    int accepted = 1;
    if (ends && (broken || (renews && is_outrun(clock, longest)))) {
        reject_step(clock);
        accepted = 0;
    } else if (HAS_TOLERANCE && ends) {
        accepted = control_step(clock, (double)scalar_sqrt(bound));
    } else {
        if (ends) {
            end_step(clock);
        }
        if (renews) {
            renew_stable_dt(clock, longest);
        }
    }
    if (!accepted) {
        copy_by_block(a->u_end, a->u_start, a->coefficients, thread);
        copy_by_block(a->records_end, a->records_start, a->records, thread);
    }
    if (a->begin != 0) {
        begin_step(clock);
    }
    if (thread == 0) {
        UNROLL
        for (int k = 0; k < CLOCK_NUMBERS; ++k) {
            a->clock[k] = clock[k];
        }
    }
}
