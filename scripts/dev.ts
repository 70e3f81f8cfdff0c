import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/**
 * `npm run dev`: the portal with its pages served through Vite. A change of browser code is replaced in the open page;
 * a change of server code starts the process again, while the embedded database stays up.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const RESTARTED_FOR = ['src/server', 'src/contract', 'seeds', 'migrations', 'sql', 'scripts/dev']

const server = spawn(
  process.execPath,
  [
    ...RESTARTED_FOR.map((folder) => `--watch-path=${join(root, folder)}`),
    '--watch-preserve-output',
    'scripts/dev/portal.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'development' } },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code) => process.exit(code ?? 0))
