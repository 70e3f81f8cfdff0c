/** A browser that Playwright does not drive: what the flows need of it, whatever its protocol. */
export type EngineBrowser = {
  name: string
  open(url: string): Promise<unknown>
  /** The value of an expression in the page, awaited. */
  run(expression: string): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  /** A picture of the window, as PNG. */
  picture(): Promise<Buffer>
  close(): Promise<void>
}

/** What an act in the page can do. Its text is sent to the browser: it refers to nothing outside itself. */
export type Hands = {
  /** Waits until it finds something. */
  until<Found>(find: () => Found | null | undefined | false, what: string): Promise<Found>
  /** Presses the first such element that is shown, can be pressed and contains this text. */
  press(selector: string, text: string): Promise<void>
  /** Fills in the field with this label. */
  type(label: string, value: string): Promise<void>
  /** Waits until the page says this. */
  reads(text: string): Promise<unknown>
}

function makeHands(): Hands {
  const until: Hands['until'] = async (find, what) => {
    for (let tries = 0; tries < 600; tries += 1) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`${what} never came at ${location.href}: ${document.body.innerText.slice(0, 400)}`)
  }
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const first = (selector: string, text: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].find(
      (element) => isShown(element) && !element.matches(':disabled') && element.textContent.includes(text),
    )
  return {
    until,
    async press(selector, text) {
      // A press before React answers is done by it later.
      await until(() => 'ready' in (document.getElementById('root')?.dataset ?? {}), 'React')
      const element = await until(() => first(selector, text), `${selector} “${text}”`)
      element.scrollIntoView({ block: 'center' })
      element.click()
    },
    async type(label, value) {
      const named = await until(
        () => first('label', label) as HTMLLabelElement | undefined,
        `field “${label}”`,
      )
      const field = named.control as HTMLInputElement
      // The setter of the element itself: React watches its own.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    },
    reads: (text) => until(() => document.body.innerText.includes(text), `“${text}”`),
  }
}

/** Has the page do something, as somebody in front of it. */
export const act = <Given, Done>(
  browser: EngineBrowser,
  what: (hands: Hands, given: Given) => Promise<Done>,
  given?: Given,
) =>
  browser.run(
    `(${String(what)})((${String(makeHands)})(), ${JSON.stringify(given ?? null)})`,
  ) as Promise<Done>
