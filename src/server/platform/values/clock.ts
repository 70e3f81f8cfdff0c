/** The time as the portal sees it; tests hand in their own. Anything two processes must agree on uses the database's. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
