/* A hierarchical limiter for polynomials of any degree: the part of degree q is multiplied by
 *
 *   alpha_q = max(alpha_(q + 1), min of the factors of all derivatives of order q - 1),
 *
 * where the factor of a derivative is the largest, at most 1, with which its linear part, on the way to every
 * corner, stays in the range of the means of the same derivative over all elements that meet there. So smooth
 * extrema, whose derivatives are monotone, stay as they are. From degree 2 on so does any variable that stays, at
 * the points of the scheme, in the range of the means around the element: a jump within an element is steep, and its
 * derivatives are no guide. A variable that leaves that range is limited little by little.
 *
 * The limited variables are the components of the state or, with LIMIT_CHARACTERISTIC, its characteristic variables
 * in the direction along which the first component varies most, at the mean.
 *
 * D. Kuzmin, J. Comput. Appl. Math. 233 (2010) 3077-3085, sections 4 and 5, with the parts of an orthogonal basis as in
 * D. Kuzmin, Int. J. Numer. Meth. Fluids 71 (2013) 1178-1190. */

/* The range must hold at this share of the way from the middle to a corner: with all of it, as in the paper,
 * contacts are wider (docs/notes/limiters.md). */
#if ORDER > 1
#define MOMENT_REACH 0.5
#else
#define MOMENT_REACH 0.577
#endif
/* A derivative may leave the range by this share of the variation of all derivatives of its order over the element:
 * where an extremum's isoline goes through a corner, room and variation nearly vanish there, and their quotient
 * would be arbitrary. */
#define MOMENT_SLACK 1e-2

/* Modes of a linear function. */
#define LINEAR (DIM + 1)

typedef struct {
    const scalar *u;                /* in: [COMPONENTS][BASIS] per element; coefficients */
    const scalar *inverse_jacobian; /* in: [METRIC_TERMS] per element */
    const int *corners;             /* in: [CORNERS] per element; see LimitArguments */
    const int *around;              /* in: [valence] per vertex */
    long long valence;              /* in */
    const scalar *troubled;         /* in, optional: [1] per element; of all sections */
    scalar *derivatives;            /* out, optional: [MESH_DERIVATIVES][COMPONENTS] per element; where a
                                     * mesh has several sections: the means of all derivatives, by orders, and then by
                                     * how often they are along y */
    scalar *moments;                /* out: [MOMENTS][COMPONENTS] per element; the linear parts of all derivatives,
                                     * where a limiter reads them: [DERIVATIVES][DIM + 1] */
} MomentsArguments;

/* The derivatives up to order ORDER - 1 of the solution, each as the linear part of its expansion. */
KERNEL(moments, MomentsArguments)
{
#ifdef INDICATOR
    if (!any(is_around_trouble(a->troubled, a->corners, a->around, a->valence, e))) {
        return;
    }
#endif
    real inverse[DIM][DIM];
    load_inverse(inverse, a->inverse_jacobian, e);
    NO_UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        real v[DERIVATIVES][BASIS];
        UNROLL
        for (int j = 0; j < BASIS; ++j) {
            v[0][j] = load(a->u + at(e, c * BASIS + j, COMPONENTS * BASIS));
        }
        for (int i = 1; i < DERIVATIVES; ++i) {
            for (int row = 0; row < BASIS; ++row) {
                v[i][row] = splat(R(0.0));
                for (int d = 0; d < DIM; ++d) {
                    real slope = splat(R(0.0));
                    /* Differentiation lowers the degree: the matrix is strictly upper triangular. */
                    for (int j = row + 1; j < BASIS; ++j) {
                        slope += derivative[d][row][j] * v[derivative_of[i]][j];
                    }
                    v[i][row] += inverse[d][derivative_along[i]] * slope;
                }
            }
        }
        for (int i = 0; i < DERIVATIVES; ++i) {
            UNROLL
            for (int m = 0; m < LINEAR; ++m) {
                store(a->moments + at(e, (i * LINEAR + m) * COMPONENTS + c, MOMENTS * COMPONENTS), v[i][m]);
            }
#ifdef SEVERAL_SECTIONS
            store(a->derivatives + at(e, i * COMPONENTS + c, MESH_DERIVATIVES * COMPONENTS), basis_mean[0] * v[i][0]);
#endif
        }
    }
}

