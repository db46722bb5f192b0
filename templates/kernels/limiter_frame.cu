/* The limited variables: the components of the state or, with LIMIT_CHARACTERISTIC, its characteristic variables at the
 * mean in the direction of an axis. */

/* The data that define the limited variables. */
typedef struct {
    State mean;
    mask along[DIM]; /* their direction */
#if LIMIT_CHARACTERISTIC && defined(EIGENVECTORS)
    Eigenvectors waves;
#endif
} Frame;

#if LIMIT_CHARACTERISTIC
/* Parts of a direction that differ by a smaller share count as equal: then the first axis is taken, so that rounding
 * does not decide. */
#define EQUAL_PARTS R(1e-6)
/* in: direction, of which the axis with the largest part counts */
DEVICE Frame frame_along(State mean, const real direction[DIM])
{
    Frame frame;
    frame.mean = mean;
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        const real own = real_abs(direction[d]);
        frame.along[d] = own == own;
        UNROLL
        for (int other = 0; other < DIM; ++other) {
            const real part = real_abs(direction[other]);
            frame.along[d] = frame.along[d] & (other < d ? own > part + EQUAL_PARTS * part
                                                         : other == d ? own >= part : own + EQUAL_PARTS * own >= part);
        }
    }
#ifdef EIGENVECTORS
    real n[DIM];
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        n[d] = select(frame.along[d], splat(R(1.0)), splat(R(0.0)));
    }
    find_eigenvectors(&frame.waves, mean, law_normal(n));
#endif
    return frame;
}

#ifdef EIGENVECTORS
/* inout: v, components and then limited variables */
DEVICE void to_limited(real v[COMPONENTS], const Frame *frame)
{
    real w[COMPONENTS];
    multiply(w, frame->waves.to, v);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        v[c] = w[c];
    }
}

/* The inverse of to_limited. */
DEVICE void from_limited(real w[COMPONENTS], const Frame *frame)
{
    real v[COMPONENTS];
    multiply(v, frame->waves.from, w);
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        w[c] = v[c];
    }
}
#else

/* inout: v, components and then limited variables */
DEVICE void to_limited(real v[COMPONENTS], const Frame *frame)
{
    const State change = law_change(v);
    real components[COMPONENTS];
    law_components(components, change);
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        real w[COMPONENTS];
        law_to_characteristic(w, components, frame->mean, d);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            v[c] = select(frame->along[d], w[c], v[c]);
        }
    }
}

/* The inverse of to_limited. */
DEVICE void from_limited(real w[COMPONENTS], const Frame *frame)
{
    real variables[COMPONENTS];
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        variables[c] = w[c];
    }
    UNROLL
    for (int d = 0; d < DIM; ++d) {
        real v[COMPONENTS];
        law_from_characteristic(v, variables, frame->mean, d);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            w[c] = select(frame->along[d], v[c], w[c]);
        }
    }
}
#endif
#else
DEVICE Frame frame_along(State mean, const real direction[DIM])
{
    Frame frame;
    frame.mean = mean;
    return frame;
}
DEVICE void to_limited(real v[COMPONENTS], const Frame *frame) {}
DEVICE void from_limited(real w[COMPONENTS], const Frame *frame) {}
#endif
