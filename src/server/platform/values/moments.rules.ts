/** The clocks of processes and database differ by as much, and a statement sees what was written after it began. */
export const SLACK_SECONDS = 10

/** How long ago a stored moment was; no number is as large for one that lies ahead, since a clock that was ahead wrote it. */
export function msSince(moment: Date, now: Date): number {
  const ms = now.getTime() - moment.getTime()
  return ms < -SLACK_SECONDS * 1_000 ? Infinity : ms
}
