/** The projects of playwright.config.ts. */
export const BROWSER_SIZES = ['phone', 'desktop'] as const

/** Where the browser tests of one size leave their report. */
export const browserReport = (size: (typeof BROWSER_SIZES)[number]) => `.cache/playwright-${size}.json`

export const browserReports = BROWSER_SIZES.map(browserReport)
