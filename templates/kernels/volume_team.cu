/* The volume term where members share the components and the points of an element. VOLUME_CHUNK points at a time go
 * through rows, on CUDA those of shared memory that the fluxes at faces had. */

/* in: u, e      inout: r */
DEVICE void add_volume_term(ColumnSum r[OWNED], const Column u[OWNED], const StageArguments *a, StageShared *shared,
                            long long e, int local, int thread)
{
#ifdef __CUDACC__
    static_assert(VOLUME_ROWS <= SHARED_ROWS, "the terms of the volume have room");
#define VOLUME_ROWS_OF(c) (shared->rows[c] + local)
#else
    scalar own[COMPONENTS][VOLUME_ROWS * VOLUME_ROW] __attribute__((aligned(VECTOR_BYTES)));
#define VOLUME_ROWS_OF(c) (own[c])
#endif
    EACH_COMPONENT(c) {
        clear_padding(VOLUME_ROWS_OF(c));
    }
    UNROLL_CHUNKS
    for (int chunk = 0; chunk < VOLUME_ITEMS; chunk += VOLUME_CHUNK) {
        EACH_COMPONENT(c) {
            interpolate_to_volume(VOLUME_ROWS_OF(c), &u[OWN(c)], chunk);
        }
        BARRIER;
        EACH_ELEMENT(w) {
            Metric metric;
            load_metric(&metric, a->METRIC_ARRAY, e + w * STRIDE);
            real medium[MEDIA + 1][BASIS];
            load_medium(medium, a->medium, e + w * STRIDE);
            EACH_MINE(q, VOLUME_CHUNK) {
                if (chunk + q < VOLUME_ITEMS) {
                    real given[GIVEN][FIELDS], terms[TERMS][COMPONENTS];
                    UNROLL
                    for (int i = 0; i < GIVEN; ++i) {
                        UNROLL
                        for (int c = 0; c < COMPONENTS; ++c) {
                            given[i][c] = load(VOLUME_ROWS_OF(c) + w * STRIDE + (q * POINT_ROWS + i) * VOLUME_ROW);
                        }
                    }
                    give_medium(given, medium, chunk + q);
                    volume_terms(terms, given, &metric, a, e + w * STRIDE, chunk + q);
                    UNROLL
                    for (int d = 0; d < TERMS; ++d) {
                        UNROLL
                        for (int c = 0; c < COMPONENTS; ++c) {
                            store(VOLUME_ROWS_OF(c) + w * STRIDE + (q * POINT_ROWS + d) * VOLUME_ROW, terms[d][c]);
                        }
                    }
                }
            }
        }
        BARRIER;
        EACH_COMPONENT(c) {
            project_volume(&r[OWN(c)], VOLUME_ROWS_OF(c), chunk);
        }
    }
}