/* The frame along which the linear part of the first component varies most. */
DEVICE Frame frame_of(State mean, const LimitArguments *a, long long e)
{
    real slope[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        slope[d] = splat(R(0.0));
    }
#if LIMIT_CHARACTERISTIC
    real inverse[DIM][DIM];
    load_inverse(inverse, a->inverse_jacobian, e);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            UNROLL
            for (int m = 1; m < LINEAR; ++m) {
                slope[d] += inverse[k][d] * linear_slope[k][m]
                    * load(a->moments + at(e, m * COMPONENTS, MOMENTS * COMPONENTS));
            }
        }
    }
#endif
    return frame_along(mean, slope);
}

/* The first mode of derivative i, which is its mean but for a factor, of elements around a vertex. */
DEVICE void gather_mean(real value[COMPONENTS], const LimitArguments *a, ints k, int i)
{
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
#ifdef SEVERAL_SECTIONS
        value[c] = gather(a->derivatives, at_lanes(k, i * COMPONENTS + c, MESH_DERIVATIVES * COMPONENTS))
            / basis_mean[0];
#else
        value[c] = gather(a->moments, at_lanes(k, i * LINEAR * COMPONENTS + c, MOMENTS * COMPONENTS));
#endif
    }
}

#ifdef VECTORS
/* The same in the frame of an element, which theirs becomes if it is turned by an angle: derivatives turn like products
 * of vectors, and the vectors among the components, too. */
DEVICE void gather_turned(real value[COMPONENTS], const LimitArguments *a, ints k, int i, real cosine, real sine)
{
    const int n = derivative_order[i], first = n * (n + 1) / 2;
    real tensor[ORDER + 1][COMPONENTS];
    for (int m = 0; m <= n; ++m) {
        gather_mean(tensor[m], a, k, first + m);
    }
    for (int left = n; left > 0; --left) {
        /* An axis of the element in their frame: as often the second as in derivative i. */
        const int second = left <= i - first;
        const real along_x = second ? sine : cosine, along_y = second ? cosine : -sine;
        for (int m = 0; m < left; ++m) {
            for (int c = 0; c < COMPONENTS; ++c) {
                tensor[m][c] = along_x * tensor[m][c] + along_y * tensor[m + 1][c];
            }
        }
    }
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        value[c] = tensor[0][c];
    }
    turn(value, cosine, sine);
}
#endif

/* The linear part of derivative i, as limited variables.     out: linear */
DEVICE void load_linear(real linear[LINEAR][COMPONENTS], const LimitArguments *a, long long e, int i,
                        const Frame *frame)
{
    UNROLL
    for (int m = 0; m < LINEAR; ++m) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            linear[m][c] = load(a->moments + at(e, (i * LINEAR + m) * COMPONENTS + c, MOMENTS * COMPONENTS));
        }
        to_limited(linear[m], frame);
    }
}

/* The variation of component c of a linear part from its mean, at MOMENT_REACH of the way to a corner. */
DEVICE real variation_at(const real linear[LINEAR][COMPONENTS], int corner, int c)
{
    real variation = splat(R(0.0));
    UNROLL
    for (int m = 1; m < LINEAR; ++m) {
        variation += linear_at_corner[corner][m] * linear[m][c];
    }
    return R(MOMENT_REACH) * variation;
}

/* Extends the range of a derivative's means by those of all elements that meet at a corner, as limited variables.
 *     inout: least, most */
DEVICE void extend_around(real least[COMPONENTS], real most[COMPONENTS], const LimitArguments *a, long long e,
                          int corner, int i, const Frame *frame)
{
    const ints vertex = load_ints(a->corners + at(e, corner, CORNERS));
#ifdef VECTORS
    const real cosine = load(a->corner_turns + at(e, 2 * corner, 2 * CORNERS));
    const real sine = load(a->corner_turns + at(e, 2 * corner + 1, 2 * CORNERS));
#endif
    for (int around = 0; around < (int)a->valence; ++around) {
        real other[COMPONENTS];
        const ints entry = vertex * (int)a->valence + around;
#ifdef VECTORS
        const real c = gather(a->around_turns, 2 * entry), s = gather(a->around_turns, 2 * entry + 1);
        gather_turned(other, a, gather_ints(a->around, entry), i, c * cosine + s * sine, s * cosine - c * sine);
#else
        gather_mean(other, a, gather_ints(a->around, entry), i);
#endif
        to_limited(other, frame);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            least[c] = real_min(least[c], other[c]);
            most[c] = real_max(most[c], other[c]);
        }
    }
}

