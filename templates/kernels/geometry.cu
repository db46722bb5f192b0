/* The geometry of elements and faces. This file alone knows how the arrays of a mesh's geometry are laid out
 * (`stage.cu` prefetches whole patches of them);
 * `dg-runtime/src/solver/geometry.rs` writes them, and the numbers per item, such as MAP, are in `dg-contract`.
 *
 * Elements are affine, MAP_DEGREE 0, so that metric terms, normals and measures are the same at all points; or their
 * maps are polynomials of degree MAP_DEGREE, 1 for quadrilaterals with straight sides. Then the residual is integrated
 * with metric terms times det J, and divide_by_mass completes it:
 *
 *   inverse_jacobian   [METRIC_TERMS] per element: J^-1, [DIM][DIM]; in the middle if the element is not affine
 *   determinants       [1] per element: det J, or its mean
 *   map                [MAP] per element: the coefficients of the terms of EACH_MAP_TERM, [term][DIM]; if the element
 *                      is affine the origin and the columns of J
 *   inverse_mass       [MASS] per element, where it is kept: row by row the lower triangle of the inverse of the mass
 *                      matrix M_ij = int det J phi_i phi_j
 *   basis_integrals    [BASIS] per element that is not affine: int det J phi_j, with the quadrature of the mass matrix
 *   measures           [FACES] per element: |f| / det J
 *   crossings          [FACES] per element: the contribution of a wave of speed 1 to the bound on a step, see bound.cu
 *   face_geometry      [FACE_GEOMETRY] per face, patch by patch as [FACE_GEOMETRY][face]: the unit normal, outward from
 *                      the face's first side, [DIM], then |f| / det J of the elements on both sides, or twice |f| where
 *                      MAP_DEGREE is 1; where it is more, of every point the unit normal and |f|, [FACE_POINTS][DIM +
 *                      1]
 *   boundary_points    [FACE_POINTS][BOUNDARY_POINT] per boundary face: the body's own unit normal, [DIM], and the
 *                      position, [DIM] */

/* The coordinate of which terms of maps are powers; from the middle where there are many of them: they are less alike
 * there. */
#if MAP_DEGREE > 1
#define MAP_COORDINATE(xi) ((xi) - R(0.5))
#else
#define MAP_COORDINATE(xi) (xi)
#endif

/* 1, x, x^2, ..., as many as maps need */
#define MAP_POWERS (MAP_DEGREE > 1 ? MAP_DEGREE + 1 : 2)
DEVICE void powers(scalar power[MAP_POWERS], scalar x)
{
    power[0] = R(1.0);
    UNROLL
    for (int i = 1; i < MAP_POWERS; ++i) {
        power[i] = x * power[i - 1];
    }
}

/* The metric terms of an element, or the map that they come from. */
#if MAP_DEGREE > 0
typedef struct {
    real term[MAP / DIM][DIM];
} Metric;
#define METRIC_ARRAY map

/* out: metric, but for the origin */
DEVICE void load_metric(Metric *metric, const scalar *map, long long e)
{
    UNROLL
    for (int n = 1; n < MAP / DIM; ++n) {
        UNROLL
        for (int d = 0; d < DIM; ++d) {
            metric->term[n][d] = load(map + at(e, n * DIM + d, MAP));
        }
    }
}

/* out: j, d x_d / d xi_k at xi */
DEVICE void jacobian_at(real j[DIM][DIM], const Metric *metric, const scalar xi[DIM])
{
    scalar x[MAP_POWERS], y[MAP_POWERS];
    powers(x, MAP_COORDINATE(xi[0]));
    powers(y, MAP_COORDINATE(xi[1]));
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        j[d][0] = metric->term[1][d];
        j[d][1] = metric->term[2][d];
#define ADD_TERM(n, i, k)                                                                                              \
    if ((i) + (k) > 1 && (i) > 0) j[d][0] += (i)*x[(i) > 0 ? (i)-1 : 0] * y[k] * metric->term[n][d];                   \
    if ((i) + (k) > 1 && (k) > 0) j[d][1] += (k)*x[i] * y[(k) > 0 ? (k)-1 : 0] * metric->term[n][d];
        EACH_MAP_TERM(ADD_TERM)
#undef ADD_TERM
    }
}

