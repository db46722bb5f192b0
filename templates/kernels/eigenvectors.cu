/* Characteristic variables of laws without formulas for them: L and R with L R = I and R diag(lambda) L = A,
 * A = d(F . n)/du at u, lambda as declared.
 *
 * Equal eigenvalues need no special case, nor do states at which formulas of eigenvectors are undefined: with known
 * eigenvalues, reflections bring A to the triangle T = Q' A Q, and any vector of an eigenspace serves for a
 * reflection (Schur's form; G. H. Golub & C. F. Van Loan, Matrix Computations, 4th edition, sections 7.1.3 and 7.6).
 * R = Q X removes the entries of T off its diagonal, X a triangle with ones on its diagonal and
 *
 *   x_ij = (t_ij + sum_{i < k < j} t_ik x_kj) / (lambda_j - lambda_i).
 *
 * Where two waves of A merge, as in a Jordan block, this is unbounded and there are not enough eigenvectors. The
 * code bounds X: these two waves stay coupled, L R = I still holds, and small changes of the state stay small.
 * First, rows and columns are balanced to a common size (E. E. Osborne, J. ACM 7 (1960) 338-345), so that units do
 * not matter. */
#define BALANCE_SWEEPS 3
#define WEAKEST 1e-3
#define MOST_COUPLED R(1e3)
/* The accuracy of declared eigenvalues, relative to the speed: a difference of squares under a root loses half of the
 * digits. */
#if LANES_SINGLE
#define EIGENVALUE_ROUNDING R(1e-3)
#else
#define EIGENVALUE_ROUNDING R(1e-7)
#endif

#define EIGENVECTORS 1

/* NVRTC would unroll all loops, and take ten times as long to compile. */
#ifdef __CUDACC__
#define ROLLED NO_UNROLL
#else
#define ROLLED
#endif

typedef struct {
    real to[COMPONENTS][COMPONENTS];   /* L, a row for each wave */
    real from[COMPONENTS][COMPONENTS]; /* R */
} Eigenvectors;

typedef real Matrix[COMPONENTS][COMPONENTS];

/* Row and column of the largest entry of a matrix's lower right part, from `first` on; none if all are below
 * `smallest`. */
typedef struct {
    mask row[COMPONENTS], column[COMPONENTS];
} Pivot;

/* in: a     inout: row_left, column_left, the rows and columns without a pivot     out: pivot */
DEVICE void find_pivot(Pivot *pivot, const Matrix a, mask row_left[COMPONENTS], mask column_left[COMPONENTS], int first,
                       real smallest)
{
    real largest = smallest, row = splat(R(-1.0)), column = splat(R(-1.0));
    NO_UNROLL
    for (int i = first; i < COMPONENTS; ++i) {
        real largest_of_row = smallest, place = splat(R(-1.0));
        ROLLED
        for (int j = first; j < COMPONENTS; ++j) {
            const real candidate = real_abs(a[i][j]);
            const mask better = column_left[j] & mask_of(candidate > largest_of_row);
            largest_of_row = select(better, candidate, largest_of_row);
            place = select(better, splat((scalar)j), place);
        }
        const mask better = row_left[i] & mask_of(largest_of_row > largest);
        largest = select(better, largest_of_row, largest);
        row = select(better, splat((scalar)i), row);
        column = select(better, place, column);
    }
    ROLLED
    for (int i = first; i < COMPONENTS; ++i) {
        pivot->row[i] = mask_of(row == splat((scalar)i));
        pivot->column[i] = mask_of(column == splat((scalar)i));
        row_left[i] = row_left[i] & not(pivot->row[i]);
        column_left[i] = column_left[i] & not(pivot->column[i]);
    }
}

/* A vector of length 1 in the null space of the matrix's lower right part, from `first` on, by elimination with
 * complete pivoting; pivots below `smallest` count as zero.     inout: a, overwritten     out: x, from `first` on */
