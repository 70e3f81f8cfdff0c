import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { installFromDebian, reasonIn, report, runProgram } from './debian.ts'

const run = promisify(execFile)

/** First the shell: the same engine without the windows of a browser, which cost a fifth of the browser tests' CPU time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
/** A Chromium that renders without a graphics card and calls no host but the portal. */
export const CHROMIUM_FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const ANSWER_TIMEOUT_MS = 30_000
const INSTALL_TIMEOUT_MS = 5 * 60_000

type Environment = Record<string, string | undefined>

/** A Chromium that runs on this machine: the one named, one that is installed, or one we install. Throws with every reason. */
export async function findChromium(env: Environment = process.env): Promise<string> {
  const named = env.CHROMIUM_PATH
  if (named) {
    const reason = await whyNotRunning(named)
    if (reason === null) return named
    throw new Error(`CHROMIUM_PATH names ${named}, which does not run: ${reason}`)
  }
  const reasons: string[] = []
  for (const step of [installed, installedByPlaywright, fromDebian, fromPlaywright]) {
    try {
      return await step(env)
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(
    `The browser tests need a Chromium, and none could be had:\n${reasons.map((reason) => `- ${reason}`).join('\n')}\n` +
      'Install one (Debian: apt-get install chromium) or name one with CHROMIUM_PATH.',
  )
}

async function installed({ PATH = '' }: Environment): Promise<string> {
  const dirs = PATH.split(delimiter).filter(Boolean)
  const candidates = [...NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))), ...APPLICATIONS]
  const reasons: string[] = []
  for (const candidate of candidates) {
    if (!(await isExecutable(candidate))) continue
    const reason = await whyNotRunning(candidate)
    if (reason === null) return candidate
    reasons.push(`${candidate} does not run: ${reason}`)
  }
  throw new Error(reasons.join('; ') || `none of ${NAMES.join(', ')} is on PATH`)
}

async function installedByPlaywright(): Promise<string> {
  // Loaded only when it comes to that: it takes most of a second.
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  const reason = await whyNotRunning(path)
  if (reason === null) return path
  throw new Error(`Playwright has no Chromium that runs: ${reason}`)
}

async function fromDebian(env: Environment): Promise<string> {
  await installFromDebian(['chromium-headless-shell'], 'Chromium')
  return installed(env)
}

const FONT_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '~/.fonts', '~/.local/share/fonts']
/** Of `src/ui/fonts.css`: what stands for the page's own font until it comes. */
const FALLBACK_FONT = /(?:^|\/)(?:LiberationSans|Roboto|Arial|Helvetica)(?:-Regular)?\.(?:ttf|otf)$/i

/**
 * A phone has a font that the pages are laid out for until their own comes, and a server may have none: it is installed, or
 * the tests that will miss it are reported.
 */
export async function findFallbackFont(folders: readonly string[] = FONT_FOLDERS): Promise<void> {
  if (process.platform !== 'linux') return
  for (const folder of folders) {
    const files = await readdir(folder.replace('~', homedir()), { recursive: true }).catch(() => [])
    if (files.some((file) => FALLBACK_FONT.test(file))) return
  }
  try {
    await installFromDebian(['fonts-liberation'], 'font of a phone')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report(
      `The tests of layout-shift.e2e.ts will fail: they need Liberation Sans, Roboto or Arial (Debian: fonts-liberation). ${reason}`,
    )
  }
}

async function fromPlaywright(): Promise<string> {
  report("No Chromium found: fetching Playwright's own, which may take some minutes …")
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
  const withSystemLibraries = process.platform === 'linux' && process.getuid?.() === 0 ? ['--with-deps'] : []
  await runProgram(process.execPath, [cli, 'install', ...withSystemLibraries, '--no-shell', 'chromium'], {
    timeout: INSTALL_TIMEOUT_MS,
    env: process.env,
  })
  return installedByPlaywright()
}

/** Null when it runs. Being there is not enough: a browser often lacks a library of the system. */
async function whyNotRunning(path: string): Promise<string | null> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: ANSWER_TIMEOUT_MS })
    return /\d+\.\d+/.test(stdout) ? null : `it does not tell its version (${reasonIn(stdout)})`
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    return reasonIn(stderr) || message
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

if (import.meta.main) {
  try {
    console.log(await findChromium())
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
