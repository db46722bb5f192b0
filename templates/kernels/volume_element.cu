/* The volume term of an element whose components one thread holds: no data are shared. */

/* in: u, e      inout: r */
DEVICE void add_volume_term(ColumnSum r[OWNED], const Column u[OWNED], const StageArguments *a, StageShared *shared, long long e,
                            int local, int thread)
{
    Metric metric;
    load_metric(&metric, a->inverse_jacobian, e);
    real medium[MEDIA + 1][BASIS];
    load_medium(medium, a->medium, e);
    UNROLL_VOLUME_POINTS
    for (int q = 0; q < VOLUME_ITEMS; ++q) {
        real given[GIVEN][FIELDS], terms[TERMS][COMPONENTS];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            UNROLL
            for (int i = 0; i < GIVEN; ++i) {
                given[i][c] = given_at_item(u[c].v, q, i);
            }
        }
        give_medium(given, medium, q);
        volume_terms(terms, given, &metric, a, e, q);
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            wide of_component[TERMS];
            UNROLL
            for (int d = 0; d < TERMS; ++d) {
                of_component[d] = terms[d][c];
            }
            project_terms(r[c].v, q, of_component);
        }
    }
}
