/* The moment limiter for products of Legendre polynomials: along each axis the coefficient of degree i is bounded by
 * the differences, to the neighbours on both sides, of the coefficients of a degree less,
 *
 *   u_i <- minmod(u_i, s_i (u_(i-1)^right - u_(i-1)), s_i (u_(i-1) - u_(i-1)^left)),
 *
 * for every degree j along the other axis, from the highest i downwards. A share of u_i that is kept is kept of all
 * lower degrees, too: where the highest one stays as it is, so do all, and smooth extrema keep their order. Neighbours'
 * coefficients are turned to the element's own axes and scaled by the ratios of lengths, so that neither the numbering
 * of corners nor a grading matters. A neighbour in another section, a triangle for example, has no such coefficients:
 * its derivatives along the element's axes stand for them, up to one order less than the degree as on triangles. What
 * those would be compared with beyond that order, products such as x^p y, is no part of a polynomial of degree p, and
 * is limited as if it did not grow towards that side.
 *
 * The limited variables are the components of the state or, with LIMIT_CHARACTERISTIC, its characteristic variables
 * along the axis. From degree 2 on those that stay in the range of the means are left as they are, and others are
 * limited little by little, see limiter_share.cu: fully limited, the Mach stem of a double reflection bends at the wall
 * (docs/notes/limiters.md).
 *
 * L. Krivodonova, J. Comput. Phys. 226 (2007) 879-896, sections 3 and 4, with the largest of the factors s_i that are
 * allowed there; shares instead of "stop at the first that stays", which rounding would decide. */

/* This share of the coefficient of a degree less is never limited, from degree 2 on: where both vanish, rounding would
 * decide. */
#define MOMENT_SLACK 1e-1

typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const int *neighbours;          /* in: [FACES] per element */
    const int *corners;             /* in, optional: [CORNERS] per element; where there are several sections, see
                                     * LimitArguments */
    const int *around;              /* in, optional: [valence] per vertex; likewise */
    long long valence;              /* in */
    const scalar *troubled;         /* in, optional: [1] per element; of all sections */
    scalar *derivatives;            /* out, optional: [MESH_DERIVATIVES][COMPONENTS] per element; where a
                                     * mesh has several sections: the means of derivatives, by orders, and then by how
                                     * often they are along y */
    scalar *moments;                /* out: [MOMENTS][COMPONENTS] per element; the coefficients, where a limiter reads
                                     * them */
} MomentsArguments;

#ifdef SEVERAL_SECTIONS
/* The derivatives of order n along two axes, as [0, n] those that are more and more often along the second one, become
 * their derivatives along a direction, of order n - 1 in the same way: d = along[0] d_0 + along[1] d_1.
 *     inout: tensor */
DEVICE void contract(real tensor[LINES], int n, const real along[DIM])
{
    for (int i = 0; i < n; ++i) {
        tensor[i] = along[0] * tensor[i] + along[1] * tensor[i + 1];
    }
}

/* The means of the derivatives of a component along x and y up to the order ORDER - 1, with the map of the middle. */
DEVICE void store_derivatives(const MomentsArguments *a, long long e, int c)
{
    real inverse[DIM][DIM];
    load_inverse(inverse, a->inverse_jacobian, e);
    const real along[DIM][DIM] = {{inverse[0][0], inverse[1][0]}, {inverse[0][1], inverse[1][1]}};
    for (int n = 0; n < ORDER || n == 0; ++n) {
        real means[LINES];
        for (int k = 0; k <= n; ++k) {
            means[k] = splat(R(0.0));
            for (int i = n - k; i <= ORDER; ++i) {
                for (int j = k; j <= ORDER; ++j) {
                    const scalar mean = line_mean_derivative[n - k][i] * line_mean_derivative[k][j];
                    means[k] += mean * load(a->u + at(e, c * BASIS + PRODUCT(i, j), COMPONENTS * BASIS));
                }
            }
        }
        for (int k = 0; k <= n; ++k) {
            real tensor[LINES];
            for (int i = 0; i <= n; ++i) {
                tensor[i] = means[i];
            }
            for (int left = n; left > 0; --left) {
                contract(tensor, left, along[left > k ? 0 : 1]);
            }
            store(a->derivatives + at(e, (n * (n + 1) / 2 + k) * COMPONENTS + c, MESH_DERIVATIVES * COMPONENTS),
                  tensor[0]);
        }
    }
}
#endif

