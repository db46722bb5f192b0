/* Which of the MEDIA fields of the medium vary. UNIFORM_MEDIUM(X) lists as X(field) those that are the same in the
 * whole domain; the others are VARYING_MEDIA. */
#define ONE_LESS(n) -1
#define VARYING_MEDIA (MEDIA UNIFORM_MEDIUM(ONE_LESS))

DEVICE int varies(int i)
{
#define IS_FIELD(n) || i == n
    return !(0 UNIFORM_MEDIUM(IS_FIELD));
#undef IS_FIELD
}

/* The place of a field that varies among those that do. */
DEVICE int varying_place(int i)
{
#define ONE_LESS_BEHIND(n) -(n < i)
    return i UNIFORM_MEDIUM(ONE_LESS_BEHIND);
#undef ONE_LESS_BEHIND
}