DEVICE void null_vector(real x[COMPONENTS], Matrix a, int first, real smallest)
{
    Pivot pivots[COMPONENTS];
    mask row_left[COMPONENTS], column_left[COMPONENTS];
    ROLLED
    for (int i = first; i < COMPONENTS; ++i) {
        row_left[i] = column_left[i] = everywhere();
    }
    NO_UNROLL
    for (int step = first + 1; step < COMPONENTS; ++step) {
        Pivot *pivot = &pivots[step];
        find_pivot(pivot, a, row_left, column_left, first, smallest);
        real row[COMPONENTS], value = splat(R(1.0));
        ROLLED
        for (int j = first; j < COMPONENTS; ++j) {
            row[j] = splat(R(0.0));
        }
        NO_UNROLL
        for (int i = first; i < COMPONENTS; ++i) {
            ROLLED
            for (int j = first; j < COMPONENTS; ++j) {
                row[j] = select(pivot->row[i], a[i][j], row[j]);
            }
        }
        ROLLED
        for (int j = first; j < COMPONENTS; ++j) {
            value = select(pivot->column[j], row[j], value);
        }
        const real inverse = real_reciprocal(value);
        NO_UNROLL
        for (int i = first; i < COMPONENTS; ++i) {
            real factor = splat(R(0.0));
            ROLLED
            for (int j = first; j < COMPONENTS; ++j) {
                factor = select(pivot->column[j], a[i][j], factor);
            }
            /* The pivot's row is divided by the pivot; a multiple of it is subtracted from the others. */
            factor = select(pivot->row[i], R(1.0) - inverse, factor * inverse);
            ROLLED
            for (int j = first; j < COMPONENTS; ++j) {
                a[i][j] -= factor * row[j];
            }
        }
    }
    /* The first column without a pivot is free. */
    mask none_before = everywhere();
    ROLLED
    for (int j = first; j < COMPONENTS; ++j) {
        x[j] = select(none_before & column_left[j], splat(R(1.0)), splat(R(0.0)));
        none_before = none_before & not(column_left[j]);
    }
    real square = splat(R(1.0)), along[COMPONENTS];
    NO_UNROLL
    for (int i = first; i < COMPONENTS; ++i) {
        along[i] = splat(R(0.0));
        ROLLED
        for (int j = first; j < COMPONENTS; ++j) {
            along[i] -= x[j] * a[i][j];
        }
        along[i] = select(row_left[i], splat(R(0.0)), along[i]);
        square += along[i] * along[i];
    }
    NO_UNROLL
    for (int step = first + 1; step < COMPONENTS; ++step) {
        real value = splat(R(0.0));
        ROLLED
        for (int i = first; i < COMPONENTS; ++i) {
            value = select(pivots[step].row[i], along[i], value);
        }
        ROLLED
        for (int j = first; j < COMPONENTS; ++j) {
            x[j] = select(pivots[step].column[j], value, x[j]);
        }
    }
    const real scale = real_reciprocal(real_sqrt(square));
    ROLLED
    for (int j = first; j < COMPONENTS; ++j) {
        x[j] *= scale;
    }
}

/* Brings the rows and columns of A to a common size.
 *     inout: a     out: scale, of each variable     in: speed, the size for a row or column of zeros */
DEVICE void balance(Matrix a, real scale[COMPONENTS], real speed)
{
    NO_UNROLL
    for (int i = 0; i < COMPONENTS; ++i) {
        scale[i] = splat(R(1.0));
    }
    NO_UNROLL
    for (int k = 0; k < BALANCE_SWEEPS * COMPONENTS; ++k) {
        const int i = k % COMPONENTS;
        real row = splat(R(0.0)), column = splat(R(0.0));
        ROLLED
        for (int j = 0; j < COMPONENTS; ++j) {
            row += j == i ? splat(R(0.0)) : real_abs(a[i][j]);
            column += j == i ? splat(R(0.0)) : real_abs(a[j][i]);
        }
        const mask down = mask_of(row > R(0.0)), up = mask_of(column > R(0.0));
        const real ratio = select(down, row, speed) * real_reciprocal(select(up, column, speed));
        /* If the product of both is negligible, their ratio is not used. */
        const mask both = mask_of(row * column > R(WEAKEST * WEAKEST) * speed * speed);
        const mask one = (down & not(up)) | (up & not(down));
        const real factor = select(both, real_sqrt(ratio), select(one, ratio, splat(R(1.0))));
        const real inverse = real_reciprocal(factor);
        ROLLED
        for (int j = 0; j < COMPONENTS; ++j) {
            a[i][j] *= inverse;
        }
        ROLLED
        for (int j = 0; j < COMPONENTS; ++j) {
            a[j][i] *= factor;
        }
        scale[i] *= factor;
    }
}

