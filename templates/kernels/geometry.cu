/* The geometry of elements and faces. This file alone knows how the arrays of a mesh's geometry are laid out
 * (`stage.cu` prefetches whole patches of them);
 * `dg-runtime/src/solver/geometry.rs` writes them, and the numbers per item, such as NORMALS, are in `dg-contract`.
 *
 * Elements are affine, x = origin + J xi, so that metric terms, normals and measures are the same at all points; or, where BILINEAR is
 * defined, quadrilaterals with straight sides, x = origin + J xi + twist xi_0 xi_1, whose metric terms depend on the point. The residual
 * is then integrated with them times det J, and divide_by_mass completes it:
 *
 *   inverse_jacobian   [METRIC_TERMS] per element: J^-1, [DIM][DIM]; unused where BILINEAR
 *   determinants       [1] per element: det J, or its mean
 *   map                [MAP] per element: the origin, [DIM], and J, [DIM][DIM]; of quadrilaterals then the twist, [DIM]
 *   normals            [NORMALS] per element: unit outward normals, [FACES][DIM], then |f| / det J, [FACES]
 *   crossings          [FACES] per element: the contribution of a wave of speed 1 to the bound on a step, see bound.cu
 *   face_geometry      [FACE_GEOMETRY] per face, patch by patch as [FACE_GEOMETRY][face]: the unit normal, outward from the
 *                      face's first side, [DIM], then |f| / det J of the elements on both sides, or |f| where BILINEAR
 *   boundary_points    [FACE_POINTS][BOUNDARY_POINT] per boundary face: the body's own unit normal, [DIM], and the
 *                      position, [DIM] */

/* The metric terms of an element, or the map that they come from. */
#ifdef BILINEAR
typedef struct {
    real jacobian[DIM][DIM], twist[DIM];
} Metric;
#define METRIC_ARRAY map

/* out: metric */
DEVICE void load_metric(Metric *metric, const scalar *map, long long e)
{
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            metric->jacobian[d][k] = load(map + at(e, DIM + d * DIM + k, MAP));
        }
        metric->twist[d] = load(map + at(e, DIM + DIM * DIM + d, MAP));
    }
}

/* The factor of integrals over the reference element, det J, at point q of the volume.     out: terms, det J d xi_d / d x_k */
DEVICE real metric_at(real terms[DIM][DIM], const Metric *metric, int q)
{
    const scalar *xi = volume_points[q];
    real j[DIM][DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        j[d][0] = metric->jacobian[d][0] + xi[1] * metric->twist[d];
        j[d][1] = metric->jacobian[d][1] + xi[0] * metric->twist[d];
    }
    terms[0][0] = j[1][1];
    terms[0][1] = -j[0][1];
    terms[1][0] = -j[1][0];
    terms[1][1] = j[0][0];
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
}

/* det J = c[0] + c[1] xi_0 + c[2] xi_1     in: map     out: c */
DEVICE void determinant_of_map(real c[1 + DIM], const scalar *map, long long e)
{
    Metric metric;
    load_metric(&metric, map, e);
    real(*const j)[DIM] = metric.jacobian;
    c[0] = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    c[1] = j[0][0] * metric.twist[1] - metric.twist[0] * j[1][0];
    c[2] = metric.twist[0] * j[1][1] - j[0][1] * metric.twist[1];
}
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
#endif

/* The flux in reference coordinates.     in: state, terms, d xi_d / d x_k     out: reference */
DEVICE void reference_flux(real reference[DIM][COMPONENTS], State state, const real terms[DIM][DIM])
{
    real f[DIM][COMPONENTS];
    law_flux(f, state);
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

/* det J */
DEVICE real determinant(const scalar *determinants, long long e) { return load(determinants + e); }

/* |K| */
DEVICE real element_volume(const scalar *determinants, long long e)
{
    return REFERENCE_VOLUME * determinant(determinants, e);
}

/* The position of a reference point. */
DEVICE Point position(const scalar *map, long long e, const scalar xi[DIM])
{
    real x[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        x[d] = load(map + at(e, d, MAP));
        UNROLL
        for (int k = 0; k < DIM; ++k) {
            x[d] += xi[k] * load(map + at(e, DIM + d * DIM + k, MAP));
        }
#ifdef BILINEAR
        x[d] += xi[0] * xi[1] * load(map + at(e, DIM + DIM * DIM + d, MAP));
#endif
    }
    return law_point(x);
}

/* The unit outward normal of a face of an element. */
DEVICE Normal face_normal(const scalar *normals, long long e, int f)
{
    real n[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = load(normals + at(e, f * DIM + d, NORMALS));
    }
    return law_normal(n);
}

/* |f| / det J */
DEVICE real face_measure(const scalar *normals, long long e, int f)
{
    return load(normals + at(e, FACES * DIM + f, NORMALS));
}

/* The diameter of the inscribed circle: twice det J over the circumference. */
DEVICE real inscribed_circle(const scalar *normals, long long e)
{
    real circumference = splat(R(0.0));
    UNROLL
    for (int f = 0; f < FACES; ++f) {
        circumference += face_measure(normals, e, f);
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

/* The unit normal at point k, outward from the first side.     in: face, count, see patch_face */
DEVICE Normal patch_face_normal(const scalar *face, int count, int k)
{
    real n[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = load(face + d * count);
    }
    return law_normal(n);
}

/* |f| / det J at point k, or |f|, of the element on the first side (0) or on the second (1).     in: face, count, likewise */
DEVICE real patch_face_measure(const scalar *face, int count, int side, int k)
{
    return load(face + (DIM + side) * count);
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
