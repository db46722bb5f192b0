/* The law's functions at given points; arguments are fields
 * [l, or other variables: FIELDS][r: FIELDS][n: DIM][x: DIM][t]. */
#define ARGUMENTS (2 * FIELDS + 2 * DIM + 1)
typedef struct {
    const scalar *arguments; /* in: [2 * FIELDS + 2 * DIM + 1] per element */
    scalar *values;          /* out: [RESULTS] per element */
} PointwiseArguments;

DEVICE void load_fields(real *value, const scalar *arguments, long long e, int first, int count)
{
    for (int i = 0; i < count; ++i) {
        value[i] = load(arguments + at(e, first + i, ARGUMENTS));
    }
}

/* An output of a state whose derivatives along all axes are r. */
DEVICE real output(State u, State r, Point x, real t, int number)
{
    real value[OUTPUTS + 1];
    Sample sample;
    sample.state = u;
#ifdef GRADIENT_OUTPUTS
    for (int d = 0; d < DIM; ++d) {
        law_components(sample.slope[d], r);
    }
#endif
    law_outputs(value, sample, x, t);
    return value[number];
}

#ifdef VISCOUS
/* The viscous flux of a state whose derivatives along all axes are r. */
DEVICE void viscous_flux_of_equal_slopes(real f[DIM][COMPONENTS], State u, State r)
{
    real slope[DIM][COMPONENTS];
    for (int d = 0; d < DIM; ++d) {
        law_components(slope[d], r);
    }
    law_viscous_flux(f, u, slope);
}
#endif

/* A kernel with `results` results, which the last argument, a statement, stores in `value`. */
#define KERNEL_POINTWISE(name, Arguments, results, ...)                                                                \
    KERNEL(name, Arguments)                                                                                            \
    {                                                                                                                  \
        real raw_l[FIELDS], raw_r[FIELDS], raw_n[DIM], raw_x[DIM], t, value[results];                          \
        load_fields(raw_l, a->arguments, e, 0, FIELDS);                                                            \
        load_fields(raw_r, a->arguments, e, FIELDS, FIELDS);                                                   \
        load_fields(raw_n, a->arguments, e, 2 * FIELDS, DIM);                                                      \
        load_fields(raw_x, a->arguments, e, 2 * FIELDS + DIM, DIM);                                                \
        load_fields(&t, a->arguments, e, 2 * FIELDS + 2 * DIM, 1);                                                 \
        const State l = law_state(raw_l), r = law_state(raw_r), u = l;                                                 \
        const Normal n = law_normal(raw_n);                                                                            \
        const Point x = law_point(raw_x);                                                                              \
        const real *const variable = raw_l;                                                                            \
        __VA_ARGS__;                                                                                                   \
        for (int i = 0; i < (results); ++i) {                                                                          \
            store(a->values + at(e, i, results), value[i]);                                                            \
        }                                                                                                              \
    }

/* The states that a case gives by formulas: CASE_STATES(X) lists them as X(number). */
#ifdef CASE_STATES
#define POINTWISE_STATE(k)                                                                                             \
    KERNEL_POINTWISE(pointwise_formulas_##k, PointwiseArguments, COMPONENTS,                                           \
                     law_components(value, law_formulas_##k(x, t)))
CASE_STATES(POINTWISE_STATE)
#endif
