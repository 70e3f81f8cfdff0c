import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { seedPlayers } from '#seeds/players.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { fetchOk } from '../harness/client.ts'
import { quantile } from '../harness/numbers.ts'
import { residentMb } from '../harness/resources.ts'
import { type BenchPortal, withBenchPortal } from './bench-portal.ts'
import { gatherStatistics } from './databases.ts'

type Options = { characters: number; calls: number }

/**
 * The demo's rankings of a game with so many characters, each of another player: how long a refresh of all takes, what it
 * needs of memory, and how long the calls of the page do, beside the call that every page makes.
 */
export const benchRankings = ({ characters, calls }: Options) =>
  withBenchPortal(async (portal) => {
    await asOwner(portal.databaseUrl, (owner) => fill(owner, characters))
    const first = await refreshAll(portal)
    // The ranking of the first refresh becomes that of a day before.
    await asOwner(portal.databaseUrl, (owner) =>
      owner.query(`UPDATE ranking_snapshots SET taken_at = taken_at - interval '1 day'`),
    )
    const next = await refreshAll(portal)
    await gatherStatistics(portal.databaseUrl)
    const tokens = await Promise.all(seedPlayers.map((player) => logIn(portal, player)))
    // In turn, so that no limit of one player's calls is met.
    const tokenOf = (call: number) => tokens[call % tokens.length]
    const { body: groups } = await fetchOk(portal.url, { path: '/api/groups', token: tokenOf(0) })
    const entries = `/api/groups/${groups[0].id}/entries`
    const { body: now } = await fetchOk(portal.url, { path: entries, token: tokenOf(0) })
    const pageP95Ms: Record<string, number> = {}
    for (const part of ['', '?server=2', '?class=3', '?server=2&class=3', `?day=${now.first_day}`]) {
      const name = part.replace(/^\?/, '').replace(/^day=.*/, 'day') || 'all'
      pageP95Ms[name] = await p95Of(calls, (call) =>
        fetchOk(portal.url, { path: entries + part, token: tokenOf(call) }),
      )
    }
    const verify = (call: number) => ({ path: '/api/auth/verify', body: { access_token: tokenOf(call) } })
    return {
      characters,
      first,
      next,
      pageP95Ms,
      yardstickP95Ms: await p95Of(calls, (call) => fetchOk(portal.url, verify(call))),
    }
  })

/** Players, of whom each hundredth is shown among the recharges, with a character each on one of three servers. */
async function fill(owner: Client, characters: number): Promise<void> {
  await owner.query(
    `INSERT INTO ledger_account (id, kind, user_id)
       SELECT 50000000 + n, 'user_wallet', 50000000 + n FROM generate_series(1, $1::int) n`,
    [characters],
  )
  await owner.query(
    `INSERT INTO users (username, password_hash, server_id, wallet_account_id)
       SELECT 'ninja' || n, '-', '1', 50000000 + n FROM generate_series(1, $1::int) n`,
    [characters],
  )
  await owner.query(
    `INSERT INTO ranking_nickname (user_id, nickname, nickname_key)
       SELECT id, 'Ninja ' || substr(username, 6), username FROM users
        WHERE username ~ '^ninja\\d+00$'`,
  )
  await owner.query(
    `INSERT INTO game.characters (server_id, account, name, head, class_id, level, luong, yen)
       SELECT (1 + n % 3)::text, 'ninja' || n, 'nv' || n, 1, n % 7, 1 + (random() * 129)::int,
              (random() * 1e6)::int, (random() * 1e9)::int
         FROM generate_series(1, $1::int) n`,
    [characters],
  )
  await owner.query('VACUUM ANALYZE')
}

const PAUSE_MS = 20

/** Makes all snapshots old, and follows the worker from the moment when it begins until all are new. */
async function refreshAll(portal: BenchPortal) {
  return asOwner(portal.databaseUrl, async (owner) => {
    const { rows } = await owner.query<{ at: Date }>('SELECT clock_timestamp() AS at')
    await owner.query(`UPDATE ranking_snapshots SET taken_at = least(taken_at, now() - interval '1 hour')`)
    const look = async () => {
      const { rows: found } = await owner.query<{ isBegun: boolean; old: number; rows: number }>(
        `SELECT EXISTS (SELECT FROM ranking_groups WHERE claimed_until > now()) AS "isBegun",
                (SELECT count(*)::int FROM ranking_snapshots WHERE taken_at < $1) AS old,
                (SELECT count(*)::int FROM ranking_entries) AS rows`,
        [rows[0]?.at],
      )
      return found[0] as (typeof found)[0]
    }
    let state = await look()
    for (; !state.isBegun; state = await look()) await sleep(PAUSE_MS)
    const [began, before, spent] = [performance.now(), await residentMb(portal), await portal.spent()]
    let most = before
    for (; state.old > 0; state = await look()) {
      most = Math.max(most, await residentMb(portal))
      await sleep(PAUSE_MS)
    }
    const cost = await portal.spent()
    return {
      seconds: (performance.now() - began) / 1_000,
      rows: state.rows,
      growthMb: most - before,
      residentMb: most,
      nodeMs: cost.nodeMs - spent.nodeMs,
      postgresMs: cost.postgresMs - spent.postgresMs,
    }
  })
}

async function logIn({ url }: BenchPortal, { username, password }: (typeof seedPlayers)[number]) {
  const { body } = await fetchOk(url, { path: '/api/auth/login', body: { username, password } })
  return body.access_token as string
}

const WARM_UP = 50

async function p95Of(calls: number, send: (call: number) => Promise<{ ms: number }>): Promise<number> {
  const times: number[] = []
  // The first ones warm the caches.
  for (let call = 0; call < WARM_UP + calls; call++) {
    const { ms } = await send(call)
    if (call >= WARM_UP) times.push(ms)
  }
  return quantile(times, 0.95)
}
