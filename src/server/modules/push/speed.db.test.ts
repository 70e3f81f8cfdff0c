import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { asOwner } from '#server/platform/db/owner.ts'
import { quantile } from '#tests/harness/numbers.ts'
import { anotherProcess } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aBrowser, usePushingApp } from '#tests/support/push-service.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { claimDueMessages } from './push.queries.ts'
import { startPushJobs } from './sending.service.ts'
import { allDue } from '#tests/support/due-part.ts'

/** How many credits come, and in which time. */
const CREDITS = 450
const PER_SECOND = 50
/** A player has three open orders at most. */
const PLAYERS = 150
const TOLD_MS_MAX = 2_000

const pushing = usePushingApp({ environment: { STREAMS_PER_ADDRESS: '0' } })
const { portal, service } = pushing
let url: string
beforeAll(async () => {
  await openAccounts(portal)
  url = await portal.app.listen({ host: '127.0.0.1', port: 0 })
})

/** When each number of unread notices was first shown by the player's bell. */
async function openBell({ token }: TestPlayer) {
  const going = new AbortController()
  const { body } = await fetch(`${url}/api/notices/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: going.signal,
  })
  const seen: { unread: number; atMs: number }[] = []
  const read = async () => {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      for (const [, unread] of chunk.matchAll(/"unread":(\d+)/g))
        seen.push({ unread: Number(unread), atMs: performance.now() })
    }
  }
  const ended = read().catch(() => {})
  return { seen, close: async () => (going.abort(), ended) }
}

const print = (figures: object) => process.stdout.write(`${JSON.stringify(figures)}\n`)

test.runIf(hasAllCases)(
  `${CREDITS} credits at ${PER_SECOND} a second are told by bell and push within two seconds of their commits`,
  async () => {
    const players: TestPlayer[] = []
    while (players.length < PLAYERS)
      players.push(...(await Promise.all(Array.from({ length: 25 }, () => aPlayer(portal)))))
    const bells: Awaited<ReturnType<typeof openBell>>[] = []
    for (const player of players) {
      await aBrowser(pushing, player)
      bells.push(await openBell(player))
    }
    // The worker has connections of its own, as its process has.
    const worker = await anotherProcess(portal)
    const jobs = startPushJobs(worker.deps)
    const committed: { player: number; title: string; atMs: number }[] = []
    // Each of a player has an amount of its own, by which bell and push are recognised.
    const orders = []
    for (let n = 0; n < CREDITS; n++) {
      const amount = 20_000 + 1_000 * Math.floor(n / PLAYERS)
      const { code } = await anOrder(portal, players[n % PLAYERS]!, { amount })
      orders.push({ code, amount, player: n % PLAYERS })
    }
    const start = performance.now()
    await Promise.all(
      orders.map(async ({ code, amount, player }, n) => {
        await sleep((n * 1_000) / PER_SECOND)
        await deliver(portal, aNotification({ content: code, transferAmount: amount }))
        const title = `Đã cộng ${amount.toLocaleString('en-US')} TCoin`
        committed.push({ player, title, atMs: performance.now() })
      }),
    )
    const seconds = (performance.now() - start) / 1_000
    await expect.poll(() => service.received.length, { timeout: 20_000 }).toBe(CREDITS)
    const pushMs = committed.map(({ player, title, atMs }) => {
      const browser = String(player + 1)
      const messages = service.received.filter(
        (one) => one.browser === browser && one.content.title === title,
      )
      expect(messages).toHaveLength(1)
      return messages[0]!.atMs - atMs
    })
    const bellMs = [...Map.groupBy(committed, ({ player }) => player)].flatMap(([player, own]) =>
      own.map(({ atMs }, at) => {
        const shown = bells[player]!.seen.find(({ unread }) => unread > at)
        expect(shown).toBeDefined()
        return shown!.atMs - atMs
      }),
    )
    print({
      perSecond: CREDITS / seconds,
      pushMs: { p50: quantile(pushMs, 0.5), p99: quantile(pushMs, 0.99) },
      bellMs: { p50: quantile(bellMs, 0.5), p99: quantile(bellMs, 0.99) },
    })
    expect(quantile(pushMs, 0.99)).toBeLessThan(TOLD_MS_MAX)
    expect(quantile(bellMs, 0.99)).toBeLessThan(TOLD_MS_MAX)
    for (const job of jobs) await job.stop()
    await worker.close()
    for (const bell of bells) await bell.close()
  },
  120_000,
)

const NOTICES = 1_000_000
const CLAIMS = 200

test.runIf(hasAllCases)(
  'beside a million notices messages are claimed in at most one and a half times the time',
  async () => {
    const player = await aPlayer(portal)
    const { id: subscription } = await aBrowser(pushing, player)
    /** Without their messages. Answers the ids of the first ones. */
    const addNotices = (count: number, name: string) =>
      asOwner(portal.ownerUrl, async (client) => {
        await client.query('SET session_replication_role = replica')
        await client.query(
          `INSERT INTO notice (user_id, kind, subject, data)
           SELECT $1, 'security', $3 || n, '{"event": "password-changed"}' FROM generate_series(1, $2::integer) n`,
          [player.id, count, name],
        )
        await client.query('VACUUM (ANALYZE) notice, push_message')
      })
    const claimMs = async () => {
      const samples: number[] = []
      for (const noticeId of ids) {
        await portal.db
          .insertInto('push_message')
          .values({ notice_id: noticeId, subscription_id: subscription })
          .execute()
        const before = performance.now()
        const claimed = await claimDueMessages(portal.db, allDue(32), 60)
        samples.push(performance.now() - before)
        expect(claimed).toMatchObject([{ to: { failures: 0 } }])
        await sql`DELETE FROM push_message`.execute(portal.db)
      }
      return quantile(samples, 0.5)
    }
    await addNotices(CLAIMS, 'first ')
    const rows = await portal.db
      .selectFrom('notice')
      .select('id')
      .where('user_id', '=', player.id)
      .where('subject', 'like', 'first %')
      .execute()
    const ids = rows.map(({ id }) => id)
    await claimMs()
    const empty = await claimMs()
    await addNotices(NOTICES, 'million ')
    const full = await claimMs()
    print({ claimMs: { empty, full, ratio: full / empty } })
    expect(full / empty).toBeLessThan(1.5)
  },
  120_000,
)
