/* The value of one quantity for all elements of a thread.
 *
 *   wide                      WIDTH reals; + - * of two, and a scalar times one
 *   wide_of(x), part(x, w)    a scalar for all elements; the value of element w, which set_part(&x, w, value) sets
 *   load_wide(p, stride)      values that lie `stride` numbers apart: STRIDE in rows of shared memory, STRIDE_OF(n) in
 *   store_wide(p, stride, x)  a field of n numbers per element */
#define STRIDE_OF(n) ((n)*STRIDE)
#if WIDTH == 1
typedef real wide;
DEVICE wide wide_of(scalar x) { return splat(x); }
DEVICE real part(wide x, int w) { return x; }
DEVICE void set_part(wide *x, int w, real value) { *x = value; }
DEVICE wide load_wide(const scalar *p, int stride) { return load(p); }
DEVICE void store_wide(scalar *p, int stride, wide x) { store(p, x); }
#else
struct wide {
    scalar v[WIDTH];
};
#define WIDE_OPERATOR(operation)                                                                                       \
    DEVICE wide operator operation(wide a, wide b)                                                                     \
    {                                                                                                                  \
        EACH_ELEMENT(w) a.v[w] = a.v[w] operation b.v[w];                                                              \
        return a;                                                                                                      \
    }                                                                                                                  \
    DEVICE wide &operator operation##=(wide &a, wide b) { return a = a operation b; }
WIDE_OPERATOR(+)
WIDE_OPERATOR(-)
WIDE_OPERATOR(*)
DEVICE wide wide_of(scalar x)
{
    wide r;
    EACH_ELEMENT(w) r.v[w] = x;
    return r;
}
DEVICE wide operator*(scalar x, wide a) { return wide_of(x) * a; }
DEVICE real part(wide x, int w) { return x.v[w]; }
DEVICE void set_part(wide *x, int w, real value) { x->v[w] = value; }
DEVICE wide load_wide(const scalar *p, int stride)
{
    wide r;
    EACH_ELEMENT(w) r.v[w] = load(p + w * stride);
    return r;
}
DEVICE void store_wide(scalar *p, int stride, wide x) { EACH_ELEMENT(w) store(p + w * stride, x.v[w]); }
#endif
