/** Browsers inside other apps by what they write into their user agent: Messenger's also names Facebook. */
const APPS: readonly [name: string, sign: RegExp][] = [
  ['Zalo', /\bZalo (android|iOS)\//i],
  ['Messenger', /MessengerForiOS|MessengerLite|Orca-Android|FB_IAB\/MESSENGER/i],
  ['Facebook', /\bFBA[NV]\/|FB_IAB|\bFBIOS\b|\bFB4A\b/],
  ['Instagram', /\bInstagram\b/],
  ['TikTok', /musical_ly|BytedanceWebview|TikTok|\btrill_/i],
]

/** What the browser says besides: Sec-CH-UA has the same brands. */
type Signs = { brands?: readonly string[]; isStandalone?: boolean }

/**
 * The app whose own browser this is: there files cannot be saved, and nothing can be pushed. Of an app that does not say its
 * name an empty text; null in a browser of its own. Android marks the view of an app; an iPhone's lacks the word Safari, as does
 * a site on its home screen.
 */
export function inAppOf(userAgent: string, { brands = [], isStandalone = false }: Signs = {}): string | null {
  const named = APPS.find(([, sign]) => sign.test(userAgent))
  if (named) return named[0]
  const isView =
    /; wv\)/.test(userAgent) ||
    brands.includes('Android WebView') ||
    (/iPhone|iPad|iPod/.test(userAgent) && !/Safari\//.test(userAgent) && !isStandalone)
  return isView ? '' : null
}

type Hints = Navigator & { userAgentData?: { brands: { brand: string }[] }; standalone?: boolean }

export function readInApp(): string | null {
  const { userAgent, userAgentData, standalone } = navigator as Hints
  const brands = userAgentData?.brands.map(({ brand }) => brand) ?? []
  return inAppOf(userAgent, { brands, isStandalone: standalone === true })
}

/** An address that Android opens in Chrome; without Chrome in whatever opens the site. */
export function chromeAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address)
  const rest = `scheme=${protocol.slice(0, -1)};package=com.android.chrome;S.browser_fallback_url=${encodeURIComponent(address)};end`
  return `intent://${host}${pathname}${search}#Intent;${rest}`
}
