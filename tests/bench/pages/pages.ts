import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../../harness/resources.ts'
import { withBenchPortal } from '../bench-portal.ts'
import { answerOf, startPlainServer } from '../plain-server.ts'
import { behindNginx, compareInPairs, type Pairs } from './cached.ts'
import { floods } from './floods.ts'
import { uncachedPages } from './uncached.ts'

const HOME = { path: '/home' }

/** Pages by one process with its access log on, beside plain `node:http` and a file of nginx. */
export const benchPages = (options: Pairs) =>
  withBenchPortal(
    async (portal) => {
      await using cleanup = new AsyncDisposableStack()
      const atRest = await residentMb(portal)
      // The third visitor gets the page compressed as well as it ever is.
      for (let visit = 0; visit < 3; visit++) {
        await answerOf(portal.url, HOME)
        await sleep(200)
      }
      const plain = await startPlainServer(cleanup, portal.url, [HOME])
      const cached = await compareInPairs({ ...portal, pids: [portal.pid] }, { ...plain, ...HOME }, options)
      const { body } = await answerOf(portal.url, HOME)
      const nginx = await behindNginx(portal, body.length, options)
      const flooded = await floods(portal, options.pairs)
      const afterwards = await residentMb(portal)
      const uncached = await uncachedPages(portal, plain)
      return { cached, nginx, uncached, floods: flooded, memoryMb: { atRest, afterwards } }
    },
    { environment: { LOG_LEVEL: 'info' } },
  )
