import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CollectingSettings } from '#game-server/collecting.ts'
import type { Fault } from '#game-server/faults.ts'
import { startGameServer } from '#game-server/game-server.ts'
import { type Character, type Newcomers, World } from '#game-server/world.ts'
import { JOURNAL_FILE, readJournal } from '#game-server/journal.ts'
import { signGameCall } from '#contract/game/signature.ts'

export type TestGame = {
  url: string
  /** Calls that came in, as `PUT /v1/deliveries/…`. */
  calls: string[]
  addCharacter(wishes: Pick<Character, 'id' | 'account' | 'name'> & Partial<Character>): Character
  removeCharacter(character: Character): void
  /** What a character has now. */
  find(id: string): Character | undefined
  /** Puts back an older copy of the game: its journal ends after this many rows, and what came later is gone. */
  setBack(toRows: (rows: number) => number): Promise<void>
  /** The next `times` deliveries meet this fault. */
  failNext(fault: Fault, times?: number): void
  /** Delay of every answer. */
  slowDown(ms: number): void
  /** Changes how goods come to characters, and collects what now can be. */
  collect(change: Partial<CollectingSettings>): void
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
  const calls: string[] = []
  const born = new Map<string, Character>()
  const copyOf = (character: Character): Character => ({ ...character, items: [...character.items] })
  const open = async (port?: number) => {
    const world = new World(newcomers)
    const lives = new Map([...born].map(([id, character]) => [id, copyOf(character)]))
    for (const character of lives.values()) world.add(character)
    const onCall = (call: string) => void calls.push(call)
    const options = { secrets: [secret], dataDir, world, onCall, ...(port !== undefined && { port }) }
    return { world, lives, server: await startGameServer(options) }
  }
  let game = await open()
  const { url } = game.server
  return {
    url,
    calls,
    addCharacter(wishes) {
      const stranger = { serverId: '1', head: 5, classId: 1, level: 10, luong: 0, yen: 0, items: [] }
      const character = { ...stranger, ...wishes }
      born.set(character.id, copyOf(character))
      game.lives.set(character.id, character)
      game.world.add(character)
      return character
    },
    removeCharacter(character) {
      born.delete(character.id)
      game.world.remove(character)
    },
    find: (id) => game.lives.get(id),
    async setBack(toRows) {
      await game.server.close()
      const path = join(dataDir, JOURNAL_FILE)
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
      const kept = lines.slice(0, toRows(lines.length))
      await writeFile(path, kept.map((line) => `${line}\n`).join(''))
      game = await open(Number(new URL(url).port))
    },
    failNext: (fault, times) => game.server.faults.failNext(fault, times),
    slowDown(ms) {
      game.server.faults.delayMs = ms
    },
    collect: (change) => game.server.collector.change({ ...game.server.collector.settings, ...change }),
    async close() {
      await game.server.close()
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
  | 'applies and never collects'
  | 'gives a claim twice'
  | 'loses what is over the limit'
  | 'gives more than a character may hold'
  | 'takes a name for a pattern in its lists'
  | 'takes a name for a pattern in its accounts'
  | 'takes a name for a pattern in its deliveries'
  | 'has a row that cannot be read'
  | 'fails a list as a whole'
  | 'does not say its limits'
  | 'ignores what it is told about accounts'
  | 'takes older news about accounts'
  | 'charges twice'
  | 'says applied without charging'
  | 'gives nothing back'
  | 'gives a charge back twice'
  | 'does not have charges'
  | 'has half a lock'
  | 'takes short names only'
  | 'takes no names'
  | 'does not say that it shows notices'
  | 'says notices without having them'
  | 'takes another notice under an id'
  | 'takes any notice'
  | 'has limits that cannot be read'
  | 'says that it counts by account'
  | 'says that it counts what waits'
  | 'counts what it has no board of'
  | 'names a head that it does not have'
  | 'last collected in an hour to come'
  | 'saw half a lock in an hour to come'
  | 'does not answer about accounts'

type Call = { method: 'GET' | 'PUT' | 'POST'; path: string; body: string }
type Answer = { status: number; text: string }

const OVER_LIMIT = 2_000_000_000
const TWICE_AFTER_MS = 200

const quantityIn = (body: string) => Number(/"quantity":(\d+)/.exec(body)?.[1])

/** What a game with such a mistake answers itself, without doing anything. */
function ownAnswer(mistake: Mistake, { method, path, body }: Call, { refused, beyond }: Seen): string | null {
  const isCancel = path.endsWith('/cancel')
  if (mistake === 'gives more than a character may hold') {
    if (method === 'PUT' && quantityIn(body) > OVER_LIMIT) beyond.add(path)
    const collected = { status: 'applied', collected_at: new Date().toISOString(), waiting: null }
    return beyond.has(path) ? JSON.stringify(collected) : null
  }
  if (mistake === 'takes any notice' && path.startsWith('/v1/notices/')) return STORED
  if (mistake === 'forgets cancellations' && isCancel) return '{"status":"cancelled"}'
  if (mistake === 'claims to have applied what it refused' && isCancel)
    return refused.has(path.replace('/cancel', '')) ? '{"status":"applied"}' : null
  const isCharge = path.startsWith('/v1/charges/')
  if (mistake === 'says applied without charging' && method === 'PUT' && isCharge)
    return '{"status":"applied"}'
  if (mistake === 'gives nothing back' && path.endsWith('/refund')) return '{"status":"refunded"}'
  const isAccount = method === 'PUT' && path.startsWith('/v1/accounts/')
  return mistake === 'ignores what it is told about accounts' && isAccount ? '{"status":"stored"}' : null
}

/** What such a game does with a call instead; null for what it does as it should. */
function changedCall(mistake: Mistake, call: Call, { refused }: Seen): Call | null {
  const isDelivery = call.method === 'PUT' && call.path.startsWith('/v1/deliveries/')
  const underAnotherId = { ...call, path: `/v1/deliveries/${randomUUID()}` }
  if (mistake === 'believes any signature') return call
  if (mistake === 'lets anybody cancel') return call.path.endsWith('/cancel') ? call : null
  if (mistake === 'applies repeats again') return isDelivery ? underAnotherId : null
  if (mistake === 'charges twice' && call.method === 'PUT' && call.path.startsWith('/v1/charges/'))
    return { ...call, path: `/v1/charges/${randomUUID()}` }
  if (mistake === 'forgets refusals') return refused.has(call.path) ? underAnotherId : null
  if (mistake === 'loses what is over the limit' && isDelivery) {
    const quantity = quantityIn(call.body)
    if (quantity > OVER_LIMIT)
      return { ...call, body: call.body.replace(`"quantity":${quantity}`, '"quantity":1') }
  }
  if (mistake === 'takes a name for a pattern in its lists' && call.path.startsWith('/v1/characters'))
    return { ...call, path: call.path.replace(/(account=\w+)_(?=&|$)/, `$1${LAST_LETTER}`) }
  if (mistake === 'takes a name for a pattern in its accounts' && call.method === 'GET')
    return { ...call, path: call.path.replace(/(\/accounts\/\w+)_$/, `$1${LAST_LETTER}`) }
  if (mistake === 'takes a name for a pattern in its deliveries' && isDelivery)
    return { ...call, body: call.body.replace(/("account":"\w+)_"/, `$1${LAST_LETTER}"`) }
  return null
}

/** What such a game answers instead; `lastVersion` is what it was last told about an account. */
function changedAnswer(mistake: Mistake, call: Call, { answer, lastVersion }: Answered): Answer {
  const { path, method } = call
  const json = (change: (body: any) => unknown) =>
    answer.status === 200 ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text))) } : answer
  if (mistake === 'does not have charges' && path.startsWith('/v1/charges/'))
    return { status: 404, text: '{"error":"no-such-call"}' }
  if (mistake === 'does not answer about accounts' && path.startsWith('/v1/accounts/'))
    return { status: 404, text: '{"error":"no-such-call"}' }
  if (mistake === 'says notices without having them' && path.startsWith('/v1/notices/'))
    return { status: 404, text: '{"error":"no-such-call"}' }
  if (mistake === 'takes another notice under an id' && answer.status === 409)
    return path.startsWith('/v1/notices/') ? { status: 200, text: STORED } : answer
  if (method !== 'GET') return answer
  if (mistake === 'applies and never collects' && path.startsWith('/v1/deliveries/'))
    return json((body) => ({ ...body, collected_at: null }))
  if (mistake === 'has a row that cannot be read' && path.startsWith('/v1/characters'))
    return json((body) => [...body, { id: 'x1', head: -1 }])
  if (mistake === 'fails a list as a whole' && path.startsWith('/v1/rankings/level'))
    return { status: 500, text: '{}' }
  if (mistake === 'does not have charges' && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, charges: undefined }))
  if (mistake === 'has half a lock' && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, half_lock_seen_at: new Date().toISOString() }))
  if (mistake === 'does not say that it shows notices' && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, notices: undefined }))
  const limits = LIMITS[mistake]
  if (limits !== undefined && path.startsWith('/v1/game')) return json((body) => ({ ...body, limits }))
  if (mistake === 'names a head that it does not have' && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, head_names: { 99: 'Áo xanh' } }))
  const time = TIMES[mistake]
  if (time !== undefined && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, [time]: new Date(Date.now() + HOUR_MS).toISOString() }))
  const counts = COUNTS[mistake]
  if (counts !== undefined && path.startsWith('/v1/game')) return json((body) => ({ ...body, counts }))
  if (mistake === 'says that it counts what waits' && path.startsWith('/v1/rankings/luong'))
    return json((rows) => rows.map((row: object) => ({ ...row, value: 0 })))
  if (mistake === 'does not say its limits' && path.startsWith('/v1/game'))
    return json((body) => ({ ...body, max: undefined }))
  if (mistake === 'takes older news about accounts' && path.startsWith('/v1/accounts/'))
    return json((body) => ({ ...body, version: lastVersion }))
  return answer
}

