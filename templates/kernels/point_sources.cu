/* Point sources: a rate in time with amplitudes of the components, at a point x_s. Projected, Dirac's measure is
 *
 *   du_j/dt += amplitude rate(t) phi_j(xi_s) / det J
 *
 * in the element with the point, which is added to the result of a stage: with ADER its integral over the step, and to
 * mean n over the step, see mean_weight, that mean of what was added up to then:
 *
 *   U_n += amplitude phi_j / det J  1/dt^(n + 1) int_0^dt rate(t^n + s) (dt - s)^(n + 1) ds
 *
 * A launch has at most one source in each element. POINT_RATES(X) lists the rates that are formulas as X(number). */
#ifdef POINT_RATES
typedef struct {
    scalar *u_next;                 /* inout: [COMPONENTS][BASIS] per element of the section; coefficients after a
                                     * stage or the predictor */
    scalar *g;                      /* inout, optional: [COMPONENTS][BASIS] per element of the section; the register of
                                     * the stage */
    const int *source_elements;     /* in: [1] per element; of every source: its element, -1 for none */
    const int *source_rates;        /* in: [3] per element; of every source: the number of its formula, or -1; the first
                                     * and the last entry of its table */
    const scalar *source_positions; /* in: [DIM] per element; of every source */
    const scalar *source_modes;     /* in: [COMPONENTS][BASIS] per element; of every source: amplitude phi_j / det J */
    const scalar *rate_tables;      /* in: [rate_numbers]; times and rates in turns */
    long long rate_numbers;         /* in; those of all tables */
    const double *clock;            /* in: [CLOCK_NUMBERS] */
    double c;                       /* in; time of the stage, in steps after the start of the step; not with ADER */
    double weight;                  /* in; weight of the stage's residual in its result */
    long long keep_g;               /* in; whether a later stage reads g */
    long long power;                /* in; where there is a predictor: 0 for the result of a stage, and above for the
                                     * predictor's, with ADER n + 1 for mean n */
} PointSourceArguments;

/* A rate that is linear between the entries of a table, and zero before the first and after the last. */
DEVICE real tabulated_rate(const scalar *table, ints first, ints last, real t)
{
    ints low = first, high = last;
    mask between = mask_of(gather(table, 2 * low) <= t) & mask_of(gather(table, 2 * high) >= t);
    for (;;) {
        const mask open = mask_of(high - low > 1);
        if (!any(open)) {
            break;
        }
        const ints middle = (low + high) >> 1;
        const mask is_before = mask_of(gather(table, 2 * middle) <= t);
        low = select_ints(open & is_before, middle, low);
        high = select_ints(open & not(is_before), middle, high);
    }
    const real start = gather(table, 2 * low), end = gather(table, 2 * high);
    const real from = gather(table, 2 * low + 1), to = gather(table, 2 * high + 1);
    return select(between, from + (t - start) * real_reciprocal(end - start) * (to - from), splat(R(0.0)));
}

/* The rates of a group of sources. */
DEVICE real point_rate(const PointSourceArguments *a, long long e, real t)
{
    real position[DIM];
    for (int d = 0; d < DIM; ++d) {
        position[d] = load(a->source_positions + at(e, d, DIM));
    }
    const Point x = law_point(position);
    const ints number = load_ints(a->source_rates + at(e, 0, 3));
    real rate = tabulated_rate(a->rate_tables, load_ints(a->source_rates + at(e, 1, 3)),
                               load_ints(a->source_rates + at(e, 2, 3)), t);
#define POINT_RATE(i)                                                                                                  \
    {                                                                                                                  \
        const mask here = mask_of(number == (i));                                                                      \
        if (any(here)) {                                                                                               \
            rate = select(here, law_rate_##i(x, t), rate);                                                             \
        }                                                                                                              \
    }
    POINT_RATES(POINT_RATE)
#undef POINT_RATE
    return rate;
}

/* The integral of the rates over the step, or of the parts of it that a mean over the step has or, by the series of the
 * predictor, the solution at the time of the stage; without ADER by the rates at that time. */
DEVICE real impulse(const PointSourceArguments *a, long long e)
{
    const scalar dt = (scalar)a->clock[CLOCK_DT];
#ifdef ADER
    const int power = (int)a->power;
    real sum = splat(R(0.0));
    for (int i = 0; i < TIME_POINTS; ++i) {
        const real rate = point_rate(a, e, splat((scalar)time_at(a->clock, time_points[i])));
        sum += dt / (scalar)(power + 1) * mean_weight(i, power) * rate;
    }
    return sum;
#else
#ifdef PREDICT_SERIES
    if (a->power != 0) {
        /* Up to the time of the stage. */
        real sum = splat(R(0.0));
        for (int i = 0; i < TIME_POINTS; ++i) {
            sum += dt * (scalar)a->c * time_weights[i]
                * point_rate(a, e, splat((scalar)time_at(a->clock, a->c * time_points[i])));
        }
        return sum;
    }
#endif
    return dt * point_rate(a, e, splat((scalar)time_at(a->clock, a->c)));
#endif
}

KERNEL(add_point_sources, PointSourceArguments)
{
    const ints element = load_ints(a->source_elements + at(e, 0, 1));
    const mask live = mask_of(element >= 0);
    if (!(a->clock[CLOCK_DT] > 0.0) || !any(live)) {
        return;
    }
    const ints place = select_ints(live, element, 0 * element);
    const real gain = impulse(a, e);
    for (int i = 0; i < COMPONENTS * BASIS; ++i) {
        const offsets coefficient = at_lanes(place, i, COMPONENTS * BASIS);
        const real change = gain * load(a->source_modes + at(e, i, COMPONENTS * BASIS));
        add_to(a->u_next, coefficient, (scalar)a->weight * change, live);
        if (a->keep_g != 0) {
            add_to(a->g, coefficient, change, live);
        }
    }
}
#endif