/* in: u, n     out: found */
DEVICE void find_eigenvectors(Eigenvectors *found, State u, Normal n)
{
    Matrix t, x;
    real lambda[COMPONENTS], scale[COMPONENTS];
    law_eigenvalues(lambda, u, n);
    real least = lambda[0], most = lambda[0];
    ROLLED
    for (int k = 1; k < COMPONENTS; ++k) {
        least = real_min(least, lambda[k]);
        most = real_max(most, lambda[k]);
    }
    const real spread = R(0.5) * (most - least), fastest = real_max(real_abs(least), real_abs(most));
    const real speed = select(mask_of(spread > R(0.0)), spread,
                              select(mask_of(fastest > R(0.0)), fastest, splat(R(1.0))));
    const real smallest = EIGENVALUE_ROUNDING * speed;

    NO_UNROLL
    for (int j = 0; j < COMPONENTS; ++j) {
        real unit[COMPONENTS], change[COMPONENTS];
        ROLLED
        for (int i = 0; i < COMPONENTS; ++i) {
            unit[i] = splat(i == j ? R(1.0) : R(0.0));
        }
        law_components(change, law_normal_flux_change(u, law_change(unit), n));
        ROLLED
        for (int i = 0; i < COMPONENTS; ++i) {
            t[i][j] = change[i];
        }
    }
    balance(t, scale, speed);

    /* found->from is Q. */
    NO_UNROLL
    for (int i = 0; i < COMPONENTS; ++i) {
        ROLLED
        for (int j = 0; j < COMPONENTS; ++j) {
            found->from[i][j] = splat(i == j ? R(1.0) : R(0.0));
        }
    }
    NO_UNROLL
    for (int k = 0; k + 1 < COMPONENTS; ++k) {
        real v[COMPONENTS];
        ROLLED
        for (int i = k; i < COMPONENTS; ++i) {
            ROLLED
            for (int j = k; j < COMPONENTS; ++j) {
                x[i][j] = i == j ? t[i][j] - lambda[k] : t[i][j];
            }
        }
        null_vector(v, x, k, smallest);
        /* The reflection that takes v to axis k, I - h v v'. */
        const real side = select(mask_of(v[k] < R(0.0)), splat(R(-1.0)), splat(R(1.0)));
        v[k] += side;
        const real h = real_reciprocal(real_abs(v[k]));
        ROLLED
        for (int j = k; j < COMPONENTS; ++j) {
            real product = splat(R(0.0));
            ROLLED
            for (int i = k; i < COMPONENTS; ++i) {
                product += v[i] * t[i][j];
            }
            ROLLED
            for (int i = k; i < COMPONENTS; ++i) {
                t[i][j] -= h * product * v[i];
            }
        }
        ROLLED
        for (int i = 0; i < COMPONENTS; ++i) {
            real product = splat(R(0.0)), product_q = splat(R(0.0));
            ROLLED
            for (int j = k; j < COMPONENTS; ++j) {
                product += t[i][j] * v[j];
                product_q += found->from[i][j] * v[j];
            }
            ROLLED
            for (int j = k; j < COMPONENTS; ++j) {
                t[i][j] -= h * product * v[j];
                found->from[i][j] -= h * product_q * v[j];
            }
        }
    }

    NO_UNROLL
    for (int j = 1; j < COMPONENTS; ++j) {
        ROLLED
        for (int i = j - 1; i >= 0; --i) {
            real coupling = t[i][j];
            ROLLED
            for (int k = i + 1; k < j; ++k) {
                coupling += t[i][k] * x[k][j];
            }
            const real distance = lambda[j] - lambda[i], size = real_abs(coupling),
                room = MOST_COUPLED * real_abs(distance);
            const mask is_one = mask_of(real_abs(distance) <= R(10.0) * smallest), bounded = mask_of(size <= room);
            const real quotient = coupling * real_reciprocal(select(is_one, splat(R(1.0)), distance));
            const real beyond = MOST_COUPLED * MOST_COUPLED * distance
                * real_reciprocal(select(bounded, splat(R(1.0)), coupling));
            x[i][j] = select(is_one, splat(R(0.0)), select(bounded, quotient, beyond));
        }
    }

    /* L = X^-1 Q' and R = Q X, in the law's units. */
    NO_UNROLL
    for (int i = COMPONENTS - 1; i >= 0; --i) {
        ROLLED
        for (int c = 0; c < COMPONENTS; ++c) {
            real value = found->from[c][i] * real_reciprocal(scale[c]);
            ROLLED
            for (int k = i + 1; k < COMPONENTS; ++k) {
                value -= x[i][k] * found->to[k][c];
            }
            found->to[i][c] = value;
        }
    }
    NO_UNROLL
    for (int j = COMPONENTS - 1; j >= 0; --j) {
        ROLLED
        for (int c = 0; c < COMPONENTS; ++c) {
            real value = found->from[c][j];
            ROLLED
            for (int k = 0; k < j; ++k) {
                value += found->from[c][k] * x[k][j];
            }
            found->from[c][j] = value * scale[c];
        }
    }
}

DEVICE void multiply(real w[COMPONENTS], const Matrix a, const real v[COMPONENTS])
{
    NO_UNROLL
    for (int i = 0; i < COMPONENTS; ++i) {
        real sum = splat(R(0.0));
        ROLLED
        for (int j = 0; j < COMPONENTS; ++j) {
            sum += a[i][j] * v[j];
        }
        w[i] = sum;
    }
}

DEVICE void find_along(Eigenvectors *found, State u, int direction)
{
    real n[DIM];
    ROLLED
    for (int d = 0; d < DIM; ++d) {
        n[d] = splat(d == direction ? R(1.0) : R(0.0));
    }
    find_eigenvectors(found, u, law_normal(n));
}

/* w = L(u) v: the characteristic variables of a change v of the state. */
DEVICE void law_to_characteristic(real w[COMPONENTS], const real v[COMPONENTS], State u, int direction)
{
    Eigenvectors waves;
    find_along(&waves, u, direction);
    multiply(w, waves.to, v);
}

/* v = R(u) w: the change of the state that has these characteristic variables. */
DEVICE void law_from_characteristic(real v[COMPONENTS], const real w[COMPONENTS], State u, int direction)
{
    Eigenvectors waves;
    find_along(&waves, u, direction);
    multiply(v, waves.from, w);
}
