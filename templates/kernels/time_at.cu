/* The time c steps after the start of the step. For c = 1 it equals the next step's start, bit for bit. */
DEVICE double time_at(const double clock[CLOCK_NUMBERS], double c)
{
    const double dt = clock[CLOCK_DT];
    return c == 1.0 && dt >= clock[CLOCK_TARGET] - clock[CLOCK_TIME] ? clock[CLOCK_TARGET] : clock[CLOCK_TIME] + c * dt;
}
