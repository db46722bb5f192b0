/* The longest stable step of an element at Courant number 1:
 *
 *   h / ((2p + 1) lambda),   h the diameter of the inscribed circle, lambda the largest wave speed. */

/* The larger of two numbers; what is no number stays, so that it is seen. */
DEVICE real largest_or_nan(real a, real b)
{
    return select(mask_of((a >= b) | (a != a)), a, b);
}

/* Where nothing moves, any step is stable: the bound is finite all the same. No number where lambda is none. */
DEVICE real longest_stable(real h, real lambda)
{
    const real least = splat(R(1e-30));
    return h * real_reciprocal(R(2 * ORDER + 1) * select(mask_of(lambda < least), least, lambda));
}

/* The largest wave speed on both sides of a face.     in: minus, plus, n */
DEVICE real fastest_wave(State minus, State plus, Normal n)
{
    return largest_or_nan(wave_speed(minus, n), wave_speed(plus, n));
}
