/** A browser that Playwright does not drive: what the flows need of it, whatever its protocol. */
export type EngineBrowser = {
  name: string
  open(url: string): Promise<unknown>
  /** The value of an expression in the page, awaited. */
  run(expression: string): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  /** Real keys and a real pointer, by the actions that both protocols share. */
  perform(actions: readonly object[]): Promise<unknown>
  /** Chooses a file of this machine in the first such field. */
  choose(selector: string, path: string): Promise<unknown>
  /** Where the files are that it saved. */
  downloads: string
  /** What went wrong in its pages since it was asked last. */
  errors(): Promise<string[]>
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
  /** Brings the first such element into the window; where a pointer presses it once it rests and nothing lies over it. */
  reach(selector: string, text: string): Promise<{ x: number; y: number }>
}

function makeHands(): Hands {
  const until: Hands['until'] = async (find, what) => {
    for (let tries = 0; tries < 400; tries += 1) {
      const found = find()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`${what} never came at ${location.href}: ${document.body.innerText.slice(0, 400)}`)
  }
  const isShown = (element: Element) =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const nameOf = (element: Element) => `${element.getAttribute('aria-label') ?? ''} ${element.textContent}`
  const first = (selector: string, text: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].find(
      (element) => isShown(element) && !element.matches(':disabled') && nameOf(element).includes(text),
    )
  const found = async (selector: string, text: string) => {
    // A press before React answers is done by it later. The console has no page before it does.
    const isReady = () =>
      location.pathname.startsWith('/admin') || 'ready' in (document.getElementById('root')?.dataset ?? {})
    await until(isReady, 'React')
    return until(() => first(selector, text), `${selector} “${text}”`)
  }
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  return {
    until,
    async reach(selector, text) {
      for (let tries = 0; tries < 200; tries += 1) {
        const element = await found(selector, text)
        element.scrollIntoView({ block: 'center', behavior: 'instant' })
        const before = element.getBoundingClientRect()
        await nextFrame()
        await nextFrame()
        const { left, top, width, height } = element.getBoundingClientRect()
        const place = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }
        const hit = document.elementFromPoint(place.x, place.y)
        // A card's field may lie over the words of its label.
        const whole = element.closest('label') ?? element
        const isFree = hit !== null && (whole.contains(hit) || hit.contains(element))
        if (isFree && before.left === left && before.top === top) return place
      }
      throw new Error(`no pointer reaches ${selector} “${text}” at ${location.href}`)
    },
    async press(selector, text) {
      const element = await found(selector, text)
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

/** Opens a page, once a closed dialog has taken back its entry of the history, which would end what begins meanwhile. */
export async function visit(browser: EngineBrowser, url: string): Promise<void> {
  await act(browser, ({ until }) =>
    until(
      () => !(history.state?.dialogs > document.querySelectorAll('dialog[open]').length),
      'the end of a closed dialog',
    ),
  )
  await browser.open(url)
}
