import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNginxThere, startNginx } from '#tests/support/nginx.ts'
import { childrenOf, type PortalProcess } from '#tests/support/processes.ts'
import { type Answering, measureAt } from '../plain-server.ts'
import { inRounds, mediansOf, ratioOf } from '../rounds.ts'
import { readyRequest } from '../steady-load.ts'

export const CONNECTIONS = 16

export type Pairs = { pairs: number; seconds: number }

/** What the portal answers beside a yardstick, in turn; the ratios are those of the pairs. */
export async function compareInPairs(
  portal: Answering,
  yardstick: Answering & { path: string },
  { pairs, seconds }: Pairs,
) {
  const measure = (server: Answering, path: string) => {
    const request = readyRequest({ path })
    return measureAt(server, { next: () => request, connections: CONNECTIONS, seconds })
  }
  const runs = await inRounds(pairs, {
    portal: () => measure(portal, '/home'),
    yardstick: () => measure(yardstick, yardstick.path),
  })
  return {
    portal: mediansOf(runs.portal),
    yardstick: mediansOf(runs.yardstick),
    rateRatio: ratioOf('perSecond', runs.portal, runs.yardstick),
    cpuRatio: ratioOf('cpuMs', runs.portal, runs.yardstick),
  }
}

/**
 * The portal behind the project's nginx, beside a file that the same nginx serves, with as many bytes, the same access log,
 * and as they lie there: nginx would compress a page of its own for each request. Without TLS.
 */
export async function behindNginx(portal: PortalProcess, bytes: number, options: Pairs) {
  if (!isNginxThere()) return 'nginx is not there'
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-static-'))
  await writeFile(join(folder, 'static.html'), Buffer.alloc(bytes, 'a'))
  const file = `location = /static.html { root ${folder}; gzip off; }`
  const nginx = await startNginx({
    webPorts: [Number(new URL(portal.url).port)],
    change: (text) =>
      text
        .replace(/(listen [\d.:]+) ssl http2;/, '$1;')
        .replace('location /api/ {', `${file}\n    location /api/ {`),
  })
  try {
    const url = `http://127.0.0.1:${nginx.httpsPort}`
    const pids = [nginx.pid(), ...(await childrenOf(nginx.pid()))]
    const ofNginx = { url, pids, path: '/static.html' }
    return await compareInPairs({ url, pids: [...pids, portal.pid] }, ofNginx, options)
  } finally {
    await nginx.end()
    await rm(folder, { recursive: true })
  }
}
