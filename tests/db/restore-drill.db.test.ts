import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf } from '#server/modules/reconciliation/index.ts'
import { claimDue, sendClaimed } from '#server/modules/purchases/worker.service.ts'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { startPortal } from '#server/start/portal.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { useFolder } from '#tests/support/folder.ts'
import { runCommand, startGameProcess, type GameProcess } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/network.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { emptyDatabase } from '#tests/support/postgres.ts'
import { gameRecord } from '#tests/support/game-server.ts'
import { buyLuongFor, charactersOf, eventually } from '#tests/support/purchases.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { appliedTimes } from '../harness/game-journal.ts'

const SECRET = 'a secret of the game in the drill'
const PLAYERS = 6
const silent = openLog('fatal')

const folder = useFolder()
let game: GameProcess
let portal: TestApp
let players: { player: TestPlayer; characters: string[] }[]
beforeAll(async () => {
  game = await startGameProcess({ secret: SECRET, dataDir: folder })
  portal = await startTestApp({ environment: { GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: SECRET } })
  players = []
  for (let number = 0; number < PLAYERS; number++) {
    const player = await aPlayer(portal, { coins: 500_000, isActivated: true })
    players.push({ player, characters: await charactersOf(portal, player) })
  }
}, 120_000)
afterAll(async () => {
  await portal.close()
  await game.end()
})

/** One purchase for each player's first characters. */
async function buy(characterCount: number): Promise<string[]> {
  const bought = players.flatMap(({ player, characters }) =>
    characters.slice(0, characterCount).map((character) => buyLuongFor(portal, { player, character })),
  )
  return Promise.all(bought)
}

async function deliver(limit: number): Promise<void> {
  for (const claimed of await claimDue(portal.deps, limit)) await sendClaimed(portal.deps, claimed)
}

test(
  'a backup in the middle of deliveries, restored elsewhere: nothing is delivered twice, and what is lost is listed',
  { timeout: 180_000 },
  async () => {
    const bought = await buy(3)
    await deliver(5)
    // Claimed and applied, but the worker ends before it writes that down: `sending` in the backup.
    const [cutOff] = await claimDue(portal.deps, 1)
    expect(await portal.deps.game.deliver(cutOff!)).toEqual({ kind: 'applied' })
    const file = join(folder, 'backup')
    const during = buy(1)
    await backupDatabase(portal.ownerUrl, { file, key: null })
    bought.push(...(await during))
    // The portal goes on for a while and is then lost: settled after the backup, bought after it, one cancelled.
    await deliver(8)
    const afterwards = await buy(1)
    await deliver(100)
    await deliver(100)
    const lostToo = await portal.db
      .selectFrom('delivery')
      .select('id')
      .where('state', '=', 'pending')
      .execute()
    expect((await appliedTimes(folder)).size + lostToo.length).toBeGreaterThan(afterwards.length)
    const appliedBefore = await appliedTimes(folder)

    const empty = await emptyDatabase()
    try {
      const environment = { GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: SECRET }
      const restored = await runCommand(empty, ['restore', file], environment)
      expect(restored).toMatchObject({ code: 0, errors: '' })
      expect(restored.output).toContain(`  npm run portal -- reconcile-providers ${dayOf(new Date())}\n`)
      const { output: everyOpen } = await runCommand(empty, ['open-deliveries'], environment)
      const listedOpen = everyOpen.trimEnd().split('\n')
      expect(listedOpen.length).toBeGreaterThan(5)
      expect(restored.output).toContain(`deliveries that were open: ${listedOpen.length}, `)
      for (const line of listedOpen.slice(0, 20)) expect(restored.output).toContain(`  ${line}\n`)
      const db = openDatabase({
        url: await openAppRole(empty.ownerUrl, silent),
        log: silent,
        connectionsMax: 2,
      })
      try {
        const open = await db
          .selectFrom('delivery')
          .select(['id', 'state'])
          .where('settled_at', 'is', null)
          .execute()
        expect(open.length).toBeGreaterThan(5)
        expect(new Set(open.map(({ state }) => state))).toEqual(new Set(['unknown']))
        expect(open.filter(({ id }) => appliedBefore.has(id)).length).toBeGreaterThan(2)
        const worker = await startPortal(
          {
            ...environment,
            DATABASE_URL: empty.ownerUrl,
            DEMO: '0',
            DATA_DIR: folder,
            LOG_LEVEL: 'fatal',
            PORT: String(await freePort()),
          },
          { isWeb: false, isWorker: true },
        )
        try {
          await eventually(async () => {
            const { count } = await db
              .selectFrom('delivery')
              .select(db.fn.countAll<string>().as('count'))
              .where('state', '<>', 'delivered')
              .executeTakeFirstOrThrow()
            expect(count).toBe('0')
          }, 60_000)
        } finally {
          await worker.stop()
        }
        // What the game had applied was queried and not sent again.
        const attempts = await db.selectFrom('delivery_attempt').select(['delivery_id', 'asked']).execute()
        const sentAgain = attempts.filter(
          ({ delivery_id: id, asked: what }) =>
            what === 'deliver' && open.some((one) => one.id === id) && appliedBefore.has(id),
        )
        expect(sentAgain).toEqual([])
        await expectReconciled({ db })
        const times = await appliedTimes(folder)
        expect([...times.values()].filter((count) => count > 1)).toEqual([])

        const known = new Set((await db.selectFrom('delivery').select('id').execute()).map(({ id }) => id))
        for (const id of known) expect(times.get(id)).toBe(1)
        const unknown = [...times.keys()].filter((id) => !known.has(id))
        expect(unknown.length).toBeGreaterThan(0)
        for (const id of unknown) expect([...bought, ...afterwards]).toContain(id)
        const record = join(folder, 'record')
        await writeFile(record, await gameRecord(folder))
        const compared = await runCommand(empty, ['compare-game', record], environment)
        expect(compared).toMatchObject({ code: 1, errors: '' })
        const listed = compared.output.split('\n').filter((line) => line.includes('  not known here  '))
        expect(listed.map((line) => line.slice(0, 36)).toSorted()).toEqual(unknown.toSorted())
        const names = players.map(({ player }) => player.username).join('|')
        const row = new RegExp(`  \\d{4}-\\d\\d-\\d\\dT\\S+Z  (${names})  3300 luong  10[.,]000 TCoin$`)
        expect(listed.filter((line) => !row.test(line))).toEqual([])
      } finally {
        await db.destroy()
      }
    } finally {
      await empty.drop()
    }
  },
)