/* The factor of integrals over the reference element, det J, at xi.     out: terms, det J d xi_d / d x_k */
DEVICE real metric_at_position(real terms[DIM][DIM], const Metric *metric, const scalar xi[DIM])
{
    real j[DIM][DIM];
    jacobian_at(j, metric, xi);
    terms[0][0] = j[1][1];
    terms[0][1] = -j[0][1];
    terms[1][0] = -j[1][0];
    terms[1][1] = j[0][0];
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
}

/* The same at point q of the volume, and at point i of those of all faces. */
#define metric_at(terms, metric, q) metric_at_position(terms, metric, volume_points[q])
#define metric_at_face(terms, metric, i) metric_at_position(terms, metric, face_positions[i])

/* What det J comes from. */
#if MAP_DEGREE == 1
/* It is linear: c[0] + c[1] xi_0 + c[2] xi_1. */
typedef struct {
    real c[1 + DIM];
} Determinant;

/* out: determinant */
DEVICE void load_determinant(Determinant *determinant, const scalar *map, long long e)
{
    Metric metric;
    load_metric(&metric, map, e);
    const real *const a = metric.term[1], *const b = metric.term[2], *const twist = metric.term[3];
    determinant->c[0] = a[0] * b[1] - b[0] * a[1];
    determinant->c[1] = a[0] * twist[1] - twist[0] * a[1];
    determinant->c[2] = twist[0] * b[1] - b[0] * twist[1];
}

DEVICE real determinant_at(const Determinant *determinant, const scalar xi[DIM])
{
    return determinant->c[0] + xi[1] * determinant->c[2] + xi[0] * determinant->c[1];
}
#else
typedef Metric Determinant;
#define load_determinant load_metric

DEVICE real determinant_at(const Determinant *determinant, const scalar xi[DIM])
{
    real j[DIM][DIM];
    jacobian_at(j, determinant, xi);
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
}
#endif
#else
typedef struct {
    real inverse[DIM][DIM];
} Metric;
#define METRIC_ARRAY inverse_jacobian

/* out: metric */
DEVICE void load_metric(Metric *metric, const scalar *inverse_jacobian, long long e)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            metric->inverse[d][k] = load(inverse_jacobian + at(e, d * DIM + k, METRIC_TERMS));
        }
    }
}

/* d xi_d / d x_k */
DEVICE real metric_term(const Metric *metric, int d, int k) { return metric->inverse[d][k]; }

/* The factor of integrals over the reference element, 1.     out: terms, d xi_d / d x_k */
DEVICE real metric_at(real terms[DIM][DIM], const Metric *metric, int q)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            terms[d][k] = metric->inverse[d][k];
        }
    }
    return splat(R(1.0));
}
#define metric_at_face metric_at
#endif

#ifdef GRADIENT_OUTPUTS
/* d xi_d / d x_k at xi, from the map.     out: terms */
DEVICE void inverse_of_map(real terms[DIM][DIM], const scalar *map, long long e, const scalar xi[DIM])
{
#if MAP_DEGREE > 0
    Metric metric;
    load_metric(&metric, map, e);
    const real factor = metric_at_position(terms, &metric, xi);
#else
    const real a = load(map + at(e, DIM, MAP)), b = load(map + at(e, 2 * DIM, MAP));
    const real c = load(map + at(e, DIM + 1, MAP)), d = load(map + at(e, 2 * DIM + 1, MAP));
    const real factor = a * d - b * c;
    terms[0][0] = d;
    terms[0][1] = -b;
    terms[1][0] = -c;
    terms[1][1] = a;
#endif
    UNROLL
    for (int i = 0; i < DIM * DIM; ++i) {
        terms[i / DIM][i % DIM] *= real_reciprocal(factor);
    }
}
#endif

/* d xi_d / d x_k at point q of the volume.     out: terms */
DEVICE void inverse_jacobian_at(real terms[DIM][DIM], const Metric *metric, int q)
{
    const real factor = metric_at(terms, metric, q);
#if MAP_DEGREE > 0
    UNROLL
    for (int i = 0; i < DIM * DIM; ++i) {
        terms[i / DIM][i % DIM] *= real_reciprocal(factor);
    }
#endif
}

