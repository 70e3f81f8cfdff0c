import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#tests/support/network.ts'
import type { EngineBrowser } from './browser.ts'

/** Otherwise the browser's own buttons and address make its window at least 447 pixels wide. */
const NARROW = '* { min-width: 0; min-height: 0; padding: 0; margin: 0; font-size: 4px; }'

/** In the page: what a later question returns. What goes wrong before it is there the portal is told by the page. */
const LISTEN = `
  const errors = (window.errorsSeen = [])
  addEventListener('error', ({ message }) => errors.push(message))
  addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
  const { error } = console
  console.error = (...words) => { errors.push(words.join(' ')); error.apply(console, words) }`

/** WebKitGTK by its WebDriver, in a screen of its own. */
export async function startWebKit(): Promise<EngineBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'cong-ninja-webkit-'))
  const downloads = join(home, 'Downloads')
  await mkdir(downloads)
  await mkdir(join(home, '.config/gtk-3.0'), { recursive: true })
  await writeFile(join(home, '.config/gtk-3.0/gtk.css'), NARROW)
  await writeFile(join(home, '.config/user-dirs.dirs'), 'XDG_DOWNLOAD_DIR="$HOME/Downloads"\n')
  const port = await freePort()
  const driver = spawn(
    'xvfb-run',
    ['--auto-servernum', '--server-args=-screen 0 1400x1000x24', 'WebKitWebDriver', `--port=${port}`],
    {
      // As root there is no sandbox.
      env: {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
      },
      stdio: 'ignore',
      detached: true,
    },
  )
  const ended = once(driver, 'close')
  const call = async (method: string, path: string, body: object = {}): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
  await untilListening(() => call('GET', '/status'))
  const { sessionId, capabilities } = (await call('POST', '/session', { capabilities: {} })) as {
    sessionId: string
    capabilities: { browserVersion: string }
  }
  const of = `/session/${sessionId}`
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    async open(url) {
      await call('POST', `${of}/url`, { url })
      await call('POST', `${of}/execute/sync`, { script: LISTEN, args: [] })
    },
    async run(expression) {
      const script = `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = (await call('POST', `${of}/execute/async`, { script, args: [] })) as {
        value?: unknown
        error?: string
      }
      if (error !== undefined) throw new Error(error)
      return value
    },
    resize: (width, height) => call('POST', `${of}/window/rect`, { width, height }),
    perform: (actions) => call('POST', `${of}/actions`, { actions }),
    async choose(selector, path) {
      const found = await call('POST', `${of}/element`, { using: 'css selector', value: selector })
      return call('POST', `${of}/element/${Object.values(found as object)[0]}/value`, { text: path })
    },
    downloads,
    errors: async () =>
      (await call('POST', `${of}/execute/sync`, {
        script: 'return (window.errorsSeen ?? []).splice(0)',
        args: [],
      })) as string[],
    async picture() {
      return Buffer.from((await call('GET', `${of}/screenshot`)) as string, 'base64')
    },
    async close() {
      await call('DELETE', of)
      // With the screen that it was started in.
      if (driver.pid) process.kill(-driver.pid)
      await ended
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function untilListening(ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    try {
      await ask()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('WebKitWebDriver does not answer')
}
