import type { Page } from '@playwright/test'

const HOUR_MS = 3_600_000

/** By how much phones are wrong. */
export const WRONG_CLOCKS = [
  { name: 'an hour behind', off_ms: -HOUR_MS },
  { name: 'an hour ahead', off_ms: HOUR_MS },
  { name: 'a day behind', off_ms: -24 * HOUR_MS },
  { name: 'a day ahead', off_ms: 24 * HOUR_MS },
] as const

/** The device's clock is off from the first page on. */
export const setDeviceClock = (page: Page, off_ms: number) =>
  page.addInitScript((off_ms) => {
    const Real = Date
    const now = () => Real.now() + off_ms
    window.Date = new Proxy(Real, {
      construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given) as Date,
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    })
  }, off_ms)
