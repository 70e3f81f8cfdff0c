import { expect, type Page } from '@playwright/test'

/**
 * English that a library, a default text or a developer could leave, and that is not written like a Vietnamese word
 * like (so neither "to", "an" nor "in"). Names (Box Zalo, Fanpage, Email, Admin, server codes) are not among it.
 */
const ENGLISH_WORDS =
  'required|invalid|valid|loading|load|error|errors|submit|password|username|cancel|canceled|cancelled|close|closed|open|retry|' +
  'try|again|search|filter|next|previous|prev|back|forward|save|saved|delete|remove|edit|update|updated|create|created|add|' +
  'download|upload|login|logout|log|sign|register|forgot|reset|verify|verified|welcome|hello|home|page|pages|not|found|missing|' +
  'undefined|null|NaN|Infinity|object|true|false|minimum|maximum|least|most|length|characters|character|please|sorry|amount|balance|' +
  'account|settings|success|successful|successfully|failed|failure|fail|warning|notice|info|confirm|continue|submit|send|sent|ok|okay|' +
  'yes|results|result|empty|nothing|none|all|total|date|time|name|level|rank|ranking|round|winner|team|teams|match|matches|score|points|' +
  'player|players|server|post|posts|category|categories|history|profile|transaction|transactions|transfer|recharge|exchange|' +
  'gift|package|deposit|withdraw|order|orders|pending|paid|expired|delivered|refunded|completed|done|status|type|copy|copied|share|' +
  'more|less|show|hide|view|views|read|new|now|today|yesterday|minute|minutes|second|seconds|hour|hours|days|ago|left|click|here|' +
  'choose|select|option|options|menu|skip|content|navigation|main|dialog|alert|image|picture|photo|icon|banner|notification|' +
  'unauthorized|forbidden|request|internal|unexpected|unknown|something|went|wrong|network|connection|unavailable|disabled|limit|' +
  'exceeded|the|and|or|of|for|with|from|this|that|is|are|was|were|has|have|been|must|should|can|cannot|will|your|you|we|our|it'
const ENGLISH = new RegExp(`(?<![\\p{L}\\p{M}])(${ENGLISH_WORDS})(?![\\p{L}\\p{M}])`, 'iu')

/** The structure of a Vietnamese word without diacritics. */
const SYLLABLE =
  /^(b|c|ch|d|g|gh|gi|h|k|kh|l|m|n|ng|ngh|nh|p|ph|qu|r|s|t|th|tr|v|x)?[aeiouy]{1,3}(c|ch|m|n|ng|nh|p|t)?$/i
const NAMES = /Box Zalo|Meta Pixel|Google Authenticator|THN OTP/gi

/** Two words in a row that cannot be Vietnamese are a foreign phrase, whether or not the list knows them. */
function holdsForeignPhrase(text: string): boolean {
  const words = text.replace(NAMES, ',').split(' ')
  const isForeign = (word = '') => /^[a-z]{3,}$/i.test(word) && !SYLLABLE.test(word)
  return words.some((word, index) => isForeign(word) && isForeign(words[index + 1]?.replace(/[.,!?:]+$/, '')))
}

/** All texts of a page, visible or for screen readers, also those hidden at this screen size or in this state. */
async function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const attributes = ['aria-label', 'aria-roledescription', 'aria-valuetext', 'placeholder', 'alt', 'title']
    const textsOf = (read: Document): string[] => {
      const texts: string[] = []
      const walker = read.createTreeWalker(read.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode
        if (!parentElement?.closest('script, style, template, noscript')) texts.push(textContent ?? '')
      }
      for (const name of attributes)
        for (const element of read.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name) ?? '')
      return texts
    }
    // While scripts run, what is for browsers without them is the text of its markup.
    const withoutScripts = [...document.querySelectorAll('noscript')].flatMap(({ textContent }) =>
      textsOf(new DOMParser().parseFromString(textContent ?? '', 'text/html')),
    )
    const described = document.querySelectorAll('meta[name="description"], meta[property^="og:"]')
    return [
      document.title,
      ...textsOf(document),
      ...withoutScripts,
      ...[...described].map((element) => element.getAttribute('content') ?? ''),
    ]
  })
}

/** Addresses, fingerprints and the receiver as banks write it are not language. */
const NOT_LANGUAGE = /\S+@\S+|https?:\S+|\/\S+|[0-9a-f]{32,}|CONG TY TINH HOA NINJA|Tinh Hoa Ninja/g

/** Things that have one name on all pages, under another one. */
const OTHER_NAMES = /thư điện tử/i

export function foreignTexts(texts: string[]): string[] {
  const stripped = texts.map((text) => text.replace(NOT_LANGUAGE, ' ').replace(/\s+/g, ' ').trim())
  return stripped.filter((text) => ENGLISH.test(text) || OTHER_NAMES.test(text) || holdsForeignPhrase(text))
}

/** Nothing on the page is in another language than Vietnamese. */
export async function expectVietnamese(page: Page): Promise<void> {
  const words = await wordsOf(page)
  expect(words.join('').length).toBeGreaterThan(60)
  expect(foreignTexts(words)).toEqual([])
}
