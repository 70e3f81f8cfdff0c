import { guardsIn, type ProgramGuard } from './guard.ts'

const PLATFORM = 'src/server/platform'
const SECURITY = 'tests/security'

const html = guardsIn(
  `${PLATFORM}/html/safe-html.rules.ts`,
  [`${PLATFORM}/html/safe-html.rules.test.ts`, `${SECURITY}/html.db.test.ts`],
  {
    'scripts go with their text': `  'script',\n`,
    'styles go with their text': `  'style',\n`,
    'addresses of links have known schemes': [
      `allowedSchemes: ['http', 'https', 'mailto', 'tel']`,
      'allowedSchemes: false as never',
    ],
    'pictures of other hosts go': [`(tag === 'img' && !attribs.src)`, 'false'],
    'each attribute is checked': '    a: link,\n    img: picture,\n',
  },
)

const heavyTexts = [
  ...guardsIn(`${PLATFORM}/html/safe-html.rules.ts`, `${PLATFORM}/html/safe-html.rules.test.ts`, {
    'nesting is bounded': ['NESTING_MAX = 64', 'NESTING_MAX = 100_000'],
  }),
  ...guardsIn(`${PLATFORM}/html/clean-text.rules.ts`, `${PLATFORM}/html/safe-html.rules.test.ts`, {
    'marks over one letter are bounded': ['boundedMarks(text.toWellFormed())', 'text.toWellFormed()'],
  }),
  ...guardsIn(`${PLATFORM}/html/safe-html.ts`, `${SECURITY}/heavy-texts.db.test.ts`, {
    'long texts have a thread of their own': ['AT_ONCE_MAX = 20_000', 'AT_ONCE_MAX = 20_000_000'],
    'others have their turn between texts': 'if (html.length > TURN_AFTER) await setImmediate()',
  }),
]

const addresses = guardsIn('src/contract/post-html.ts', `${PLATFORM}/html/safe-html.rules.test.ts`, {
  'no address without a scheme names another host': [
    'const OWN_PAGE = /^\\/(?![/\\\\])',
    'const OWN_PAGE = /^\\/',
  ],
})

/** What HTML may bring in, and what it may cost. */
export const htmlGuards: ProgramGuard[] = [...html, ...heavyTexts, ...addresses]
