import { paths } from '#contract/pages.ts'
import { demoLogin } from '#seeds/players.ts'
import { examine, lineOf } from './checkup/index.ts'
import type { PortalDeps } from './deps.ts'
import { startPortal, type Portal, type Roles } from './portal.ts'
import { sentenceOf } from './start-failure.ts'

const PARENT_CHECK_MS = 500

function readRoles(argumentsGiven: readonly string[]): Roles {
  const isWeb = argumentsGiven.includes('--web')
  const isWorker = argumentsGiven.includes('--worker')
  return isWeb || isWorker ? { isWeb, isWorker } : { isWeb: true, isWorker: true }
}

/** Prints what is connected and what is not; what is missing is also logged. */
async function report({ config, log }: Portal): Promise<void> {
  const findings = await examine(config)
  for (const { level, name, text } of findings) if (level !== 'ok') log.warn({ name }, text)
  process.stderr.write(`\n${findings.map((finding) => `  ${lineOf(finding)}\n`).join('')}`)
}

function printWelcome({ config }: Portal): void {
  const lines = [
    '',
    `  Cổng Ninja is open at ${config.publicUrl}${paths.home}`,
    ...(config.isDemo
      ? [
          `  Demo player: ${demoLogin.username} / ${demoLogin.password}`,
          `  Pay a QR without a bank, text without a phone: ${config.publicUrl}${paths.sandbox}`,
        ]
      : []),
    '  Become an operator: npm run portal -- operator grant <username> owner',
    `  then sign in and turn on the second factor: ${config.publicUrl}${paths.profile}`,
    '',
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}

/**
 * Ends the portal on SIGTERM or SIGINT; a second signal ends it at once. A portal that is still starting is stopped as
 * soon as it has started: ended halfway, it would leave its PostgreSQL running. Each step of the stop is limited in time.
 */
function stopOnSignals(starting: Promise<Portal>): void {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1)
    begin(signal)
  }
  const begin = (signal: string) => {
    if (isStopping) return
    isStopping = true
    starting
      .then(async (portal) => {
        portal.log.info({ signal }, 'stopping')
        await portal.stop()
      })
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => begin('the end of npm'))
}

/**
 * `npm start` is npm, a shell, and this process. A signal to npm ends the shell, which passes nothing on: without its
 * parent the portal ends too, or it would keep port and database where nobody looks for it.
 */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_CHECK_MS)
  timer.unref()
}

export function reportFailure(error: unknown): void {
  process.stderr.write(`Cổng Ninja cannot start: ${sentenceOf(error)}\n`)
  process.exitCode = 1
}

/** The portal as a process: web and worker, or one of them with `--web` or `--worker`. */
export async function main(
  argumentsGiven: readonly string[],
  overrides: Partial<PortalDeps> = {},
): Promise<void> {
  const roles = readRoles(argumentsGiven)
  try {
    const starting = startPortal(process.env, roles, overrides)
    stopOnSignals(starting)
    const portal = await starting
    await report(portal)
    if (roles.isWeb) printWelcome(portal)
    else process.stderr.write('The worker of Cổng Ninja runs.\n')
  } catch (error) {
    reportFailure(error)
  }
}

if (import.meta.main) await main(process.argv.slice(2))
