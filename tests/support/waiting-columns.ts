import { sql } from 'kysely'
import { claimMessage, lockNotice } from '#server/modules/alarms/alarms.queries.ts'
import { claimTrailCheck } from '#server/modules/audit/chain.queries.ts'
import { claimDueRefund } from '#server/modules/bank-inbox/gateway-refunds/gateway-refunds.queries.ts'
import { listUndecidedEvents } from '#server/modules/bank-inbox/intake/settlement.queries.ts'
import { claimDueChanges, storeFailure } from '#server/modules/game-accounts/account-changes.queries.ts'
import { findFetch } from '#server/modules/game-bridge/characters.queries.ts'
import { findCollector } from '#server/modules/game-bridge/description.queries.ts'
import { listDue as listDueRewards } from '#server/modules/invitations/invitations.queries.ts'
import { claimDueMail } from '#server/modules/mail/mail.queries.ts'
import { claimDue as claimDuePurchases } from '#server/modules/order-purchases/order-purchases.queries.ts'
import { listCodeAges, lockCode } from '#server/modules/otp/otp.queries.ts'
import { claimRequest, findReset } from '#server/modules/passwords/resets.queries.ts'
import { lockDueDeletion } from '#server/modules/personal-data/deletions.queries.ts'
import { claimUncollected } from '#server/modules/purchases/collection.queries.ts'
import { claimComparison } from '#server/modules/purchases/comparison.queries.ts'
import {
  claimDueDeliveries,
  endExpiredLeases,
  wakeSleeping,
} from '#server/modules/purchases/worker.queries.ts'
import { claimDueMessages } from '#server/modules/push/push.queries.ts'
import { claimDueGroup } from '#server/modules/ranking/refresh.queries.ts'
import { leaseCheckout, leaseDueCheckout } from '#server/modules/recharge/checkout.queries.ts'
import { claimTask } from '#server/modules/reconciliation/pull.queries.ts'
import { insertDailyRun } from '#server/modules/reconciliation/runs.queries.ts'
import { findLiveSession } from '#server/modules/sessions/sessions.queries.ts'
import { claimDueCharges } from '#server/modules/tournaments/charges.queries.ts'
import type { Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { removeFailed } from '#server/platform/queues/failed-work.ts'

export type WaitingColumn = {
  /** Its longest delay, in seconds; 0: what happened at a moment, and counts for some time from it. */
  longest: number
  /** What the row needs to wait for this moment alone. */
  arranged?: string
  /** Of several rows, the one that waits. */
  where?: string
  /** The statement of the loop; whether it takes the row, or sees the moment as past. */
  isTaken(): Promise<boolean>
}

/** Each column of a moment until which something waits, or from which it counts, in a database with one row of everything (world.sql). */
export function waitingColumns(db: Db): Record<string, WaitingColumn> {
  const DAY = 86_400

  const some = async (rows: Promise<readonly unknown[]>) => (await rows).length > 0
  const any = async (row: Promise<unknown>) => (await row) !== undefined
  const sha256 = (text: string) => sql<Buffer>`sha256(${text})`
  async function hash(text: string): Promise<Buffer> {
    const { rows } = await sql<{ hash: Buffer }>`SELECT ${sha256(text)} AS hash`.execute(db)
    return (rows[0] as { hash: Buffer }).hash
  }
  const never = () => sql<boolean>`false`
  const deps = { db, log: openLog('fatal') }
  const all = { limit: 5, isWanted: () => sql<boolean>`true` }
  const mail = () => some(claimDueMail(db, all, 120))
  const pull = () => claimTask(db, { name: 'pull', everySeconds: 600, claimSeconds: 1_800 })
  const messages = () => any(claimMessage(db, 'a', 300))
  const group = () =>
    any(claimDueGroup(db, '1', { takenBefore: new Date(Date.now() - 300_000), claimSeconds: 120 }))
  const code = () =>
    inTransaction(db, async (tx) => lockCode(tx, { channel: 'phone', target: await hash('a') }))
  const session = async () => findLiveSession(db, await hash('a'))
  const message = `UPDATE alarm_notice SET message = '{}', message_id = gen_random_uuid(), lease_until = NULL, next_attempt_at = to_timestamp(0) WHERE name = 'a'`
  const liveSession = `UPDATE sessions SET kind = 'console', expires_at = now() + interval '1 hour', last_used_at = now()`

  return {
    'account_change.next_attempt_at': {
      longest: 60,
      isTaken: () => some(claimDueChanges(db, all, 30)),
    },
    'alarm_notice.lease_until': { longest: 300, arranged: message, where: `name = 'a'`, isTaken: messages },
    'alarm_notice.looked_at': {
      longest: 0,
      where: `name = 'a'`,
      isTaken: async () => (await inTransaction(db, (tx) => lockNotice(tx, 'a', 60))) !== undefined,
    },
    'alarm_notice.next_attempt_at': {
      longest: 300,
      arranged: message,
      where: `name = 'a'`,
      isTaken: messages,
    },
    'deletion_request.next_attempt_at': {
      longest: 5,
      arranged: `UPDATE deletion_request SET state = 'approved', decided_at = now(), decided_by = 2, next_attempt_at = now()`,
      isTaken: () => any(inTransaction(db, (tx) => lockDueDeletion(tx, '1'))),
    },
    'delivery.lease_until': {
      longest: 30,
      arranged: `UPDATE delivery SET state = 'sending', lease_token = gen_random_uuid(), lease_until = now() WHERE id::text LIKE '%1'`,
      where: `id::text LIKE '%1'`,
      isTaken: () => endExpiredLeases(deps, 30),
    },
    'delivery.next_attempt_at': {
      longest: 360,
      arranged: `UPDATE delivery SET state = 'pending', lease_token = NULL, lease_until = NULL WHERE id::text LIKE '%1'`,
      where: `id::text LIKE '%1'`,
      async isTaken() {
        await wakeSleeping(deps)
        return (await claimDueDeliveries(db, all, 30)).claimed.length > 0
      },
    },
    'delivery_collection.next_ask_at': {
      longest: 3_600,
      isTaken: () => some(claimUncollected(db, all, 30)),
    },
    'failed_work.retry_at': {
      longest: 3_600,
      arranged: `INSERT INTO failed_work (job, subject, failures, error, retry_at) VALUES ('bonuses', '1', 1, 'lỗi', now()) ON CONFLICT DO NOTHING`,
      async isTaken() {
        await removeFailed(db, { job: 'bonuses', subjects: ['1'], isRested: true })
        return (await db.selectFrom('failed_work').select('job').execute()).length === 0
      },
    },
    'game_accounts.asked_at': {
      longest: 0,
      arranged: `UPDATE game_accounts SET failing_since = now()`,
      async isTaken() {
        const askedAt = () => db.selectFrom('game_accounts').select('asked_at').executeTakeFirstOrThrow()
        const before = await askedAt()
        await storeFailure(db, 'silent')
        return String((await askedAt()).asked_at) !== String(before.asked_at)
      },
    },
    'game_character_fetch.fetched_at': {
      longest: 0,
      isTaken: async () => (await findFetch(db, '1', { seconds: 600, emptySeconds: 600 }))?.isStale === true,
    },
    'game_comparison.lease_until': {
      longest: 180,
      isTaken: () => any(claimComparison(db, '1', { leaseSeconds: 180 })),
    },
    'game_description.collector_seen_at': {
      longest: 0,
      isTaken: async () => (await findCollector(db, 120))?.isSilent === true,
    },
    'gateway_refund.next_query_at': { longest: 3_600, isTaken: () => claimDueRefund(db, '1', 60) },
    'invitation_reward.due_at': {
      longest: 3 * DAY,
      arranged: `UPDATE invitation_reward SET state = 'waiting', inviter_coins = NULL, invited_coins = NULL, month = NULL,
        number = NULL, per_month = NULL, decided_by = NULL, decided_at = NULL`,
      isTaken: () => some(listDueRewards(db, never, 5)),
    },
    'mail_outbox.lease_until': {
      longest: 120,
      arranged: `UPDATE mail_outbox SET next_attempt_at = to_timestamp(0)`,
      isTaken: mail,
    },
    'mail_outbox.next_attempt_at': {
      longest: 3_960,
      arranged: `UPDATE mail_outbox SET lease_until = NULL`,
      isTaken: mail,
    },
    'one_time_code.made_at': { longest: 0, isTaken: async () => ((await code())?.ageSeconds ?? 0) > 600 },
    'one_time_code.tries_since': {
      longest: 0,
      arranged: `UPDATE one_time_code SET tries_today = 5`,
      isTaken: async () => (await code())?.triesToday === 0,
    },
    'order_purchase.next_attempt_at': {
      longest: 300,
      arranged: `UPDATE order_purchase SET state = 'waiting', delivery_id = NULL, settled_at = NULL`,
      isTaken: () => some(claimDuePurchases(db, all)),
    },
    'payment_event.received_at': {
      longest: 0,
      arranged: `ALTER TABLE payment_event DISABLE TRIGGER USER;
        UPDATE payment_event SET status = 'new', reason = NULL, bank_transaction_id = NULL`,
      isTaken: () => some(listUndecidedEvents(db, never, { limit: 5, graceSeconds: 60 })),
    },
    'password_request.next_attempt_at': { longest: 60, isTaken: () => any(claimRequest(db, '1', 60)) },
    'password_reset.made_at': {
      longest: 0,
      arranged: `UPDATE password_reset r SET password_mark = sha256(convert_to(u.password_hash, 'UTF8')) FROM users u WHERE u.id = r.user_id`,
      isTaken: async () => (await findReset(db, await hash('a'))) === undefined,
    },
    'payment_checkout.last_query_at': {
      longest: 0,
      isTaken: () =>
        inTransaction(db, (tx) =>
          leaseCheckout(tx, { code: 'TCX7K2QF9XAMM', leaseSeconds: 60, pauseSeconds: 5 }),
        ),
    },
    'payment_checkout.next_query_at': { longest: 3_600, isTaken: () => any(leaseDueCheckout(db, '1', 60)) },
    'push_message.next_attempt_at': {
      longest: 3_600,
      isTaken: () => some(claimDueMessages(db, all, 60)),
    },
    'ranking_groups.claimed_until': {
      longest: 120,
      arranged: `UPDATE ranking_snapshots SET taken_at = to_timestamp(0)`,
      isTaken: group,
    },
    'ranking_snapshots.taken_at': {
      longest: 0,
      arranged: `UPDATE ranking_groups SET claimed_until = NULL`,
      isTaken: group,
    },
    'reconciliation_run.asked_at': {
      longest: 0,
      arranged: `DELETE FROM reconciliation_run; INSERT INTO reconciliation_run (origin, finished_at) VALUES ('daily', now())`,
      async isTaken() {
        await insertDailyRun(db)
        return (await db.selectFrom('reconciliation_run').select('id').execute()).length > 1
      },
    },
    'reconciliation_task.claimed_until': {
      longest: 1_800,
      arranged: `UPDATE reconciliation_task SET due_at = to_timestamp(0)`,
      isTaken: pull,
    },
    'reconciliation_task.due_at': {
      longest: 600,
      arranged: `UPDATE reconciliation_task SET claimed_until = NULL`,
      isTaken: pull,
    },
    'sessions.last_used_at': {
      longest: 0,
      arranged: liveSession,
      async isTaken() {
        const found = await session()
        return found?.isLocked === true && found.isTouchDue
      },
    },
    'sms_message.received_at': {
      longest: 0,
      isTaken: async () =>
        (await inTransaction(db, async (tx) => listCodeAges(tx, await hash('a')))).every((age) => age > DAY),
    },
    'stored_check.started_at': {
      longest: 0,
      where: `name = 'audit-chain'`,
      isTaken: () => claimTrailCheck(db),
    },
    'tournament_charges.next_attempt_at': { longest: 300, isTaken: () => some(claimDueCharges(db, all, 30)) },
  }
}
