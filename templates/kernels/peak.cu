/* Measures the device's peak in flops: PEAK_CHAINS independent chains x <- factor x + summand, of PEAK_LINKS links per
 * round. */
typedef struct {
    scalar *sum;      /* out: [1] per element; keeps the compiler from dropping the chains as unused */
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
