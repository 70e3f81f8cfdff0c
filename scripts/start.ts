import { main, reportFailure } from '#server/main.ts'
import { buildIfNeeded } from './build.ts'

/** `npm start`: the built site when it is missing or stale, then the portal, in one process. */
try {
  await buildIfNeeded()
  await main(process.argv.slice(2))
} catch (error) {
  reportFailure(error)
}
