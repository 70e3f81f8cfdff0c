/** A claim about our own code. When it does not hold, that is a bug: 500, logged in full, nothing leaks. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) {
    throw new Error(`invariant broken: ${why}`)
  }
}
