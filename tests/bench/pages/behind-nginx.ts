import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childrenOf, type PortalProcess } from '#tests/support/processes.ts'
import { isNginxThere, startNginx } from '#tests/support/nginx.ts'
import { compareInPairs, type CachedFigures } from './cached.ts'

/**
 * The portal behind the project's nginx, beside a file that the same nginx serves, with as many bytes, the same access log,
 * and as they lie there: nginx would compress a page of its own for each request. Without TLS.
 */
export async function behindNginx(
  portal: PortalProcess,
  { bytes, ...wanted }: { bytes: number; pairs: number; seconds: number },
): Promise<CachedFigures | 'nginx is not there'> {
  if (!isNginxThere()) return 'nginx is not there'
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-static-'))
  await writeFile(join(folder, 'static.html'), Buffer.alloc(bytes, 'a'))
  const nginx = await startNginx({
    webPorts: [Number(new URL(portal.url).port)],
    change: (file) =>
      file
        .replace(/(listen [\d.:]+) ssl http2;/, '$1;')
        .replace(
          'location /api/ {',
          `location = /static.html { root ${folder}; gzip off; }\n    location /api/ {`,
        ),
  })
  try {
    const url = new URL(`http://127.0.0.1:${nginx.httpsPort}`)
    const pids = [nginx.pid(), ...(await childrenOf(nginx.pid()))]
    return await compareInPairs(
      { url, path: '/home', pids: [...pids, portal.pid] },
      { url, path: '/static.html', pids },
      wanted,
    )
  } finally {
    await nginx.end()
    await rm(folder, { recursive: true })
  }
}
