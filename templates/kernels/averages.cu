/* Averages in time at the Lagrange nodes of every element, over all steps since a time: of each quantity f that
 * law_averaged computes its mean and its variance,
 *
 *   M = 1/T int f dt,   V = 1/T int (f - M)^2 dt
 *
 * with the trapezoidal rule, which gives both ends of a step half of its length as their weight. They are gathered
 * value by value (D. H. D. West, Comm. ACM 22 (1979) 532-535), so that rounding leaves what is steady without a
 * variance:
 *
 *   W <- W + w,   d = f - M,   M <- M + w/W d,   S <- S + w d (f - M),   V = S / W */
#ifdef AVERAGED

typedef struct {
    const double *clock;   /* in: [CLOCK_NUMBERS] */
    double *average_clock; /* inout: [AVERAGES_NUMBERS] */
    double from;           /* in; when averages begin */
} AdvanceAveragesArguments;

/* Up to the time of the clock. A step that was rejected has no length. */
KERNEL_SCALAR(advance_averages, AdvanceAveragesArguments)
{
    double *const averages = a->average_clock;
    const double start = averages[AVERAGES_TIME], end = a->clock[CLOCK_TIME];
    const double weight = start >= a->from && end > start ? 0.5 * (end - start) : 0.0;
    averages[AVERAGES_TIME] = end;
    averages[AVERAGES_WEIGHT] = weight;
    for (int k = 0; k < 2; ++k) {
        averages[AVERAGES_DURATION] += weight;
        averages[AVERAGES_SHARES + k] = weight > 0.0 ? weight / averages[AVERAGES_DURATION] : 0.0;
    }
}

typedef struct {
    const scalar *u;             /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;        /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *map;           /* in: [MAP] per element */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element; read where MAP_DEGREE is not 0 */
    const double *average_clock; /* in: [AVERAGES_NUMBERS] */
    scalar *averaged_values;     /* inout: [numbers]; [AVERAGED][SAMPLE_POINTS] per element: f at the end of the last
                                  * step */
    scalar *averaged_means;      /* inout: [numbers]; likewise M; before averages begin, f */
    scalar *averaged_squares;    /* inout: [numbers]; likewise S */
    long long numbers;           /* in */
} AverageArguments;

KERNEL(average, AverageArguments)
{
    const double *const clock = a->average_clock;
    const scalar weight = (scalar)clock[AVERAGES_WEIGHT];
    Sampled sampled;
    load_coefficients(sampled.u, a->u, a->medium, e);
#if ADMISSIBLE > 0 && ORDER > 0
    make_nodes_admissible(sampled.u, a->basis_integrals, e);
#endif
    find_slopes(&sampled);
    NO_UNROLL
    for (int s = 0; s < SAMPLE_POINTS; ++s) {
        real value[AVERAGED];
        const real time = splat((scalar)clock[AVERAGES_TIME]);
        law_averaged(value, sample_at(&sampled, basis_at_sample[s], a->map, e, sample_points[s]),
                     position(a->map, e, sample_points[s]), time);
        for (int q = 0; q < AVERAGED; ++q) {
            const long long place = at(e, s * AVERAGED + q, AVERAGED * SAMPLE_POINTS);
            if (clock[AVERAGES_DURATION] == 0.0) {
                store(a->averaged_means + place, value[q]);
                store(a->averaged_squares + place, splat(R(0.0)));
            } else if (weight > R(0.0)) {
                real mean = load(a->averaged_means + place), squares = load(a->averaged_squares + place);
                UNROLL
                for (int k = 0; k < 2; ++k) {
                    const real f = k == 0 ? load(a->averaged_values + place) : value[q];
                    const real difference = f - mean;
                    mean += (scalar)clock[AVERAGES_SHARES + k] * difference;
                    squares += weight * difference * (f - mean);
                }
                store(a->averaged_means + place, mean);
                store(a->averaged_squares + place, squares);
            }
            store(a->averaged_values + place, value[q]);
        }
    }
}

typedef struct {
    const scalar *averaged_means;   /* in: [averaged]; see average */
    const scalar *averaged_squares; /* in: [averaged]; likewise */
    const int *point_elements;      /* in: [1] per element; of every point: its element */
    const scalar *point_nodes;      /* in: [SAMPLE_POINTS] per element; of every point: the Lagrange polynomials
                                     * there */
    scalar *point_averages;         /* out: [numbers]; columns, of each quantity M, then S */
    long long averaged;             /* in; numbers of the section */
    long long numbers;              /* in; those of all columns */
    long long stride;               /* in; the distance of two columns */
} AveragesAtPointsArguments;

/* M and S at points, as polynomials through their values at the nodes. */
KERNEL(averages_at_points, AveragesAtPointsArguments)
{
    const ints element = load_ints(a->point_elements + at(e, 0, 1));
    for (int q = 0; q < AVERAGED; ++q) {
        real mean = splat(R(0.0)), squares = splat(R(0.0));
        NO_UNROLL
        for (int s = 0; s < SAMPLE_POINTS; ++s) {
            const real share = load(a->point_nodes + at(e, s, SAMPLE_POINTS));
            const offsets place = at_lanes(element, s * AVERAGED + q, AVERAGED * SAMPLE_POINTS);
            mean += share * gather(a->averaged_means, place);
            squares += share * gather(a->averaged_squares, place);
        }
        store(a->point_averages + 2 * q * a->stride + e, mean);
        store(a->point_averages + (2 * q + 1) * a->stride + e, squares);
    }
}
#endif
