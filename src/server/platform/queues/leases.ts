/** To write down what came of the calls, and to spare: some statements, each of which may take five seconds. */
const SPARE_SECONDS = 30

/** How long work is leased that makes so many calls one after the other, each given up at its time-out: longer than all of them. */
export const leaseSecondsFor = ({ calls, timeoutMs }: { calls: number; timeoutMs: number }): number =>
  Math.ceil((calls * timeoutMs) / 1_000) + SPARE_SECONDS
