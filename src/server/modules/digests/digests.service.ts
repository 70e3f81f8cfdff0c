import { type OperatorDigest, operatorDigestCall } from '#contract/operator/audit.ts'
import { formatDay } from '#contract/format.ts'
import { listStaff } from '#server/modules/accounts/index.ts'
import { type Mail, queueMail } from '#server/modules/mail/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { vietnamDay, boundsOfDay } from '#server/platform/values/vietnam-time.rules.ts'
import { COUNTED_ACTIONS, DIGEST_ACTIONS, digestLines } from './digest.rules.ts'
import {
  countActs,
  insertDigest,
  listUndigested,
  listDigestRows,
  removeDigestsAfter,
} from './digests.queries.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

type DigestDeps = PlatformDeps & { publicUrl: string }

/** What operators did on a day in Vietnam; who did nothing of it is not there. */
async function readDigest({ db }: Pick<PlatformDeps, 'db'>, day: string): Promise<OperatorDigest> {
  const bounds = boundsOfDay(day)
  const rows = await listDigestRows(db, { actions: DIGEST_ACTIONS, ...bounds })
  const counts = await countActs(db, { actions: [...DIGEST_ACTIONS, ...COUNTED_ACTIONS], ...bounds })
  const names = new Map(counts.map(({ actorId, username }) => [actorId, username ?? '']))
  const operators = [...names].map(([id, username]) => ({
    operator: id === null ? null : { id, username },
    lines: digestLines(
      rows.filter(({ actorId }) => actorId === id),
      counts.filter(({ actorId }) => actorId === id),
    ),
  }))
  return { day, operators: operators.filter(({ lines }) => lines.length > 0) }
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Nobody reads it at night. */
const SENT_FROM_HOUR = 6

/**
 * Mails every owner what was done yesterday: one mail each, queued in the transaction that records it, and none on a day on
 * which nothing was done. Returns false, so that the next round comes after the usual pause.
 */
export async function sendDigests(deps: DigestDeps): Promise<boolean> {
  const { db, clock, vault } = deps
  const now = clock.now()
  const today = boundsOfDay(vietnamDay(now))
  if (today === undefined || now.getTime() - today.start.getTime() < SENT_FROM_HOUR * HOUR_MS) return false
  const day = vietnamDay(new Date(now.getTime() - DAY_MS))
  await removeDigestsAfter(db, day)
  const owners = new Map(
    (await listStaff(db)).flatMap(({ id, username, email, recentPermissions }) =>
      email !== null && recentPermissions.includes('audit.read') ? [[id, { username, to: email }]] : [],
    ),
  )
  let reading: Promise<OperatorDigest> | undefined
  await workOff(deps, {
    job: 'daily digests',
    limit: owners.size + 1,
    list: (from, isResting) => listUndigested(from, isResting, { day, userIds: [...owners.keys()] }),
    async work(userId) {
      reading ??= readDigest(deps, day)
      const digest = await reading
      const isSent = digest.operators.length > 0
      const owner = owners.get(userId)
      return inTransaction(db, async (tx) => {
        if (!(await insertDigest(tx, { day, userId, isSent }))) return false
        if (isSent && owner) await queueMail(vault, tx, digestMail(owner, digest, deps.publicUrl))
        return true
      })
    },
  })
  return false
}

const digestMail = (
  receiver: { to: string; username: string },
  { day, operators }: OperatorDigest,
  publicUrl: string,
): Mail => ({
  ...receiver,
  kind: 'daily-digest',
  subject: `Việc của ban vận hành ngày ${formatDay(`${day}T00:00:00+07:00`)}`,
  paragraphs: operators.flatMap(({ operator, lines }) => [
    `${operator?.username ?? 'Hệ thống'}:`,
    ...lines.map((line) => `– ${line}`),
  ]),
  action: { label: 'Mở nhật ký vận hành', url: `${publicUrl}/admin/audit` },
  closing: ['Nếu có việc bạn không biết, hãy hỏi ngay người đã làm và xem nhật ký vận hành.'],
})

const TEN_MINUTES_MS = 600_000

export function startDigestJobs(deps: DigestDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'daily digests', pauseMs: TEN_MINUTES_MS, round: () => sendDigests(deps) },
  ])
}

export function registerOperatorDigests(api: Api, deps: PlatformDeps): void {
  api.serve(operatorDigestCall, ({ query }) => readDigest(deps, query.day ?? vietnamDay(deps.clock.now())))
}