KERNEL(moments, MomentsArguments)
{
#if defined(INDICATOR) && defined(SEVERAL_SECTIONS)
    /* Elements of other shapes read those around vertices. */
    if (!any(is_around_trouble(a->troubled, a->corners, a->around, a->valence, e))) {
        return;
    }
#elif defined(INDICATOR)
    if (!any(is_beside_trouble(a->troubled, a->neighbours, e, e))) {
        return;
    }
#endif
#ifdef SEVERAL_SECTIONS
    for (int c = 0; c < COMPONENTS; ++c) {
        store_derivatives(a, e, c);
    }
#endif
    for (int c = 0; c < COMPONENTS; ++c) {
        for (int j = 0; j < BASIS; ++j) {
            store(a->moments + at(e, j * COMPONENTS + c, MOMENTS * COMPONENTS),
                  load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS)));
        }
    }
}

/* The neighbour across a face, along the axes of the element itself. */
typedef struct {
    ints element;      /* the first one of the section where it is of another section */
    mask none;         /* on a boundary */
#ifdef SEVERAL_SECTIONS
    mask elsewhere;    /* it is of another section */
    ints place;        /* its number among the elements of all */
    real spacing;      /* see LimitArguments */
#endif
    mask crosswise;    /* its first axis is the element's second one */
    mask against[DIM]; /* its axis along this axis points the other way */
    real ratio[DIM];   /* the element's length along this axis, divided by the neighbour's */
    int face;          /* the element's */
} Beside;

/* The face on the left (0) or right (1) side along an axis. */
DEVICE int face_beside(int axis, int side) { return axis == 0 ? (side == 0 ? 3 : 1) : (side == 0 ? 0 : 2); }

/* The squared length along an axis, of d x / d xi = adj(d xi / d x) / det(d xi / d x).     in: inverse, d xi / d x */
DEVICE real squared_length(const real inverse[DIM][DIM], int axis)
{
    const real determinant = inverse[0][0] * inverse[1][1] - inverse[0][1] * inverse[1][0];
    const real x = inverse[1 - axis][0], y = inverse[1 - axis][1];
    return (x * x + y * y) * real_reciprocal(determinant * determinant);
}

DEVICE void find_beside(Beside *beside, const LimitArguments *a, long long e, int face)
{
    const ints neighbour = load_ints(a->neighbours + at(e, face, FACES));
    beside->face = face;
    beside->none = mask_of(neighbour < 0);
    const ints inner = select_ints(beside->none, 0 * neighbour, neighbour);
    beside->element = inner / FACES;
#ifdef SEVERAL_SECTIONS
    beside->place = beside->element;
    beside->elsewhere = is_elsewhere(beside->place, a->first, a->elements) & not(beside->none);
    const mask is_here = not(beside->elsewhere | beside->none);
    beside->element = select_ints(is_here, beside->place - (int)a->first, 0 * beside->place);
    beside->spacing = load(a->spacing + at(e, face, FACES));
#endif
    /* Both go round counterclockwise, so that one axis turned by this many right angles is the other. */
    const ints turns = (face + FACES + 2 - (inner - inner / FACES * FACES)) % FACES;
    beside->crosswise = mask_of(turns % 2 == 1);
    beside->against[0] = mask_of(turns == 1) | mask_of(turns == 2);
    beside->against[1] = mask_of(turns == 2) | mask_of(turns == 3);
    real own[DIM][DIM], other[DIM][DIM];
    load_inverse(own, a->inverse_jacobian, e);
    gather_inverse(other, a->inverse_jacobian, beside->element);
    for (int d = 0; d < DIM; ++d) {
        const real length = select(beside->crosswise, squared_length(other, 1 - d), squared_length(other, d));
        beside->ratio[d] = real_sqrt(squared_length(own, d) * real_reciprocal(length));
    }
}

/* The coefficient of phi_i in the first direction and phi_j in the second of the neighbour.     out: value */
DEVICE void coefficient_beside(real value[COMPONENTS], const LimitArguments *a, const Beside *beside, long long e,
                               int i, int j)
{
    real factor = splat(R(1.0));
    for (int k = 0; k < i; ++k) {
        factor *= select(beside->against[0], -beside->ratio[0], beside->ratio[0]);
    }
    for (int k = 0; k < j; ++k) {
        factor *= select(beside->against[1], -beside->ratio[1], beside->ratio[1]);
    }
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const real straight = gather(a->moments,
                                     at_lanes(beside->element, PRODUCT(i, j) * COMPONENTS + c, MOMENTS * COMPONENTS));
        const real turned = gather(a->moments,
                                   at_lanes(beside->element, PRODUCT(j, i) * COMPONENTS + c, MOMENTS * COMPONENTS));
        value[c] = factor * select(beside->crosswise, turned, straight);
    }
#ifdef VECTORS
    turn_back(value, a->links, a->turns, e, beside->face);
