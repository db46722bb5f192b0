/* Quantities that a case measures: formulas of the law's fields, position and time, which law_quantities computes. */
#ifdef QUANTITIES
typedef struct {
    const scalar *u;               /* in: [COMPONENTS][BASIS] per element of the section; coefficients */
    const scalar *medium;          /* in, optional: [1] per element of the section; coefficients, see medium.cu */
    const int *point_elements;     /* in: [1] per element; of every point: its element */
    const scalar *point_basis;     /* in: [BASIS] per element; of every point: the basis functions there */
    const scalar *point_slopes;    /* in, optional: [DIM][BASIS] per element; of every point: the derivatives of the
                                    * basis functions by x_d; read where an output takes the gradient */
    const scalar *point_positions; /* in: [DIM] per element; of every point */
    scalar *quantities;            /* out: [numbers]; columns, one for each quantity */
    double time;                   /* in */
    long long numbers;             /* in; those of all columns */
    long long stride;              /* in; the distance of two columns */
} AtPointsArguments;

/* At points. */
KERNEL(quantities_at_points, AtPointsArguments)
{
    real phi[BASIS], x[DIM], value[QUANTITIES];
    UNROLL
    for (int j = 0; j < BASIS; ++j) {
        phi[j] = load(a->point_basis + at(e, j, BASIS));
    }
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        x[d] = load(a->point_positions + at(e, d, DIM));
    }
    const ints element = load_ints(a->point_elements + at(e, 0, 1));
    Sample sample;
    sample.state = state_in(a->u, a->medium, element, phi);
#ifdef GRADIENT_OUTPUTS
    NO_UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            phi[j] = load(a->point_slopes + at(e, d * BASIS + j, DIM * BASIS));
        }
        law_components(sample.slope[d], state_in(a->u, a->medium, element, phi));
    }
#endif
    law_quantities(value, sample, law_point(x), splat((scalar)a->time));
    for (int q = 0; q < QUANTITIES; ++q) {
        store(a->quantities + q * a->stride + e, value[q]);
    }
}

typedef struct {
    const scalar *u;            /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *medium;       /* in, optional: [1] per element; coefficients, see medium.cu */
    const scalar *map;          /* in: [MAP] per element */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element; read where MAP_DEGREE is not 0 */
    const scalar *determinants; /* in: [1] per element; det J */
    const int *region;          /* in: [1] per element; 1 where the element counts, else 0 */
    scalar *columns;            /* out: [3 * COMPONENTS][stride]; columns of [COMPONENTS] quantities: integrals, minima
                                 * and maxima */
    int *extreme_nodes;         /* out: [numbers]; [QUANTITIES][2] per element: the first node with the minimum and with
                                 * the maximum */
    double time;                /* in */
    long long first;            /* in; the first of the quantities */
    long long numbers;          /* in */
    long long stride;           /* in; the distance of two columns */
} InRegionArguments;

/* Over a region: integrals with the fine quadrature, and extremes at the Lagrange nodes, as files have them. */
KERNEL(quantities_in_region, InRegionArguments)
{
    const real time = splat((scalar)a->time), unbounded = splat(R(1.0) / R(0.0));
    const ints region = load_ints(a->region + at(e, 0, 1));
    const mask counts = mask_of(region != 0);
    real integral[QUANTITIES], least[QUANTITIES], largest[QUANTITIES];
    ints at_least[QUANTITIES], at_largest[QUANTITIES];
    Sampled sampled;
    load_coefficients(sampled.u, a->u, a->medium, e);
    find_slopes(&sampled);
    for (int q = 0; q < QUANTITIES; ++q) {
        integral[q] = splat(R(0.0));
        least[q] = unbounded;
        largest[q] = -unbounded;
        at_least[q] = at_largest[q] = 0 * region;
    }
#if MAP_DEGREE > 0
    Determinant of_map;
    load_determinant(&of_map, a->map, e);
#else
    const real det_j = determinant(a->determinants, e);
#endif
    NO_UNROLL
    for (int i = 0; i < FINE_POINTS; ++i) {
        real value[QUANTITIES];
        law_quantities(value, sample_at(&sampled, basis_at_fine[i], a->map, e, fine_points[i]),
                       position(a->map, e, fine_points[i]), time);
#if MAP_DEGREE > 0
        const real det_j = determinant_at(&of_map, fine_points[i]);
#endif
        for (int q = 0; q < QUANTITIES; ++q) {
            integral[q] += fine_weights[i] * det_j * value[q];
        }
    }
#if ADMISSIBLE > 0 && ORDER > 0
    make_nodes_admissible(sampled.u, a->basis_integrals, e);
    find_slopes(&sampled);
#endif
    NO_UNROLL
    for (int s = 0; s < SAMPLE_POINTS; ++s) {
        real value[QUANTITIES];
        law_quantities(value, sample_at(&sampled, basis_at_sample[s], a->map, e, sample_points[s]),
                       position(a->map, e, sample_points[s]), time);
        for (int q = 0; q < QUANTITIES; ++q) {
            at_least[q] = select_ints(value[q] < least[q], 0 * region + s, at_least[q]);
            at_largest[q] = select_ints(value[q] > largest[q], 0 * region + s, at_largest[q]);
            largest[q] = largest_or_nan(largest[q], value[q]);
            least[q] = -largest_or_nan(-least[q], -value[q]);
        }
    }
    for (int q = 0; q < QUANTITIES; ++q) {
        store_ints(a->extreme_nodes + at(e, 2 * q, 2 * QUANTITIES), at_least[q]);
        store_ints(a->extreme_nodes + at(e, 2 * q + 1, 2 * QUANTITIES), at_largest[q]);
        const long long column = q - a->first;
        if (column >= 0 && column < COMPONENTS) {
            store(a->columns + column * a->stride + e, select(counts, integral[q], splat(R(0.0))));
            store(a->columns + (COMPONENTS + column) * a->stride + e, select(counts, least[q], unbounded));
            store(a->columns + (2 * COMPONENTS + column) * a->stride + e, select(counts, largest[q], -unbounded));
        }
    }
}

typedef struct {
    const scalar *column;   /* in: [rows]; of the extremes of the section's elements */
    int *extreme_rows;      /* out: [partials] */
    double value;           /* in; the extreme */
    long long rows;         /* in */
    long long partials;     /* in; ceil(rows / REDUCTION) */
} FindExtremeArguments;

/* The first row of each part of a column with this value, `rows` if there is none. */
KERNEL_SCALAR(find_extreme, FindExtremeArguments)
{
    const scalar value = (scalar)a->value;
    long long found = a->rows;
    for (long long row = i; row < a->rows && found == a->rows; row += a->partials) {
        if (a->column[row] == value) {
            found = row;
        }
    }
    a->extreme_rows[i] = (int)found;
}
#endif
