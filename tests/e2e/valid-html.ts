import { expect, type APIRequestContext, type Page } from '@playwright/test'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      // HTML allows both. React writes `srcSet`, `<img/>`, `disabled=""` and ids that begin with `_`; the server
      // writes the doctype in small letters, a browser in capitals.
      'attr-case': 'off',
      'void-style': 'off',
      'attribute-boolean-style': 'off',
      'attribute-empty-style': 'off',
      'valid-id': ['error', { relaxed: true }],
      'doctype-style': 'off',
      // A command search and a text editor: no native element does what these do.
      'prefer-native-element': ['error', { exclude: ['listbox', 'textbox'] }],
    },
  }),
)

/** A new password by phone: its one-time code is verified when it is complete, and brings the fields with their button. */
const WITHOUT_SUBMIT = /^wcag\/h32: .*-panel > form\)$/

/** What a page is made of follows the HTML standard and the recommended rules of html-validate. */
async function expectValidHtml(html: string, what: string): Promise<void> {
  const { results } = await validator.validateString(html)
  const found = results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector, line }) => `${ruleId}: ${message} (${selector ?? `line ${line}`})`,
    ),
  )
  expect(
    found.filter((text) => !WITHOUT_SUBMIT.test(text)),
    what,
  ).toEqual([])
}

/** Set by scripts, as a chart does for its places: the policy refuses every other, which is an error of the console. */
const STYLES = / style="[^"]*"/g

/** The same for what a page has become in the browser. */
export const expectValidDocument = async (page: Page) =>
  expectValidHtml((await page.content()).replaceAll(STYLES, ''), page.url())

/** The same for a page as it is served. */
export async function expectValidAsServed(page: Page, request: APIRequestContext): Promise<void> {
  await expectValidHtml(await (await request.get(page.url())).text(), `${page.url()} as it is served`)
}
