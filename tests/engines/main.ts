import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from '#scripts/build.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { installFromDebian } from '#tests/support/debian.ts'
import { leaveOut } from '#tests/support/left-out.ts'
import { startPortalProcess } from '#tests/support/processes.ts'
import { readableBelowFloor } from './below-the-floor.ts'
import type { EngineBrowser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { mainLoop } from './main-loop.ts'
import { offlinePage } from './offline.ts'
import { oldChromium } from './old-chromium.ts'
import { startWebKit } from './webkit.ts'

const { only } = readOptions({
  usage: `npm run engines [-- --only <engine>]

The portal in other engines than the Chromium of the browser tests: chromium-109 (from npm: the browser tests of the main tasks),
firefox and webkit (Firefox ESR and WebKitGTK of Debian: the main loop at 360 and 1280), chromium-88 (from npm, below the floor:
every public page readable, as pictures in screenshots/old-browsers).
  --only <engine>   one of them`,
  options: { only: 'text' },
}).values

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The browser tests of the tasks that matter most. */
const TASKS = [
  'main-loop',
  'paying',
  'contacts',
  'gifts',
  'transfer',
  'statement',
  'tournament-live',
  'help',
  'second-factor',
  'resilience',
].map((name) => `tests/e2e/player/${name}.e2e.ts`)
const CONSOLE_TASKS = ['console', 'money', 'desk', 'posts'].map((name) => `tests/e2e/admin/${name}.e2e.ts`)

const SIZES = [
  [360, 740],
  [1280, 800],
] as const

async function tasksInChromium(url: string): Promise<string[]> {
  const path = await oldChromium(109)
  // It cannot tell a style sheet that scripts are off: a button stays that does nothing.
  const options = ['--grep-invert', 'every version can be downloaded|@long']
  const { status } = spawnSync('playwright', ['test', ...TASKS, ...CONSOLE_TASKS, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
      CHROMIUM_PATH: path,
    },
  })
  return status === 0 ? [] : [`browser tests of ${url} in Chromium 109 failed: see above`]
}

/** The main loop at each size and what comes without a network; a picture shows where it ended. */
async function flowsIn(start: () => Promise<EngineBrowser>, url: string): Promise<string[]> {
  const wrong: string[] = []
  const pictures = join(root, 'screenshots/engines')
  await mkdir(pictures, { recursive: true })
  for (const [width, height] of SIZES) {
    const browser = await start()
    try {
      await browser.resize(width, height)
      await mainLoop(browser, url)
      await offlinePage(browser, url)
      console.log(`${browser.name} at ${width}: the main loop and the offline page`)
    } catch (error) {
      wrong.push(`${browser.name} at ${width}: ${String(error)}`)
    } finally {
      await writeFile(
        join(pictures, `${browser.name.replaceAll(' ', '-')}-${width}.png`),
        await browser.picture(),
      )
      await browser.close()
    }
  }
  return wrong
}

type Engine = { name: string; prepare(): Promise<unknown>; check(url: string): Promise<string[]> }

const ENGINES: readonly Engine[] = [
  { name: 'chromium-109', prepare: () => oldChromium(109), check: tasksInChromium },
  {
    name: 'firefox',
    prepare: () => installed('firefox-esr', ['firefox-esr']),
    check: (url) => flowsIn(startFirefox, url),
  },
  {
    name: 'webkit',
    prepare: () => installed('WebKitWebDriver', ['webkit2gtk-driver', 'xvfb', 'xauth']),
    check: (url) => flowsIn(startWebKit, url),
  },
  {
    name: 'chromium-88',
    prepare: () => oldChromium(88),
    check: async (url) => readableBelowFloor(await oldChromium(88), url),
  },
]

async function installed(program: string, packages: readonly string[]): Promise<void> {
  const isThere = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!isThere) await installFromDebian(packages, program)
}

const chosen = ENGINES.filter(({ name }) => only === undefined || name === only)
if (chosen.length === 0) {
  console.error(`no engine is called ${only}: ${ENGINES.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
await buildIfNeeded()
await inTestRun(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-engines-'))
  const portal = await startPortalProcess({ dataDir: folder, environment: { DEMO: '1', LOG_LEVEL: 'warn' } })
  let passed = 0
  const wrong: string[] = []
  try {
    for (const { name, prepare, check } of chosen) {
      const reason = await prepare().then(() => null, String)
      if (reason !== null) {
        await leaveOut(`The portal was not tried in ${name}, which could not be had: ${reason}`)
        continue
      }
      const found = await check(portal.url)
      if (found.length === 0) passed += 1
      wrong.push(...found)
    }
  } finally {
    await portal.end()
    await rm(folder, { recursive: true, force: true })
  }
  console.log([...wrong, `\nengines: ${passed} passed, ${chosen.length - passed} failed`].join('\n'))
  process.exitCode = wrong.length > 0 ? 1 : 0
})
