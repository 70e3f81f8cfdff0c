import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { act, type EngineBrowser } from '../browser.ts'
import { KEY, personAt } from '../person.ts'
import type { World } from './world.ts'

/** With the network gone a page that is asked for is answered by the offline page. */
export async function offlinePage(browser: EngineBrowser, { url }: World): Promise<void> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const portal = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [one, other] of [
      [socket, portal],
      [portal, socket],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await browser.open(`${address}/home`)
  await act(browser, ({ until }) =>
    until(() => 'ready' in (document.getElementById('root')?.dataset ?? {}), 'React'),
  )
  // Strangers get it with their first touch.
  await personAt(browser).keys(KEY.escape)
  await act(browser, ({ until }) => until(() => navigator.serviceWorker.controller, 'the offline worker'))
  server.close()
  for (const socket of sockets) socket.destroy()
  await browser.open(`${address}/tournaments`)
  const title = await browser.run('document.title')
  if (title !== 'Không có kết nối mạng') throw new Error(`instead of the offline page: ${String(title)}`)
}
