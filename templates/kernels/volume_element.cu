/* The volume term of an element whose components one thread holds: no data are shared. */

/* in: u, e      inout: r */
DEVICE void add_volume_term(ColumnSum r[COLUMNS], const Column u[COLUMNS], const StageArguments *a, StageShared *shared,
                            long long e, int local, int thread)
{
    Metric metric;
    load_metric(&metric, a->METRIC_ARRAY, e);
    real medium[MEDIA + 1][BASIS];
    load_medium(medium, a->medium, e);
#ifdef WEIGHTED_TERMS
    wide integrals[COMPONENTS][TERMS][BASIS];
    UNROLL
    for (int i = 0; i < COMPONENTS * TERMS * BASIS; ++i) {
        integrals[i / (TERMS * BASIS)][i / BASIS % TERMS][i % BASIS] = wide_of(R(0.0));
    }
#endif
    UNROLL_VOLUME_POINTS
    for (int l = 0; l < VOLUME_LINES; ++l) {
        wide given[COMPONENTS][GIVEN][LINE], yielded[COMPONENTS][TERMS][LINE];
        UNROLL
        for (int c = 0; c < COMPONENTS; ++c) {
#ifdef LIFTED
            lifted_on_line(given[c], u[c].v, &u[c].slopes, l);
#else
            given_on_line(given[c], u[c].v, l);
#endif
        }
        UNROLL
        for (int k = 0; k < LINE && l * LINE + k < VOLUME_ITEMS; ++k) {
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
#ifdef WEIGHTED_TERMS
            UNROLL
            for (int d = 0; d < (HAS_OTHER_TERMS(c) ? TERMS : DIM); ++d) {
                integrate_term(integrals[c][d], l, yielded[c][d], d);
            }
#else
            project_line(r[c].v, l, yielded[c], HAS_OTHER_TERMS(c));
#endif
        }
    }
#ifdef WEIGHTED_TERMS
    UNROLL
    for (int c = 0; c < COMPONENTS; ++c) {
        UNROLL
        for (int d = 0; d < (HAS_OTHER_TERMS(c) ? TERMS : DIM); ++d) {
            project_integrals(r[c].v, integrals[c][d], d);
        }
    }
#endif
}
