import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { main, reportFailure } from '#server/main.ts'
import { isBuilt } from './build.ts'

/** `npm start`: the built site when it is missing or stale, in a process that takes its memory along; then the portal. */
try {
  if (!(await isBuilt())) build()
  await main(process.argv.slice(2))
} catch (error) {
  reportFailure(error)
}

function build(): void {
  const file = fileURLToPath(new URL('build.ts', import.meta.url))
  const { status } = spawnSync(process.execPath, [file], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the site could not be built')
}