#ifdef VISCOUS
/* d xi_d / d x_k at point i of those of all faces.     out: terms */
DEVICE void inverse_at_face(real terms[DIM][DIM], const Metric *metric, int i)
{
    const real factor = metric_at_face(terms, metric, i);
#if MAP_DEGREE > 0
    UNROLL
    for (int n = 0; n < DIM * DIM; ++n) {
        terms[n / DIM][n % DIM] *= real_reciprocal(factor);
    }
#endif
}
#endif

/* A flux in reference coordinates.     in: f, terms, d xi_d / d x_k     out: reference */
DEVICE void to_reference(real reference[DIM][COMPONENTS], const real f[DIM][COMPONENTS], const real terms[DIM][DIM])
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            reference[d][c] = terms[d][0] * f[0][c];
            UNROLL
            for (int k = 1; k < DIM; ++k) {
                reference[d][c] += terms[d][k] * f[k][c];
            }
        }
    }
}

/* The flux in reference coordinates.     in: state, terms, d xi_d / d x_k     out: reference */
DEVICE void reference_flux(real reference[DIM][COMPONENTS], State state, const real terms[DIM][DIM])
{
    real f[DIM][COMPONENTS];
    law_flux(f, state);
    to_reference(reference, f, terms);
}

/* det J */
DEVICE real determinant(const scalar *determinants, long long e) { return load(determinants + e); }

/* |K| */
DEVICE real element_volume(const scalar *determinants, long long e)
{
    return REFERENCE_VOLUME * determinant(determinants, e);
}

/* The coefficient of phi_0, which is constant, of what equals the mean of sum_j u_j phi_j over an element everywhere:
 * u_0 where it is affine, sum_j u_j int det J phi_j / int det J phi_0 elsewhere.     in: u, of so many functions;
 * basis_integrals */
DEVICE real constant_part(const real *u, int count, const scalar *basis_integrals, long long e)
{
#if MAP_DEGREE > 0
    const scalar *const integrals = basis_integrals + at(e, 0, BASIS);
    real others = splat(R(0.0));
    for (int j = 1; j < count; ++j) {
        others += load(integrals + j * BLOCK) * u[j];
    }
    return u[0] + others * real_reciprocal(load(integrals));
#else
    return u[0];
#endif
}

/* The mean over an element of one component.     in: u, basis_integrals */
DEVICE real mean_of(const real u[BASIS], const scalar *basis_integrals, long long e)
{
    return basis_mean[0] * constant_part(u, BASIS, basis_integrals, e);
}

/* Those of all components, with the medium there.     in: u, basis_integrals */
DEVICE State mean_state(const real u[FIELDS][BASIS], const scalar *basis_integrals, long long e)
{
#if MAP_DEGREE > 0
    real mean[FIELDS];
    law_fields(mean, evaluate(u, basis_mean));
    for (int c = 0; c < COMPONENTS; ++c) {
        mean[c] = mean_of(u[c], basis_integrals, e);
    }
    return law_state(mean);
#else
    return evaluate(u, basis_mean);
#endif
}

#if MAP_DEGREE > 0
/* Where det J varies, the mean depends on all coefficients: what changes those of the variation then changes the first
 * one, so that the mean is this one.     inout: u, where `here`     in: basis_integrals */
DEVICE void restore_mean(real u[FIELDS][BASIS], const real mean[FIELDS], mask here, const scalar *basis_integrals,
                         long long e)
{
    for (int c = 0; c < COMPONENTS; ++c) {
        const real change = (mean[c] - mean_of(u[c], basis_integrals, e)) / basis_mean[0];
        u[c][0] = select(here, u[c][0] + change, u[c][0]);
    }
}
#endif

/* The inverse of J, in the middle of an element that is not affine.     out: inverse */
DEVICE void load_inverse(real inverse[DIM][DIM], const scalar *inverse_jacobian, long long e)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            inverse[d][k] = load(inverse_jacobian + at(e, d * DIM + k, METRIC_TERMS));
        }
    }
}

/* The same of another element on every lane. */
DEVICE void gather_inverse(real inverse[DIM][DIM], const scalar *inverse_jacobian, ints element)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            inverse[d][k] = gather(inverse_jacobian, at_lanes(element, d * DIM + k, METRIC_TERMS));
        }
    }
}

