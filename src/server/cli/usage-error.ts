/** A wrong call of a command; what is printed is its usage. */
export class UsageError extends Error {}
