import { fileURLToPath } from 'node:url'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNginxThere } from '#tests/support/nginx.ts'
import { nginxDoor, plainDoor } from '../../upgrade/doors.ts'
import { drill, WHOLE_DRILL } from '../../upgrade/drill.ts'
import { withOneMore } from '../../upgrade/programs.ts'
import { emptyLog } from '../deliveries/people.ts'
import { raceRefunds } from '../deliveries/races.ts'
import { openSetup } from '../deliveries/setup.ts'
import { tortureNotices } from '../notices/notices.ts'
import { tortureRestore } from '../restore/restore.ts'
import { offending, secondsSince, type Row } from './run.ts'

type Own = Omit<Row, 'fault' | 'name' | 'seed'>
type Pace = { seed: number; seconds: number }

/** A fault that has a torture of its own, repeated with seeds of its own until it has run for long enough. */
export type OwnFault = { name: string; run(pace: Pace): Promise<Own> }

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SEEDS_EACH = 100
const NOTICES = 1_500
const RACES = 60

const nothing = (): Own => ({
  seconds: 0,
  operations: 0,
  acknowledged: 0,
  injected: 0,
  detail: {},
  settleSeconds: 0,
  lost: 0,
  doubled: 0,
  books: {},
  reconcile: {},
  wrong: [],
  isClean: true,
})

/** Rounds until all of them together were on for so many seconds. */
async function rounds({ seed, seconds }: Pace, round: (seed: number) => Promise<Own>): Promise<Own> {
  const all = nothing()
  for (let number = 0; all.seconds < seconds; number++) {
    const one = await round(seed * SEEDS_EACH + number)
    all.seconds = Math.round((all.seconds + one.seconds) * 10) / 10
    all.operations += one.operations
    all.acknowledged += one.acknowledged
    all.injected += one.injected
    all.lost += one.lost
    all.doubled += one.doubled
    all.settleSeconds = Math.max(all.settleSeconds, one.settleSeconds)
    for (const name of ['detail', 'books', 'reconcile'] as const) add(all[name], one[name])
    all.wrong.push(...one.wrong)
    all.isClean &&= one.isClean
    if (!one.isClean) break
  }
  return all
}

function add(all: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) all[name] = (all[name] ?? 0) + count
}

/** T5: notifications of four providers, up to ten times, at once, shuffled, up to three days late, half of them damaged. */
const repeatedNotices: OwnFault = {
  name: 'notifications ×1 to ×10, at once, shuffled, days late, after expiry',
  run: (pace) =>
    rounds(pace, async (seed) => {
      const report = await tortureNotices({ seed, notices: NOTICES, lanes: 8 })
      const { wrongAnswers, wrongFates, notOnce, wallets, closing, inbox } = report
      return {
        ...nothing(),
        seconds: report.seconds,
        operations: report.sent,
        acknowledged: report.notices,
        injected: report.sent - report.notices + report.mangled,
        detail: { repeated: report.sent - report.notices, damaged: report.mangled },
        doubled: notOnce.length,
        books: offending({ wallets, inbox: inbox.missing.length + inbox.twice.length }),
        reconcile: offending(report.reconcile),
        wrong: [...wrongAnswers, ...wrongFates, ...closing.differences].map(String),
        isClean: report.isClean,
      }
    }),
}

/** T13: two operators refund what a worker is just sending. */
const racedRefunds: OwnFault = {
  name: 'two operators refund while a worker sends',
  async run(pace) {
    const setup = await openSetup({ webs: 2, buyers: 6, operators: 2 })
    try {
      const log = emptyLog()
      return await rounds(pace, async (seed) => {
        const began = performance.now()
        const report = await raceRefunds(setup, { seed, rounds: RACES }, log)
        const {
          delivered: _delivered,
          refunded: _refunded,
          open,
          lost,
          unasked,
          appliedTwice,
          ...others
        } = report
        const { deliveredNotApplied, refundedButApplied, contradictions, balancesWrong, luongWrong } = others
        return {
          ...nothing(),
          seconds: secondsSince(began),
          operations: 3 * report.rounds,
          acknowledged: report.rounds,
          injected: report.rounds,
          lost,
          doubled: appliedTwice + report.giftsTwice,
          books: offending({
            open,
            unasked,
            deliveredNotApplied,
            refundedButApplied,
            contradictions,
            balancesWrong,
            luongWrong,
            disagreements: report.disagreements,
          }),
          reconcile: offending(report.reconcile),
          isClean: report.isClean,
        }
      })
    } finally {
      await setup.close()
    }
  },
}

const RESTORE_SECONDS = 20

/** T15: a backup under load, the portal lost, restored beside a game and a bank that know more. */
const restored: OwnFault = {
  name: 'restored to an earlier moment under load',
  run: (pace) =>
    rounds(pace, async (seed) => {
      const began = performance.now()
      const report = await tortureRestore({ seed, rounds: 1, players: 6, seconds: RESTORE_SECONDS })
      const [round] = report.rounds
      if (!round) throw new Error('a restore without a round')
      const books = Object.entries(round).filter(([, value]) => Array.isArray(value) && value.length > 0)
      return {
        ...nothing(),
        seconds: secondsSince(began),
        operations: round.acts,
        acknowledged: round.acts,
        injected: 1,
        detail: {
          'open at the restore': round.openAtRestore,
          'goods forgotten and listed': round.forgottenGoods,
        },
        wrong: round.isClean ? [] : [JSON.stringify(round), ...books.map(([name]) => name)],
        isClean: report.isClean,
      }
    }),
}

/** T16: upgraded process by process, taken back on the new schema, upgraded again with a kill. */
const deployed: OwnFault = {
  name: 'migration and rolling restart, and back, under load',
  async run(pace) {
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-newer-'))
    try {
      const next = (await withOneMore(folder)).folder
      return await rounds(pace, (seed) => oneDeployment(seed, next))
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
}

async function oneDeployment(seed: number, next: string): Promise<Own> {
  const verdict = await drill({
    steps: WHOLE_DRILL,
    seed,
    players: 4,
    steadyMs: 6_000,
    stopDelaySeconds: 3,
    old: ROOT,
    new: next,
    openDoor: isNginxThere() ? nginxDoor : async (webPorts) => plainDoor(webPorts),
    say: () => {},
  })
  const { lost = 0, doubled = 0, deliveredTwice = 0, ...books } = verdict.books
  return {
    ...nothing(),
    seconds: verdict.phases.reduce((sum, { seconds }) => sum + seconds, 0),
    operations: verdict.phases.reduce((sum, { requests }) => sum + requests, 0),
    acknowledged: verdict.acknowledged,
    injected: WHOLE_DRILL.filter((step) => 'replace' in step).length,
    lost,
    doubled: doubled + deliveredTwice,
    books: offending(books),
    wrong: [...verdict.unexplained, ...verdict.unexpected],
    isClean: verdict.isClean,
  }
}

export const OWN_FAULTS = { T5: repeatedNotices, T13: racedRefunds, T15: restored, T16: deployed }
