/** Visitors that say themselves that they are no reader: crawlers, link previews, monitors. Cubot makes phones. */
const DECLARED_ROBOT =
  /(?<!\bcu)bot(?:\b|[_-])|crawl|spider|slurp|facebookexternalhit|facebookcatalog|meta-external|mediapartners|lighthouse|pagespeed|pingdom|uptime|monitoring|link ?preview|bingpreview|archiver|validator|feedfetcher/i

export function isDeclaredRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && DECLARED_ROBOT.test(userAgent)
}

const vietnamDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Ho_Chi_Minh', dateStyle: 'short' })

/** The day of a moment where the players live, as `2026-11-21`. */
export function dayOf(moment: Date): string {
  return vietnamDay.format(moment)
}

/** The day before, the oldest whose views may still be waiting to be written. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}
