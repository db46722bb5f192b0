/* The volume term where members share the components and the points of an element. VOLUME_CHUNK points at a time go
 * through rows, on CUDA those of shared memory that the fluxes at faces had. */

/* With ONE_COLUMN the terms alone, which the caller projects.     in: u, e      inout: r */
DEVICE void add_volume_term(ColumnSum r[COLUMNS], Column u[COLUMNS], const StageArguments *a, StageShared *shared,
                            long long e, int local, int thread)
{
#ifdef __CUDACC__
    static_assert(VOLUME_ROWS <= SHARED_ROWS, "the terms of the volume have room");
#define VOLUME_ROWS_OF(c) (shared->rows[c] + local)
#else
#define VOLUME_ROWS_OF(c) (shared->terms[c])
#endif
    EACH_COMPONENT(c) {
        clear_padding(VOLUME_ROWS_OF(c));
    }
    UNROLL_CHUNKS
    for (int chunk = 0; chunk < VOLUME_ITEMS; chunk += VOLUME_CHUNK) {
        EACH_COMPONENT(c) {
#ifdef ONE_COLUMN
            if (a->past_caches == 0) {
                prefetch_part(a->u_next, e + BLOCK, c, COMPONENTS);
            }
            load_column(&u[COLUMN(c)], a->u, e, c);
#endif
            interpolate_to_volume(VOLUME_ROWS_OF(c), &u[COLUMN(c)], chunk);
        }
        BARRIER;
        EACH_ELEMENT(w) {
            Metric metric;
            load_metric(&metric, a->METRIC_ARRAY, e + w * STRIDE);
            real medium[MEDIA + 1][BASIS];
            load_medium(medium, a->medium, e + w * STRIDE);
            EACH_MINE(q, VOLUME_CHUNK) {
                if (chunk + q < VOLUME_ITEMS) {
#ifdef ONE_COLUMN
                    prefetch_part_of_update(a, e + BLOCK, q, VOLUME_CHUNK);
#endif
                    real given[GIVEN][FIELDS], terms[TERMS][COMPONENTS];
                    UNROLL
                    for (int i = 0; i < GIVEN; ++i) {
                        UNROLL
                        for (int c = 0; c < COMPONENTS; ++c) {
                            given[i][c] = load(VOLUME_ROWS_OF(c) + w * STRIDE + (q * POINT_ROWS + i) * GROUP_ROW);
                        }
                    }
                    give_medium(given, medium, chunk + q);
                    volume_terms(terms, given, &metric, a, e + w * STRIDE, chunk + q);
                    UNROLL
                    for (int c = 0; c < COMPONENTS; ++c) {
                        UNROLL
                        for (int d = 0; d < (HAS_OTHER_TERMS(c) ? TERMS : DIM); ++d) {
                            store(VOLUME_ROWS_OF(c) + w * STRIDE + (q * POINT_ROWS + d) * GROUP_ROW, terms[d][c]);
                        }
                    }
                }
            }
        }
        BARRIER;
#ifndef ONE_COLUMN
        EACH_COMPONENT(c) {
            project_volume(&r[COLUMN(c)], VOLUME_ROWS_OF(c), chunk, HAS_OTHER_TERMS(c));
        }
#endif
    }
}
