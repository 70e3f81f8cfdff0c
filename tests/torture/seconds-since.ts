/** Since a moment of `performance.now()`, in tenths. */
export const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10
