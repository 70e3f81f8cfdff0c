import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '#tests/support/network.ts'
import type { EngineBrowser } from './browser.ts'

/** The smallest window of its browser. */
const WIDTH_MIN = 447

/** WebKitGTK by its WebDriver, in a screen of its own. */
export async function startWebKit(): Promise<EngineBrowser> {
  const port = await freePort()
  const driver = spawn(
    'xvfb-run',
    ['--auto-servernum', '--server-args=-screen 0 1400x1000x24', 'WebKitWebDriver', `--port=${port}`],
    {
      // As root there is no sandbox.
      env: { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
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
    open: (url) => call('POST', `${of}/url`, { url }),
    async run(expression) {
      const script = `const done = arguments[0]; Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }))`
      const { value, error } = (await call('POST', `${of}/execute/async`, { script, args: [] })) as {
        value?: unknown
        error?: string
      }
      if (error !== undefined) throw new Error(error)
      return value
    },
    resize: (width, height) =>
      call('POST', `${of}/window/rect`, { width: Math.max(width, WIDTH_MIN), height }),
    async picture() {
      return Buffer.from((await call('GET', `${of}/screenshot`)) as string, 'base64')
    },
    async close() {
      await call('DELETE', of)
      // With the screen that it was started in.
      if (driver.pid) process.kill(-driver.pid)
      await ended
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
