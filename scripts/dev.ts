import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { buildIfNeeded } from './build.ts'

/**
 * `npm run dev`: the portal, started again when server code changes, its site built again when web code changes. The
 * embedded database outlives the restarts.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const SERVER_FOLDERS = ['src/server', 'src/contract', 'seeds', 'migrations', 'dist/web']
const SITE_FOLDERS = ['src/web', 'src/ui', 'src/contract']
const QUIET_MS = 200

await buildIfNeeded()

let timer: NodeJS.Timeout | undefined
let building: Promise<unknown> = Promise.resolve()
const rebuild = () => {
  building = building.then(buildIfNeeded).catch((error: unknown) => console.error(error))
}
for (const folder of SITE_FOLDERS) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(rebuild, QUIET_MS)
  })
}

const server = spawn(
  process.execPath,
  [
    ...SERVER_FOLDERS.map((folder) => `--watch-path=${join(root, folder)}`),
    'src/server/main.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 0))