#if ORDER > 1
/* See share_outside.     in: u     out: share */
DEVICE void find_share(real share[COMPONENTS], const real u[FIELDS][BASIS], const LimitArguments *a, long long e,
                       const Frame *frame)
{
    real mean[COMPONENTS], least[COMPONENTS], most[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = load(a->moments + at(e, c, MOMENTS * COMPONENTS));
    }
    to_limited(mean, frame);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        least[c] = most[c] = mean[c];
    }
    NO_UNROLL
    for (int corner = 0; corner < CORNERS; ++corner) {
        extend_around(least, most, a, e, corner, 0, frame);
    }
    share_outside(share, u, mean, least, most, frame);
}
#endif

/* Lowers the factor of every limited variable to that of derivative i.     inout: factor     in: slack, the excess over
 * the range of the means that each may have */
DEVICE void limit_derivative(real factor[COMPONENTS], const real slack[COMPONENTS], const LimitArguments *a,
                             long long e, int i, const Frame *frame)
{
    real linear[LINEAR][COMPONENTS];
    load_linear(linear, a, e, i, frame);
    NO_UNROLL
    for (int corner = 0; corner < CORNERS; ++corner) {
        real least[COMPONENTS], most[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            least[c] = most[c] = linear[0][c];
        }
        extend_around(least, most, a, e, corner, i, frame);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            const real variation = variation_at(linear, corner, c);
            const real above = basis_mean[0] * (most[c] - linear[0][c]) + slack[c];
            const real below = basis_mean[0] * (least[c] - linear[0][c]) - slack[c];
            const real room = select(variation > R(0.0), above, below);
            const real nonzero = select(variation == R(0.0), splat(R(1.0)), variation);
            const real share = real_min(room * real_reciprocal(nonzero), splat(R(1.0)));
            factor[c] = select(variation == R(0.0), factor[c], real_min(factor[c], share));
        }
    }
}

/* inout: u, where troubled     out: whether anything was limited */
DEVICE mask limit_variation(real u[FIELDS][BASIS], mask troubled, const LimitArguments *a, long long e, real time)
{
    const Frame frame = frame_of(mean_state(u, a->basis_integrals, e), a, e);
    real share[COMPONENTS];
    mask acts = nowhere();
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        share[c] = splat(R(1.0));
    }
#if ORDER > 1
    find_share(share, u, a, e, &frame);
#endif
    real alpha[COMPONENTS], smallest = splat(R(1.0));
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        share[c] = select(troubled, share[c], splat(R(0.0)));
        acts = acts | mask_of(share[c] > R(0.0));
        alpha[c] = splat(R(0.0));
    }
    if (!any(acts)) {
        return nowhere();
    }
    NO_UNROLL
    for (int q = ORDER; q > 0; --q) {
        real factor[COMPONENTS], slack[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            factor[c] = splat(R(1.0));
            slack[c] = splat(R(0.0));
        }
        for (int i = 0; i < DERIVATIVES; ++i) {
            if (derivative_order[i] == q - 1) {
                real linear[LINEAR][COMPONENTS];
                load_linear(linear, a, e, i, &frame);
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    /* Sums over all corners, so that their numbering does not matter. */
                    UNROLL
                    for (int corner = 0; corner < CORNERS; ++corner) {
                        slack[c] += R(MOMENT_SLACK) * real_abs(variation_at(linear, corner, c));
                    }
                    slack[c] += R(MOMENT_ROUNDING) * real_abs(linear[0][c]);
                }
            }
        }
        for (int i = 0; i < DERIVATIVES; ++i) {
            if (derivative_order[i] == q - 1) {
                limit_derivative(factor, slack, a, e, i, &frame);
            }
        }
        real kept[COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            alpha[c] = real_max(alpha[c], factor[c]);
            kept[c] = R(1.0) - share[c] * (R(1.0) - alpha[c]);
            smallest = real_min(smallest, kept[c]);
        }
        const mask limited = smallest < R(1.0);
        UNROLL
        for (int j = 1; j < BASIS; ++j) {
            if (basis_degree[j] == q) {
                real part[COMPONENTS];
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    part[c] = u[c][j];
                }
                to_limited(part, &frame);
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    part[c] *= kept[c];
                }
                from_limited(part, &frame);
                UNROLL
                for (int c = 0; c < COMPONENTS; ++c) {
                    u[c][j] = select(limited, part[c], u[c][j]);
                }
            }
        }
    }
    return smallest < R(1.0);
}
