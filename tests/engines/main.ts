import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from '#scripts/build.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { withDatabase } from '#tests/e2e/player/portal-database.ts'
import { installFromDebian } from '#tests/support/debian.ts'
import { leaveOut } from '#tests/support/left-out.ts'
import { type PortalProcess, startPortalProcess } from '#tests/support/processes.ts'
import { readableBelowFloor } from './below-the-floor.ts'
import type { EngineBrowser } from './browser.ts'
import { startChromium } from './chromium.ts'
import { startFirefox } from './firefox.ts'
import { inboxAndAct } from './flows/console.ts'
import { desk } from './flows/desk.ts'
import { postEditor } from './flows/editor.ts'
import { caseWithPicture } from './flows/help.ts'
import { mainLoop } from './flows/main-loop.ts'
import { offlinePage } from './flows/offline.ts'
import { secondFactor } from './flows/second-factor.ts'
import { liveTournament } from './flows/tournament.ts'
import { gifts, transferAndStatement } from './flows/wallet.ts'
import { openWorld, type World } from './flows/world.ts'
import { oldChromium } from './old-chromium.ts'
import { isOldWebKitThere, readableInOldWebKit } from './old-webkit.ts'
import { startWebKit } from './webkit.ts'

const { only } = readOptions({
  usage: `npm run engines [-- --only <engine>]

The portal in other engines than the Chromium of the browser tests: chromium-109 (from npm: the browser tests of the main tasks),
firefox and webkit (Firefox ESR and WebKitGTK of Debian), all with flows of players and operators at 360 and 1280; below the
floor chromium-88 (from npm) and webkit-610 (JavaFX of Debian): every public page readable, as pictures in screenshots/old-browsers.
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

const FLOWS: Readonly<Record<string, (browser: EngineBrowser, world: World) => Promise<void>>> = {
  'the main loop': mainLoop,
  gifts,
  'transfer and statement': transferAndStatement,
  'a live tournament': liveTournament,
  'a case with a picture': caseWithPicture,
  'the second factor': secondFactor,
  'the console: inbox and act': inboxAndAct,
  'the console: editor': postEditor,
  'the console: desk': desk,
  'the offline page': offlinePage,
}

const SIZES = [
  [360, 740],
  [1280, 800],
] as const

/** The browser tests of the tasks, each at both sizes. */
async function tasksInChromium(path: string): Promise<string[]> {
  // It cannot tell a style sheet that scripts are off: a button stays that does nothing.
  const options = ['--grep-invert', 'every version can be downloaded|@long']
  const { status } = spawnSync('playwright', ['test', ...TASKS, ...CONSOLE_TASKS, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}`,
      CHROMIUM_PATH: path,
      EACH_AT_BOTH_SIZES: '1',
    },
  })
  return status === 0 ? [] : ['browser tests in Chromium 109 failed: see above']
}

/** Each flow at each size; pictures show where those ended that failed. */
async function flowsIn(start: () => Promise<EngineBrowser>, portal: PortalProcess): Promise<string[]> {
  const wrong: string[] = []
  const pictures = join(root, 'screenshots/engines')
  await mkdir(pictures, { recursive: true })
  const world = await openWorld(portal)
  for (const [width, height] of SIZES) {
    const browser = await start()
    for (const [name, flow] of Object.entries(FLOWS)) {
      const place = `${browser.name} at ${width}: ${name}`
      try {
        await browser.resize(width, height)
        await flow(browser, world)
        const errors = await browser.errors()
        if (errors.length > 0) throw new Error(`errors in the page: ${errors.join('; ')}`)
        console.log(place)
      } catch (error) {
        wrong.push(`${place}: ${String(error)}`)
        console.log(`${place}: FAILED: ${String(error)}`)
        // One that has crashed paints nothing.
        const picture = await browser.picture().catch(() => null)
        if (picture) await writeFile(join(pictures, `${place.replaceAll(/\W+/g, '-')}.png`), picture)
      }
    }
    await browser.close()
  }
  await world.end()
  return wrong
}

/** What pages told the portal of themselves: also of what went wrong before anybody could listen in them. */
async function toldErrors({ dataDir }: PortalProcess): Promise<string[]> {
  const { rows } = await withDatabase(
    (database) =>
      database.query<{ told: string }>(
        `SELECT concat_ws(' ', 'A page reported', message, place, pages, engines) AS told FROM client_error`,
      ),
    dataDir,
  )
  return rows.map(({ told }) => told)
}

type Engine = { name: string; prepare(): Promise<unknown>; check(portal: PortalProcess): Promise<string[]> }

const ENGINES: readonly Engine[] = [
  {
    name: 'chromium-109',
    prepare: () => oldChromium(109),
    check: async (portal) => {
      const path = await oldChromium(109)
      const wrong = await flowsIn(() => startChromium(path), portal)
      return [...wrong, ...(await tasksInChromium(path))]
    },
  },
  {
    name: 'firefox',
    prepare: () => installed('firefox-esr', ['firefox-esr']),
    check: (portal) => flowsIn(startFirefox, portal),
  },
  {
    name: 'webkit',
    prepare: () => installed('WebKitWebDriver', ['webkit2gtk-driver', 'xvfb', 'xauth']),
    check: (portal) => flowsIn(startWebKit, portal),
  },
  {
    name: 'chromium-88',
    prepare: () => oldChromium(88),
    check: async ({ url }) => readableBelowFloor(await oldChromium(88), url),
  },
  {
    name: 'webkit-610',
    async prepare() {
      await installed('java', ['default-jdk-headless'])
      await installed('xvfb-run', ['xvfb', 'xauth'])
      if (!isOldWebKitThere()) await installFromDebian(['libopenjfx-java'], 'JavaFX')
    },
    check: ({ url }) => readableInOldWebKit(url),
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
  const portal = await startPortalProcess({
    dataDir: folder,
    environment: { DEMO: '1', LOG_LEVEL: 'warn', TRUST_PROXY: '127.0.0.1' },
  })
  let passed = 0
  let failed = 0
  const wrong: string[] = []
  try {
    for (const { name, prepare, check } of chosen) {
      const reason = await prepare().then(() => null, String)
      if (reason !== null) {
        await leaveOut(`The portal was not tried in ${name}, which could not be had: ${reason}`)
        continue
      }
      const found = await check(portal)
      if (found.length === 0) passed += 1
      else failed += 1
      wrong.push(...found)
    }
    wrong.push(...(await toldErrors(portal)))
  } finally {
    await portal.end()
    await rm(folder, { recursive: true, force: true })
  }
  console.log([...wrong, `\nengines: ${passed} passed, ${failed} failed`].join('\n'))
  process.exitCode = wrong.length > 0 ? 1 : 0
})
