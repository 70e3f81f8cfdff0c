import { act, type EngineBrowser } from './browser.ts'

/** Keys that write nothing, as WebDriver names them. */
export const KEY = { enter: '\uE007', escape: '\uE00C', control: '\uE009' } as const

const strokes = (keys: Iterable<string>) =>
  [...keys].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

export type Person = ReturnType<typeof personAt>

/** Somebody in front of a browser, with its own pointer and its own keys. */
export function personAt(browser: EngineBrowser) {
  const keyboard = (actions: readonly object[]) => browser.perform([{ type: 'key', id: 'keyboard', actions }])

  async function press(selector: string, text = ''): Promise<void> {
    const place = await act(browser, ({ reach }, given) => reach(given.selector, given.text), {
      selector,
      text,
    })
    await browser.perform([
      {
        type: 'pointer',
        id: 'pointer',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', duration: 0, ...place },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }

  return {
    press,
    /** Letter by letter into what has the focus. */
    keys: (text: string) => keyboard(strokes(text)),
    /** A key while another is held. */
    chord: (held: string, key: string) =>
      keyboard([{ type: 'keyDown', value: held }, ...strokes(key), { type: 'keyUp', value: held }]),
    /** Into the field with this label, whose text it replaces. */
    async type(label: string, text: string): Promise<void> {
      await press('label', label)
      await act(browser, ({ until }) =>
        until(() => document.activeElement?.matches('input, textarea'), 'the focus of a field'),
      )
      await keyboard([
        { type: 'keyDown', value: KEY.control },
        ...strokes('a'),
        { type: 'keyUp', value: KEY.control },
      ])
      await keyboard(strokes(text))
    },
    /** An option of the list with this label. */
    choose: (label: string, option: string) =>
      act(
        browser,
        async ({ until }, given) => {
          const named = await until(
            () =>
              [...document.querySelectorAll('label')].find(({ textContent }) =>
                textContent.includes(given.label),
              ),
            given.label,
          )
          const list = named.control as HTMLSelectElement
          list.value = [...list.options].find(({ text }) => text.includes(given.option))?.value ?? ''
          list.dispatchEvent(new Event('change', { bubbles: true }))
        },
        { label, option },
      ),
    reads: (text: string) => act(browser, ({ reads }, given) => reads(given), text),
    /** Until such an element is there whose text has all of these. */
    sees: (selector: string, ...texts: string[]) =>
      act(
        browser,
        ({ until }, given) =>
          until(
            () =>
              [...document.querySelectorAll<HTMLElement>(given.selector)].some((element) =>
                given.texts.every((text) => element.innerText.includes(text)),
              ),
            `${given.selector} “${given.texts.join('”, “')}”`,
          ),
        { selector, texts },
      ),
    at: (path: string) =>
      act(
        browser,
        ({ until }, given) =>
          until(() => new RegExp(given).exec(location.pathname)?.[0], `the page ${given}`),
        path,
      ),
  }
}
