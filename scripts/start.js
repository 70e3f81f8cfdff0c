import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { fileURLToPath } from 'node:url'
import { cacheCompiledCode } from '#server/start/compile-cache.js'

/*
 * `npm start`: the built site when it is missing or stale, in a process that takes its memory along; then the portal. In plain
 * JavaScript for the reason of `src/server/start/start.js`: before a first start that process compiles what this one consists of.
 */
cacheCompiledCode(process.env)
try {
  // Options are read before anything is built; without any, nothing more is loaded here.
  const argumentsGiven = process.argv.slice(2)
  if (argumentsGiven.length > 0) await readArguments(argumentsGiven)
  if (isNothingCompiled()) await build()
  const { isBuilt } = await import('./build.ts')
  if (!(await isBuilt())) await build()
  const { main } = await import('#server/start/main.ts')
  await main(argumentsGiven)
} catch (error) {
  const { reportFailure } = await import('#server/start/main.ts')
  reportFailure(error)
}

/** @param {string[]} argumentsGiven */
async function readArguments(argumentsGiven) {
  const { readRoles, START_USAGE } = await import('#server/start/roles.ts')
  if (argumentsGiven.includes('--help') || argumentsGiven.includes('-h')) {
    console.log(START_USAGE)
    process.exit(0)
  }
  readRoles(argumentsGiven)
}

function isNothingCompiled() {
  const folder = getCompileCacheDir()
  return folder !== undefined && readdirSync(folder).length === 0
}

async function build() {
  const file = fileURLToPath(new URL('build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' })
  if (status === 0) return
  const { SetupProblem } = await import('#server/platform/values/errors.ts')
  // That process has said why.
  throw new SetupProblem('the site could not be built')
}