const STORED = '{"status":"stored"}'

const LIMITS: Partial<Record<Mistake, unknown>> = {
  'takes short names only': { name: { most: 9 }, password: { most: 16 } },
  'takes no names': { name: { letters: '._' } },
  'has limits that cannot be read': { name: { letters: 'a-z]' } },
}

const COUNTS: Partial<Record<Mistake, unknown>> = {
  'says that it counts by account': { luong: { of: 'account', waiting: false } },
  'says that it counts what waits': { luong: { of: 'character', waiting: true } },
  'counts what it has no board of': { clan: { of: 'account', waiting: false } },
}

/** As of a game that takes its local time for UTC. */
const TIMES: Partial<Record<Mistake, string>> = {
  'last collected in an hour to come': 'collector_seen_at',
  'saw half a lock in an hour to come': 'half_lock_seen_at',
}
const HOUR_MS = 3_600_000

type Answered = { answer: Answer; lastVersion: unknown }

/** Paths that were refused, and those of deliveries beyond the limit. */
type Seen = { refused: ReadonlySet<string>; beyond: Set<string> }

/** Of the account that the tests have, `hoangtuan`. */
const LAST_LETTER = 'n'

/** A game server with one mistake: a correct one behind a proxy that changes calls or answers. */
export async function startBrokenGame(
  mistake: Mistake,
  right: { url: string; secret: string },
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void pass(request, response).catch(() => response.destroy())
  })

  const refused = new Set<string>()
  const seen = { refused, beyond: new Set<string>() }
  let lastVersion: unknown = null

  const sign = (call: Call) => signGameCall(right.secret, Math.floor(Date.now() / 1000), call)

  async function forward({ method, path, body }: Call, header: string): Promise<Answer> {
    const answer = await fetch(right.url + path, {
      method,
      headers: { 'x-portal-signature': header },
      ...(method === 'GET' ? {} : { body }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  const charged = new Map<string, string>()

  /** As a delivery, when a charge is given back. */
  async function giveBackAgain({ method, path, body }: Call): Promise<void> {
    if (method === 'PUT' && path.startsWith('/v1/charges/')) charged.set(`${path}/refund`, body)
    const taken = charged.get(path)
    if (taken === undefined) return
    charged.delete(path)
    const { luong, ...place } = JSON.parse(taken) as { luong: number }
    const goods = [{ kind: 'luong', quantity: luong }]
    const again: Call = {
      method: 'PUT',
      path: `/v1/deliveries/${randomUUID()}`,
      body: JSON.stringify({ ...place, goods }),
    }
    await forward(again, sign(again))
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString('utf8')
    const call: Call = { method: request.method as Call['method'], path: request.url ?? '', body }
    const own = ownAnswer(mistake, call, seen)
    if (own !== null) {
      response.end(own)
      return
    }
    const changed = changedCall(mistake, call, seen)
    const given = String(request.headers['x-portal-signature'] ?? '')
    const answer = await forward(changed ?? call, changed ? sign(changed) : given)
    if (answer.status === 422) refused.add(call.path)
    const isTaken = call.method === 'PUT' && answer.status === 200
    if (isTaken && call.path.startsWith('/v1/accounts/')) lastVersion = JSON.parse(body).version
    if (mistake === 'gives a claim twice' && isTaken && call.path.startsWith('/v1/deliveries/')) {
      const again = { ...call, path: `/v1/deliveries/${randomUUID()}` }
      setTimeout(() => void forward(again, sign(again)), TWICE_AFTER_MS)
    }
    if (mistake === 'gives a charge back twice') await giveBackAgain(call)
    const { status, text } = changedAnswer(mistake, call, { answer, lastVersion })
    // Its lists are right: without them no rule could be tried.
    const isPlain = mistake === 'does not declare that it answers JSON' && call.method !== 'GET'
    const type = isPlain ? 'text/plain' : 'application/json'
    response.writeHead(status, { 'content-type': type }).end(text)
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
