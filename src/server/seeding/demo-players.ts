import { canonicalPhone } from '#contract/fields.ts'
import type { SeedPlayer } from '#seeds/players.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { createAccount, passwordHasher, setPhoneProved } from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { recordRegistration } from '#server/modules/consents/index.ts'
import { seedCharacters, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { activateWithin, banPlayer, lockTrader } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { listMadeParts, lockSeeding } from './seeding.queries.ts'

// Stored in the audit trail of installations, so its name stays.
const SUBJECT = 'demo-world'

export type DemoParts = {
  isMade(name: string): boolean
  /**
   * Makes one part of the demo data in one transaction, once in the life of the installation: its row in the audit trail
   * is written with it. What an operator deleted later does not come back with the next start.
   */
  make(name: string, work?: (tx: Tx) => Promise<unknown>): Promise<void>
}

/** Reads once per start what has been made before, so that a later start costs one query. */
export async function openDemoParts({ db }: PlatformDeps): Promise<DemoParts> {
  const made = new Set(await listMadeParts(db, SUBJECT))
  return {
    isMade: (name) => made.has(name),
    async make(name, work) {
      if (made.has(name)) return
      await inTransaction(db, async (tx) => {
        await lockSeeding(tx)
        if ((await listMadeParts(tx, SUBJECT)).includes(name)) return
        await work?.(tx)
        await appendAudit(tx, {
          actor: { kind: 'system' },
          action: 'demo-world.make',
          subject: { type: SUBJECT, id: name },
          details: {},
        })
      })
    },
  }
}

const DAY_MS = 86_400_000
const REQUEST_ID = 'demo-world'

/** One player with coins, activation and ban in one transaction; then their characters, which live in the game. */
export async function seedPlayer(
  deps: PlatformDeps & { game: GameBridge },
  player: SeedPlayer,
  parts: DemoParts,
): Promise<void> {
  const { username, serverId, characters } = player
  const part = `player:${username}`
  if (!parts.isMade(part)) {
    // It takes long, so it is done before the transaction.
    const passwordHash = await passwordHasher.inLine(null, ({ hash }) => hash(player.password))
    await parts.make(part, (tx) => makePlayer(tx, player, { passwordHash, now: deps.clock.now() }))
  }
  const charactersPart = `characters:${username}`
  if (parts.isMade(charactersPart)) return
  // The game skips the names it has, so a repeat after a crash in between is harmless.
  await seedCharacters(deps.game, { username, serverId, characters })
  await parts.make(charactersPart)
}

async function makePlayer(
  tx: Tx,
  player: SeedPlayer,
  { passwordHash, now }: { passwordHash: string; now: Date },
): Promise<void> {
  const { username, phone, email, serverId } = player
  const account = await createAccount(tx, {
    username,
    phone: canonicalPhone(phone),
    passwordHash,
    serverId,
    ...(email === undefined ? {} : { email }),
  })
  if (player.hasProvedPhone) await setPhoneProved(tx, { userId: account.id, phone: canonicalPhone(phone) })
  await recordRegistration(tx, account.id)
  if (player.recharged > 0) {
    // No bank sent this money, so it is an adjustment: every recharge in the ledger has its bank transaction.
    await postTransfer(tx, {
      kind: 'adjustment',
      debit: HOUSE.adjustment,
      credit: account.walletId,
      amount: player.recharged,
      source: { type: 'seed', id: username },
      requestId: REQUEST_ID,
    })
  }
  if (player.activated) {
    const { activeFee } = await readSettings(tx)
    const trader = await lockTrader(tx, account.id)
    await activateWithin(tx, {
      player: trader,
      fee: activeFee,
      actorUserId: account.id,
      requestId: REQUEST_ID,
    })
  }
  if (player.ban) {
    const until = new Date(now.getTime() + player.ban.days * DAY_MS)
    await banPlayer(tx, { userId: account.id, until, reason: player.ban.reason, actor: { kind: 'system' } })
  }
}
