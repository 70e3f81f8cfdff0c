/** How many runs share the browser tests out among them: more than cores, since each waits for its browser. */
export const BROWSER_SHARES = 4

/** Where one of them, counted from 1, leaves its report. */
export const browserReport = (share: number) => `.cache/playwright-${share}.json`

export const browserReports = Array.from({ length: BROWSER_SHARES }, (_, index) => browserReport(index + 1))
