/** Clocks of several processes differ by as much. */
const SLACK_MS = 10_000

/** How long ago a stored moment was; no number is as large for one that lies ahead, since a clock that was ahead wrote it. */
export function msSince(moment: Date, now: Date): number {
  const ms = now.getTime() - moment.getTime()
  return ms < -SLACK_MS ? Infinity : ms
}
