import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineBrowser } from './browser.ts'

type Reply = { id?: number; error?: string; message?: string; result?: unknown }
type Evaluated = {
  type: string
  result?: { value?: unknown; sharedId?: string }
  exceptionDetails?: { text: string }
}
type Event = { method?: string; params: { level: string; type: string; text: string | null } }

/** Firefox by WebDriver BiDi, which it speaks without a driver. Playwright's client of it needs commands that the ESR lacks. */
export async function startFirefox(): Promise<EngineBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'cong-ninja-firefox-'))
  const downloads = join(profile, 'downloads')
  await mkdir(downloads)
  await writeFile(
    join(profile, 'user.js'),
    `user_pref("browser.download.folderList", 2);\nuser_pref("browser.download.dir", ${JSON.stringify(downloads)});\n`,
  )
  const child = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, HOME: profile }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'close')
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const found = /BiDi listening on (ws:\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.on('close', () => reject(new Error(`Firefox ended: ${text}`)))
  })
  const errors: string[] = []
  const send = await connect(`${address}/session`, ({ method, params: { level, text } }) => {
    if (method !== 'log.entryAdded' || level !== 'error') return
    // Of a font that was on its way when the page was left.
    if (!text?.includes('status=2152398850')) errors.push(text ?? 'an error without words')
  })
  const { capabilities } = (await send('session.new', { capabilities: {} })) as {
    capabilities: { browserVersion: string }
  }
  const tree = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = tree.contexts[0]?.context
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const evaluate = (expression: string) =>
    send('script.evaluate', { expression, target: { context }, awaitPromise: true }) as Promise<Evaluated>
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async run(expression) {
      // As text: the protocol has types of its own for what a script returns.
      const evaluated = await evaluate(
        `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
      )
      if (evaluated.type === 'exception') throw new Error(evaluated.exceptionDetails?.text)
      return JSON.parse(String(evaluated.result?.value)) as unknown
    },
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    perform: (actions) => send('input.performActions', { context, actions }),
    async choose(selector, path) {
      const { result } = await evaluate(`document.querySelector(${JSON.stringify(selector)})`)
      return send('input.setFiles', { context, element: { sharedId: result?.sharedId }, files: [path] })
    },
    downloads,
    errors: async () => errors.splice(0),
    async picture() {
      const { data } = (await send('browsingContext.captureScreenshot', { context })) as { data: string }
      return Buffer.from(data, 'base64')
    },
    async close() {
      await send('browser.close', {})
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

/** Commands over one connection, each with its answer, and what happens meanwhile. */
async function connect(
  address: string,
  onEvent: (event: Event) => void,
): Promise<(method: string, params: object) => Promise<unknown>> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Reply | Event
    if ('params' in message) onEvent(message)
    else waiting.get(message.id ?? 0)?.(message)
  })
  let last = 0
  return async (method, params) => {
    const id = (last += 1)
    const { promise, resolve } = Promise.withResolvers<Reply>()
    waiting.set(id, resolve)
    socket.send(JSON.stringify({ id, method, params }))
    const { error, message, result } = await promise
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error}: ${message}`)
    return result
  }
}
