/* The volume term of an element whose components one thread holds: no data are shared. */

/* in: u, e      inout: r */
DEVICE void add_volume_term(ColumnSum r[OWNED], const Column u[OWNED], const StageArguments *a, StageShared *shared, long long e,
                            int local, int thread)
{
    Metric metric;
    load_metric(&metric, a->METRIC_ARRAY, e);
    real medium[MEDIA + 1][BASIS];
    load_medium(medium, a->medium, e);
    UNROLL_VOLUME_POINTS
    for (int l = 0; l < VOLUME_LINES; ++l) {
        wide given[COMPONENTS][GIVEN][LINE], yielded[COMPONENTS][TERMS][LINE];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            given_on_line(given[c], u[c].v, l);
        }
        UNROLL
        for (int k = 0; k < LINE; ++k) {
            real at_point[GIVEN][FIELDS], terms[TERMS][COMPONENTS];
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                UNROLL
                for (int i = 0; i < GIVEN; ++i) {
                    at_point[i][c] = given[c][i][k];
                }
            }
            give_medium(at_point, medium, l * LINE + k);
            volume_terms(terms, at_point, &metric, a, e, l * LINE + k);
            UNROLL
            for (int c = 0; c < COMPONENTS; ++c) {
                UNROLL
                for (int d = 0; d < TERMS; ++d) {
                    yielded[c][d][k] = terms[d][c];
                }
            }
        }
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
            project_line(r[c].v, l, yielded[c]);
        }
    }
}
