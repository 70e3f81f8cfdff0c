import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Fault } from '#game-server/faults.ts'
import { startGameServer } from '#game-server/game-server.ts'
import { type Character, type Newcomers, World } from '#game-server/world.ts'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { signGameCall } from '#server/modules/game-bridge/http-game.client.ts'

export type TestGame = {
  url: string
  /** Calls that came in, as `PUT /v1/deliveries/…`. */
  calls: string[]
  addCharacter(wishes: Pick<Character, 'id' | 'account' | 'name'> & Partial<Character>): Character
  removeCharacter(character: Character): void
  /** The next `times` deliveries meet this fault. */
  failNext(fault: Fault, times?: number): void
  /** Delay of every answer. */
  slowDown(ms: number): void
  close(): Promise<void>
}

/** The reference game server in the test's own process; with an empty world and without default characters. */
export async function startTestGame({
  secret,
  newcomers,
}: {
  secret: string
  newcomers?: Newcomers
}): Promise<TestGame> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-game-'))
  const world = new World(newcomers)
  const calls: string[] = []
  const server = await startGameServer({
    secrets: [secret],
    dataDir,
    world,
    onCall: (call) => void calls.push(call),
  })
  return {
    url: server.url,
    calls,
    addCharacter(wishes) {
      const stranger = { serverId: '1', head: 5, classId: 1, level: 10, luong: 0, yen: 0, items: [] }
      const character = { ...stranger, ...wishes }
      world.add(character)
      return character
    },
    removeCharacter: (character) => world.remove(character),
    failNext: (fault, times) => server.faults.failNext(fault, times),
    slowDown(ms) {
      server.faults.delayMs = ms
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What `docs/runbooks/restore.md` makes of the journal in this folder, by the same command's rules. */
export async function gameRecord(folder: string): Promise<string> {
  const { rows } = await readJournal(join(folder, JOURNAL_FILE))
  const lines = rows.flatMap((row) =>
    row.status !== 'applied'
      ? []
      : [
          JSON.stringify({
            id: row.id,
            account: row.delivery.account,
            character_id: row.delivery.characterId,
            goods: row.delivery.goods,
            at: row.at,
          }),
        ],
  )
  return `${lines.join('\n')}\n`
}

/** What a game's developer easily gets wrong. */
export type Mistake =
  | 'applies repeats again'
  | 'forgets cancellations'
  | 'forgets refusals'
  | 'claims to have applied what it refused'
  | 'lets anybody cancel'
  | 'does not declare that it answers JSON'
  | 'believes any signature'

type Call = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }

/** A game server with one mistake: a correct one behind a proxy that changes calls or answers. */
export async function startBrokenGame(
  mistake: Mistake,
  right: { url: string; secret: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy())
  })

  const refused = new Set<string>()

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString('utf8')
    const call = { method: request.method as Call['method'], path: request.url ?? '', body }
    let header = String(request.headers['x-portal-signature'] ?? '')
    const sign = () => {
      header = signGameCall(right.secret, Math.floor(Date.now() / 1000), call)
    }
    const isCancel = call.path.endsWith('/cancel')
    if (mistake === 'believes any signature' || (mistake === 'lets anybody cancel' && isCancel)) sign()
    if (mistake === 'applies repeats again' && call.method === 'PUT') {
      call.path = `/v1/deliveries/${randomUUID()}`
      sign()
    }
    if (mistake === 'forgets cancellations' && isCancel) {
      response.end('{"status":"cancelled"}')
      return
    }
    if (mistake === 'forgets refusals' && refused.has(call.path)) {
      call.path = `/v1/deliveries/${randomUUID()}`
      sign()
    }
    if (
      mistake === 'claims to have applied what it refused' &&
      isCancel &&
      refused.has(call.path.replace('/cancel', ''))
    ) {
      response.end('{"status":"applied"}')
      return
    }
    const { method } = call
    const answer = await fetch(right.url + call.path, {
      method,
      headers: { 'x-portal-signature': header },
      ...(method === 'GET' ? {} : { body }),
    })
    if (answer.status === 422) refused.add(request.url ?? '')
    const type = mistake === 'does not declare that it answers JSON' ? 'text/plain' : 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text())
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
