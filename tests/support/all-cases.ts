/** `npm run test:all`: every case of tests that otherwise take every nth of them. */
export const hasAllCases = process.env.ALL_CASES === '1'

/** Every nth of the cases, beginning with the given one; tests that begin elsewhere share the cases among them. */
export function everyNth<T>(cases: readonly T[], n: number, from = 0): readonly T[] {
  return hasAllCases ? cases : cases.filter((_, index) => index % n === from % n)
}
