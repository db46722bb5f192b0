/* As many flops as the device can do: PEAK_CHAINS chains x <- factor x + summand, none of which waits for another, by
 * PEAK_LINKS links in a round. */
typedef struct {
    scalar *sum;      /* out: [1] per element; so that nothing is dropped as unused */
    double factor;    /* in */
    double summand;   /* in */
    long long rounds; /* in */
} PeakArguments;

KERNEL(peak, PeakArguments)
{
    const real factor = splat(R(a->factor)), summand = splat(R(a->summand));
    real x[PEAK_CHAINS];
    UNROLL
    for (int k = 0; k < PEAK_CHAINS; ++k) {
        x[k] = splat(R(k));
    }
    for (long long round = 0; round < a->rounds; ++round) {
        UNROLL
        for (int link = 0; link < PEAK_LINKS; ++link) {
            UNROLL
            for (int k = 0; k < PEAK_CHAINS; ++k) {
                x[k] = factor * x[k] + summand;
            }
        }
    }
    real sum = x[0];
    UNROLL
    for (int k = 1; k < PEAK_CHAINS; ++k) {
        sum += x[k];
    }
    store(a->sum + at(e, 0, 1), sum);
}
