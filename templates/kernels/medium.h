/* How the MEDIA fields of the medium are kept. UNIFORM_MEDIUM(X) lists as X(field) those that are the same in the whole
 * domain; the others are VARYING_MEDIA. Each of these has MEDIUM_BASIS coefficients in an element, and on each side of
 * a face values at MEDIUM_POINTS points; but those that CONSTANT_MEDIUM(X) lists, which are constant in every element,
 * have one of both. */
#define ONE_LESS(n) -1
#define ONE_MORE(n) +1
#define VARYING_MEDIA (MEDIA UNIFORM_MEDIUM(ONE_LESS))
#define CONSTANT_MEDIA (0 CONSTANT_MEDIUM(ONE_MORE))
/* So many of each field that varies, but of one that is constant in elements one. */
#define OF_MEDIUM(each) ((VARYING_MEDIA - CONSTANT_MEDIA) * (each) + CONSTANT_MEDIA)

#define IS_FIELD(n) || i == n
DEVICE int varies(int i) { return !(0 UNIFORM_MEDIUM(IS_FIELD)); }
DEVICE int varies_within(int i) { return !(0 UNIFORM_MEDIUM(IS_FIELD) CONSTANT_MEDIUM(IS_FIELD)); }
#undef IS_FIELD

/* The place of number j of a field that varies among OF_MEDIUM(each). */
DEVICE int place_in_medium(int i, int j, int each)
{
#define ONE_LESS_BEHIND(n) -(n < i)
#define ONE_MORE_BEHIND(n) +(n < i)
    const int before = i UNIFORM_MEDIUM(ONE_LESS_BEHIND), constant = 0 CONSTANT_MEDIUM(ONE_MORE_BEHIND);
    return (before - constant) * each + constant + (varies_within(i) ? j : 0);
#undef ONE_MORE_BEHIND
#undef ONE_LESS_BEHIND
}
