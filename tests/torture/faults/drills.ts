import { tortureNotices } from '../notices/notices.ts'
import { tortureRestore } from '../restore/restore.ts'
import { offending } from '../../harness/judge.ts'
import type { Row } from '../../harness/report.ts'

export type Own = Omit<Row, 'fault' | 'name' | 'seed'>

/** A fault with a torture of its own, since everything is lost in it, or only an owner could prepare it. */
export type OwnFault = { name: string; run(pace: { seed: number; seconds: number }): Promise<Own> }

const NOTICES_A_SECOND = 12

/** T5: notifications of four providers, up to ten times, at once, shuffled, up to three days late, half of them damaged. */
const repeatedNotices: OwnFault = {
  name: 'notifications ×1 to ×10, at once, shuffled, days late, after expiry',
  async run({ seed, seconds }) {
    const notices = Math.ceil(NOTICES_A_SECOND * seconds)
    const report = await tortureNotices({ seed, notices, lanes: 8, seconds })
    const { books, closing, inbox } = report
    return {
      seconds: report.seconds,
      operations: report.sent,
      acknowledged: report.notices,
      injected: report.sent - report.notices + report.mangled,
      detail: { repeated: report.sent - report.notices, damaged: report.mangled, credited: report.credited },
      settleSeconds: report.settleSeconds,
      lost: Math.max(0, books.expectedVnd - books.creditedVnd),
      doubled: report.notOnce.length + Math.max(0, books.creditedVnd - books.expectedVnd),
      books: offending({
        wallets: report.wallets,
        inbox: inbox.missing.length + inbox.twice.length,
        closing: closing.differences.length,
      }),
      reconcile: offending(report.reconcile),
      wrong: [...report.wrongAnswers, ...report.wrongFates],
      isClean: report.isClean,
    }
  },
}

/** Before the backup, until the loss, and after the restore. */
const PHASES = 3

/** T15: a backup under load, the portal lost, restored beside a game and a bank that know more. */
const restored: OwnFault = {
  name: 'restored to an earlier moment, beside a game and a bank that know more',
  async run({ seed, seconds }) {
    const report = await tortureRestore({ seed, rounds: 1, players: 6, seconds: seconds / PHASES })
    const [round] = report.rounds
    if (!round) throw new Error('a restore without a round')
    const { lost = 0, deliveredTwice = 0, sentAgain = 0, ...books } = round.books
    return {
      seconds,
      operations: round.acknowledged,
      acknowledged: round.acknowledged,
      injected: 1,
      detail: {
        'open at the restore': round.openAtRestore,
        'goods forgotten and listed': round.forgottenGoods,
        'accounts gone': round.goneAccounts,
      },
      settleSeconds: round.settleSeconds,
      lost,
      doubled: deliveredTwice + sentAgain,
      books,
      reconcile: round.reconcile,
      wrong: round.isClean ? [] : [`not clean: ${JSON.stringify(round)}`],
      isClean: round.isClean,
    }
  },
}

export const OWN_FAULTS = { T5: repeatedNotices, T15: restored }
