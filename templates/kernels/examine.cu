/* The states at all points at which the scheme evaluates an element, for one block of elements: reports of inadmissible
 * states and of the fastest waves are made from them. */
#define EXAMINED (1 + FACES * FACE_POINTS + VOLUME_POINTS)
typedef struct {
    const scalar *u; /* in: [COMPONENTS][BASIS] per element of the section; coefficients */
    const scalar *medium; /* in, optional: [1] per element of the section; coefficients, see medium.cu */
    const scalar *basis_integrals; /* in, optional: [BASIS] per element of the section; see geometry.cu */
    scalar *states;  /* out: [1 + FACES * FACE_POINTS + VOLUME_POINTS][FIELDS] per element; of the block: at the
                      * mean, the points of faces, those of the volume */
    long long first; /* in; the first element of the block */
} ExamineArguments;

KERNEL(examine, ExamineArguments)
{
    real u[FIELDS][BASIS];
    load_coefficients(u, a->u, a->medium, a->first + e);
    NO_UNROLL
    for (int i = 0; i < EXAMINED; ++i) {
        const int at_face = i - 1, at_volume = at_face - FACES * FACE_POINTS;
        const scalar *phi = i == 0 ? basis_mean : at_volume < 0 ? basis_at_face[at_face] : basis_at_volume[at_volume];
        real value[FIELDS];
        law_fields(value, i == 0 ? mean_state(u, a->basis_integrals, a->first + e) : evaluate(u, phi));
        for (int c = 0; c < FIELDS; ++c) {
            store(a->states + at(e, i * FIELDS + c, EXAMINED * FIELDS), value[c]);
        }
    }
}
