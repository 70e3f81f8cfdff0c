import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { OF_OLD_ENGINES } from '#tests/e2e/player/fixtures.ts'
import { CHROMIUM_FLAGS } from '#tests/support/chromium.ts'
import type { EngineBrowser } from './browser.ts'
import { KEY } from './person.ts'

/** A refused call, such as one that takes a code, is an error to Chromium alone. */
const EXPECTED = new RegExp(`${OF_OLD_ENGINES.source}|status of (409|422)`)

type Action = { type: string; value?: string; x?: number; y?: number }

const NAMES = new Map<string, string>([
  [KEY.enter, 'Enter'],
  [KEY.escape, 'Escape'],
  [KEY.control, 'Control'],
])

/** An action of WebDriver by Playwright, whose keys are those of an American keyboard. */
function perform({ keyboard, mouse }: Page, { type, value = '', x = 0, y = 0 }: Action): Promise<void> {
  const key = NAMES.get(value) ?? value
  const isOnKeyboard = NAMES.has(value) || /^[ -~]$/.test(value)
  if (type === 'pointerMove') return mouse.move(x, y)
  if (type === 'pointerDown') return mouse.down()
  if (type === 'pointerUp') return mouse.up()
  if (type === 'keyUp') return isOnKeyboard ? keyboard.up(key) : Promise.resolve()
  return isOnKeyboard ? keyboard.down(key) : keyboard.insertText(value)
}

/** A Chromium at this path, whatever its age. */
export async function startChromium(executablePath: string): Promise<EngineBrowser> {
  const downloads = await mkdtemp(join(tmpdir(), 'cong-ninja-chromium-'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...CHROMIUM_FLAGS] })
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) errors.push(message.text())
  })
  page.on('download', (download) => void download.saveAs(join(downloads, download.suggestedFilename())))
  return {
    name: `Chromium ${browser.version().split('.')[0]}`,
    open: (url) => page.goto(url),
    run: (expression) => page.evaluate(expression),
    resize: (width, height) => page.setViewportSize({ width, height }),
    async perform(inputs) {
      const actions = inputs.flatMap((input) => (input as { actions: Action[] }).actions)
      for (const action of actions) await perform(page, action)
    },
    choose: (selector, path) => page.setInputFiles(selector, path),
    downloads,
    errors: async () => errors.splice(0),
    picture: () => page.screenshot(),
    async close() {
      await browser.close()
      await rm(downloads, { recursive: true, force: true })
    },
  }
}
