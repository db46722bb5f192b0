/* The solution at the receivers, at the start of a step, and with RECEIVER_SERIES its Taylor series in time there,
 * of the element without its neighbours (see predict.cu),
 *
 *   u(t^n + s) = sum_k T_k (s / dt)^k,   T_k = dt^k / k! L^k u^n,   k = 0 .. ORDER
 *
 * The host reads it after several steps, and interpolates between them or sums the series; a step that is rejected and
 * tried again has the same place. */
#ifdef RECEIVER_SERIES
#define RECEIVER_TERMS (ORDER + 1)
#else
#define RECEIVER_TERMS 1
#endif
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element of the section; coefficients */
    const int *receiver_elements;  /* in: [1] per element; of every receiver: its element */
    const scalar *receiver_basis;  /* in: [BASIS] per element; of every receiver: the basis functions there */
    const scalar *receiver_series; /* in, optional: [ORDER * COMPONENTS][COMPONENTS][BASIS] per element; of every
                                    * receiver: for k = 1 .. ORDER the values of L^k phi_j there over the power k of a
                                    * rate */
    const scalar *receiver_scales; /* in, optional: [1] per element; of every receiver: this rate */
    const double *clock;           /* in: [CLOCK_NUMBERS] */
    double *receiver_times;        /* out: [2][RECEIVER_STEPS]; times, then lengths of steps */
    scalar *received;              /* out: [RECEIVER_STEPS][COMPONENTS] per element; of every receiver, with
                                    * RECEIVER_SERIES [ORDER + 1] of them per step */
} ReceiveArguments;

KERNEL(receive, ReceiveArguments)
{
    const int step = (int)((long long)a->clock[CLOCK_STEPS] % RECEIVER_STEPS);
    const ints element = load_ints(a->receiver_elements + at(e, 0, 1));
    real u[COMPONENTS][BASIS], values[RECEIVER_TERMS][COMPONENTS];
    for (int c = 0; c < COMPONENTS; ++c) {
        values[0][c] = splat(R(0.0));
        for (int j = 0; j < BASIS; ++j) {
            u[c][j] = gather(a->u, at_lanes(element, c * BASIS + j, COMPONENTS * BASIS));
            values[0][c] += load(a->receiver_basis + at(e, j, BASIS)) * u[c][j];
        }
    }
#ifdef RECEIVER_SERIES
    const real rate = (scalar)a->clock[CLOCK_DT] * load(a->receiver_scales + at(e, 0, 1));
    real factor = splat(R(1.0));
    for (int k = 1; k <= ORDER; ++k) {
        factor *= rate * (R(1.0) / (scalar)k);
        for (int c = 0; c < COMPONENTS; ++c) {
            const int first = ((k - 1) * COMPONENTS + c) * COMPONENTS * BASIS;
            values[k][c] = splat(R(0.0));
            for (int i = 0; i < COMPONENTS * BASIS; ++i) {
                values[k][c] += load(a->receiver_series + at(e, first + i, ORDER * COMPONENTS * COMPONENTS * BASIS)) *
                                u[i / BASIS][i % BASIS];
            }
            values[k][c] *= factor;
        }
    }
#endif
    for (int k = 0; k < RECEIVER_TERMS; ++k) {
        for (int c = 0; c < COMPONENTS; ++c) {
            const int place = (step * RECEIVER_TERMS + k) * COMPONENTS + c;
            store(a->received + at(e, place, RECEIVER_STEPS * RECEIVER_TERMS * COMPONENTS), values[k][c]);
        }
    }
    if (e == 0) {
        a->receiver_times[step] = a->clock[CLOCK_TIME];
        a->receiver_times[RECEIVER_STEPS + step] = a->clock[CLOCK_DT];
    }
}
