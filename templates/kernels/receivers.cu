/* The solution at the receivers, at the start of a step. The host reads it after several steps, and interpolates
 * between them; a step that is rejected and tried again has the same place. */
typedef struct {
    const scalar *u;              /* in: unchecked; coefficients, see element.cu */
    const int *receiver_elements; /* in: [1] per element; of every receiver: its element */
    const scalar *receiver_basis; /* in: [BASIS] per element; of every receiver: the basis functions there */
    const double *clock;          /* in: [CLOCK_NUMBERS] */
    double *receiver_times;       /* out: [RECEIVER_STEPS] */
    scalar *received;             /* out: [RECEIVER_STEPS][COMPONENTS] per element; of every receiver */
} ReceiveArguments;

KERNEL(receive, ReceiveArguments)
{
    const int step = (int)((long long)a->clock[CLOCK_STEPS] % RECEIVER_STEPS);
    const ints element = load_ints(a->receiver_elements + at(e, 0, 1));
    for (int c = 0; c < COMPONENTS; ++c) {
        real value = splat(R(0.0));
        for (int j = 0; j < BASIS; ++j) {
            value += load(a->receiver_basis + at(e, j, BASIS)) * gather(a->u, at_lanes(element, c * BASIS + j, COMPONENTS * BASIS));
        }
        store(a->received + at(e, step * COMPONENTS + c, RECEIVER_STEPS * COMPONENTS), value);
    }
    if (e == 0) {
        a->receiver_times[step] = a->clock[CLOCK_TIME];
    }
}