/* The position of a reference point. */
DEVICE Point position(const scalar *map, long long e, const scalar xi[DIM])
{
    real x[DIM];
    scalar power[DIM][MAP_POWERS];
    powers(power[0], MAP_COORDINATE(xi[0]));
    powers(power[1], MAP_COORDINATE(xi[1]));
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        x[d] = load(map + at(e, d, MAP));
#define ADD_TERM(n, i, j)                                                                                              \
    if ((n) > 0) x[d] += power[0][i] * power[1][j] * load(map + at(e, (n)*DIM + d, MAP));
        EACH_MAP_TERM(ADD_TERM)
#undef ADD_TERM
    }
    return law_point(x);
}

/* The number of points of a face at which normals differ. */
#define FACE_NORMALS (MAP_DEGREE > 1 ? FACE_POINTS : 1)

/* The unit outward normal of a face of an element at its point k.     in: metric_array, that of METRIC_ARRAY */
DEVICE Normal face_normal(const scalar *metric_array, long long e, int f, int k)
{
    Metric metric;
    load_metric(&metric, metric_array, e);
    real terms[DIM][DIM], n[DIM];
    metric_at_face(terms, &metric, f * FACE_POINTS + k);
    /* J^-T takes normals of the reference element to those of its image. */
    const scalar *const reference = reference_normals[f];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = reference[0] * terms[0][d] + reference[1] * terms[1][d];
    }
    /* Squares of numbers with a unit may overflow or underflow. */
    const real size = real_abs(n[0]) + real_abs(n[1]);
    n[0] *= real_reciprocal(size);
    n[1] *= real_reciprocal(size);
    const real length = real_sqrt(n[0] * n[0] + n[1] * n[1]);
    n[0] *= real_reciprocal(length);
    n[1] *= real_reciprocal(length);
    return law_normal(n);
}

/* |f| / det J */
DEVICE real face_measure(const scalar *measures, long long e, int f) { return load(measures + at(e, f, FACES)); }

/* The diameter of the inscribed circle: twice det J over the circumference. */
DEVICE real inscribed_circle(const scalar *measures, long long e)
{
    real circumference = splat(R(0.0));
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        circumference += face_measure(measures, e, f);
    }
    return R(2.0) * real_reciprocal(circumference);
}

/* The contribution of a wave of speed 1 at a face to the bound on a step. */
DEVICE real crossing(const scalar *crossings, long long e, int f) { return load(crossings + at(e, f, FACES)); }

/* The place of a patch's face i in the list, of which `first` is the number of the patch's first face. Its numbers
 * lie `count` apart, the number of the patch's faces. */
DEVICE const scalar *patch_face(const scalar *face_geometry, int first, int i)
{
    return face_geometry + (long long)first * FACE_GEOMETRY + i;
}

/* Where the numbers of point k of a face begin, and where its measures are. */
#if MAP_DEGREE > 1
#define FACE_POINT(k) ((k) * (DIM + 1))
#define FACE_MEASURE(side, k) (FACE_POINT(k) + DIM)
#else
#define FACE_POINT(k) 0
#define FACE_MEASURE(side, k) (DIM + (side))
#endif

/* The unit normal at point k, outward from the first side.     in: face, count, see patch_face */
DEVICE Normal patch_face_normal(const scalar *face, int count, int k)
{
    real n[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = load(face + (FACE_POINT(k) + d) * count);
    }
    return law_normal(n);
}

/* |f| / det J at point k, or |f|, of the element on the first side (0) or on the second (1).
 *     in: face, count, likewise */
DEVICE real patch_face_measure(const scalar *face, int count, int side, int k)
{
    return load(face + FACE_MEASURE(side, k) * count);
}

/* A point of a boundary face: the body's own unit normal there, and the position. */
typedef struct {
    Normal normal;
    Point position;
} BoundaryPoint;

/* Point k of a boundary face. */
DEVICE BoundaryPoint boundary_point(const scalar *boundary_points, ints boundary_face, int k)
{
    real normal[DIM], x[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        const ints place = (boundary_face * FACE_POINTS + k) * BOUNDARY_POINT + d;
        normal[d] = gather(boundary_points, place);
        x[d] = gather(boundary_points, place + DIM);
    }
    const BoundaryPoint point = {law_normal(normal), law_point(x)};
    return point;
}
