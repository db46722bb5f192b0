/* The longest stable step of an element at Courant number 1:
 *
 *   h / ((2p + 1) lambda),   h the diameter of the inscribed circle, lambda the largest wave speed. */

/* Where nothing moves, any step is stable: the bound is finite all the same. No number where lambda is none. */
DEVICE real longest_stable(real h, real lambda)
{
    const real least = splat(R(1e-30));
    return h * real_reciprocal(R(2 * ORDER + 1) * select(mask_of(lambda < least), least, lambda));
}