#endif
}

#ifdef SEVERAL_SECTIONS
/* The same of elements in any section, from means of derivatives: that of a polynomial of degrees i and j whose
 * derivative along the axes of element e, i times and j times, has the same mean; 0 where no element has such
 * derivatives.     in: place, among all     out: value */
DEVICE void coefficient_by_derivatives(real value[COMPONENTS], const LimitArguments *a, ints place, long long e, int i,
                                       int j)
{
    real inverse[DIM][DIM];
    load_inverse(inverse, a->inverse_jacobian, e);
    const real reciprocal = real_reciprocal(inverse[0][0] * inverse[1][1] - inverse[0][1] * inverse[1][0]);
    const real along[DIM][DIM] = {{inverse[1][1] * reciprocal, -inverse[1][0] * reciprocal},
                                  {-inverse[0][1] * reciprocal, inverse[0][0] * reciprocal}};
    const int n = i + j;
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = splat(R(0.0));
        if (n < ORDER) {
            real tensor[LINES];
            for (int k = 0; k <= n; ++k) {
                tensor[k] = gather(a->derivatives,
                                   at_lanes(place, (n * (n + 1) / 2 + k) * COMPONENTS + c,
                                   MESH_DERIVATIVES * COMPONENTS));
            }
            for (int left = n; left > 0; --left) {
                contract(tensor, left, along[left > i ? 1 : 0]);
            }
            value[c] = tensor[0] / (line_mean_derivative[i][i] * line_mean_derivative[j][j]);
        }
    }
}
#endif

/* How much the coefficient of phi_i in the first direction and phi_j in the second grows along an axis towards a
 * neighbour, in a length of the element.     out: growth */
DEVICE void growth_towards(real growth[COMPONENTS], const LimitArguments *a, const Beside *beside, long long e,
                           int axis, int i, int j)
{
    coefficient_beside(growth, a, beside, e, i, j);
    /* Twice the length over the distance of the middles. */
    const real share = R(2.0) * beside->ratio[axis] * real_reciprocal(R(1.0) + beside->ratio[axis]);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        growth[c] = share
            * (growth[c] - load(a->moments + at(e, PRODUCT(i, j) * COMPONENTS + c, MOMENTS * COMPONENTS)));
    }
#ifdef SEVERAL_SECTIONS
    if (any(beside->elsewhere)) {
        real there[COMPONENTS], here[COMPONENTS];
        coefficient_by_derivatives(there, a, beside->place, e, i, j);
        coefficient_by_derivatives(here, a, lane_numbers(e) + (int)a->first, e, i, j);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            growth[c] = select(beside->elsewhere, beside->spacing * (there[c] - here[c]), growth[c]);
        }
    }
#endif
}

/* What an element is compared with along an axis. */
typedef struct {
    Beside beside[2];
    Frame frame;
    real rounding[COMPONENTS]; /* of the limited variables */
    real share[COMPONENTS];    /* by which each of them is limited */
} Surroundings;

#if ORDER > 1
/* Extends the range of the means by that of a neighbour, as limited variables.     inout: least, most */
DEVICE void extend_beside(real least[COMPONENTS], real most[COMPONENTS], const LimitArguments *a, const Beside *beside,
                          long long e, const Frame *frame)
{
    real mean[COMPONENTS];
    coefficient_beside(mean, a, beside, e, 0, 0);
#ifdef SEVERAL_SECTIONS
    real elsewhere[COMPONENTS];
    coefficient_by_derivatives(elsewhere, a, beside->place, e, 0, 0);
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = select(beside->elsewhere, elsewhere[c], mean[c]);
    }
#endif
    to_limited(mean, frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        least[c] = select(beside->none, least[c], real_min(least[c], mean[c]));
        most[c] = select(beside->none, most[c], real_max(most[c], mean[c]));
    }
}
#endif

/* An own coefficient before the limiter, as limited variables.     out: value */
DEVICE void own_moment(real value[COMPONENTS], const LimitArguments *a, long long e, int n, const Frame *frame)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = load(a->moments + at(e, n * COMPONENTS + c, MOMENTS * COMPONENTS));
    }
    to_limited(value, frame);
}

