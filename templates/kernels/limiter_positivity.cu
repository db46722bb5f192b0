/* Positivity: the variation of all components is multiplied by the largest factor, at most 1, with which the law's
 * admissible quantities stay above LEAST_SHARE of the mean's at all points at which the scheme evaluates the
 * solution. */

/* inout: u     out: whether anything was limited */
DEVICE mask keep_positive(real u[FIELDS][BASIS], const LimitArguments *a, long long e)
{
    real mean[FIELDS], bound[ADMISSIBLE];
    find_bound(mean, bound, mean_state(u, a->basis_integrals, e));
    /* Usually no element needs a change. */
    mask fine = is_within(evaluate(u, basis_at_point(0)), bound);
    UNROLL_POINTS
    for (int i = 1; i < POINTS; ++i) {
        fine = fine & is_within(evaluate(u, basis_at_point(i)), bound);
    }
    if (!any(not(fine))) {
        return not(fine);
    }
    real share = share_within(splat(R(1.0)), u, basis_at_face, FACES * FACE_POINTS, mean, bound);
    share = share_within(share, u, basis_at_volume, VOLUME_POINTS, mean, bound);
    const mask limited = share < R(1.0);
    if (any(limited)) {
        share = share_or_none(share, u, basis_at_face, FACES * FACE_POINTS, mean, bound);
        share = share_or_none(share, u, basis_at_volume, VOLUME_POINTS, mean, bound);
        scale_variation(u, share);
#if MAP_DEGREE > 0
        restore_mean(u, mean, limited, a->basis_integrals, e);
#endif
    }
    return limited;
}