DEVICE void find_surroundings(Surroundings *around, const real u[FIELDS][BASIS], State mean, const LimitArguments *a,
                              long long e, int axis)
{
    real inverse[DIM][DIM];
    load_inverse(inverse, a->inverse_jacobian, e);
    around->frame = frame_along(mean, inverse[axis]);
    law_components(around->rounding, mean);
    to_limited(around->rounding, &around->frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        around->rounding[c] = R(MOMENT_ROUNDING) * real_abs(around->rounding[c]);
    }
    for (int side = 0; side < 2; ++side) {
        find_beside(&around->beside[side], a, e, face_beside(axis, side));
    }
#if ORDER > 1
    real own[COMPONENTS], least[COMPONENTS], most[COMPONENTS];
    own_moment(own, a, e, 0, &around->frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        least[c] = most[c] = own[c];
    }
    NO_UNROLL
    for (int face = 0; face < FACES; ++face) {
        Beside beside;
        find_beside(&beside, a, e, face);
        extend_beside(least, most, a, &beside, e, &around->frame);
    }
    share_outside(around->share, u, own, least, most, &around->frame);
#else
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        around->share[c] = splat(R(1.0));
    }
#endif
}

/* Bounds the coefficient of degree i along an axis, and j along the other, where the element is troubled.
 *     inout: u; kept, the share of each limited variable that is kept     out: whether it changed */
DEVICE mask limit_along(real u[FIELDS][BASIS], real kept[COMPONENTS], int axis, int i, int j, mask troubled,
                        const Surroundings *around, const LimitArguments *a, long long e)
{
    const int n = axis == 0 ? PRODUCT(i, j) : PRODUCT(j, i), lower = axis == 0 ? PRODUCT(i - 1, j) : PRODUCT(j, i - 1);
    const Frame *frame = &around->frame;
    real before[COMPONENTS], slack[COMPONENTS], least[COMPONENTS], most[COMPONENTS], limited[COMPONENTS];
    own_moment(before, a, e, n, frame);
    own_moment(slack, a, e, lower, frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        slack[c] = around->rounding[c] + (i > 1 ? R(MOMENT_SLACK) * real_abs(slack[c]) : splat(R(0.0)));
        least[c] = splat(R(-1e30));
        most[c] = splat(R(1e30));
        limited[c] = u[c][n];
    }
    to_limited(limited, frame);
    for (int side = 0; side < 2; ++side) {
        const Beside *beside = &around->beside[side];
        real difference[COMPONENTS];
        growth_towards(difference, a, beside, e, axis, axis == 0 ? i - 1 : j, axis == 0 ? j : i - 1);
        const scalar scale = (side == 0 ? -end_of_line[i - 1] : end_of_line[i - 1]) / end_of_line[i];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            difference[c] *= scale;
        }
        to_limited(difference, frame);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            least[c] = select(beside->none, least[c], real_max(least[c], difference[c]));
            most[c] = select(beside->none, most[c], real_min(most[c], difference[c]));
        }
    }
    mask changed = nowhere();
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        const real below = real_min(least[c], splat(R(0.0))) - slack[c],
            above = real_max(most[c], splat(R(0.0))) + slack[c];
        const real bound = select(before[c] > R(0.0), above, -below), size = real_abs(before[c]);
        /* Written so that nothing is kept of NaN. */
        const real share = select(size <= bound, splat(R(1.0)), bound * real_reciprocal(size));
        kept[c] = real_max(kept[c], share);
        const real extent = kept[c] * size;
        real from = real_min(below, -extent), to = real_max(above, extent);
        /* So far the coefficient may go on to leave them. Ranges of both axes give the same in any order. */
        const real left = R(1.0) - around->share[c];
        to += select(before[c] > to, left * (before[c] - to), splat(R(0.0)));
        from -= select(before[c] < from, left * (from - before[c]), splat(R(0.0)));
        const real inside = select(limited[c] > to, to, select(limited[c] >= from, limited[c], from));
        changed = changed | (troubled & mask_of(around->share[c] > R(0.0)) & not(inside == limited[c]));
        limited[c] = select(around->share[c] > R(0.0), inside, limited[c]);
    }
    from_limited(limited, frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        u[c][n] = select(changed, limited[c], u[c][n]);
    }
    return changed;
}

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask limit_variation(real u[FIELDS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    const State mean = mean_state(u, a->basis_integrals, e);
    real start[FIELDS][BASIS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            start[c][j] = u[c][j];
        }
    }
    mask limited = nowhere();
    NO_UNROLL
    for (int axis = 0; axis < DIM; ++axis) {
        Surroundings around;
        find_surroundings(&around, start, mean, a, e, axis);
        NO_UNROLL
        for (int j = 0; j <= ORDER; ++j) {
            real kept[COMPONENTS];
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                kept[c] = splat(R(0.0));
            }
            NO_UNROLL
            for (int i = ORDER; i > 0; --i) {
                limited = limited | limit_along(u, kept, axis, i, j, troubled, &around, a, e);
            }
        }
    }
    return limited;
}
