import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchAnswer, type Answer } from '../harness/client.ts'
import { inMs, median } from '../harness/numbers.ts'
import { aBenchPlayer, aName, aPhone, withBenchPortal, type BenchPlayer } from './bench-portal.ts'

type CallInput = { path: string; body: object }

type CallFigures = {
  /** Of the answers to known names, and to unknown ones. */
  knownMs: number[]
  unknownMs: number[]
  /** Of the run in which they were closest. */
  differenceMs: number
  boundMs: number
  statuses: number[]
  /** Whether all answers are equal, apart from the request's id. */
  isOneAnswer: boolean
  isAlike: boolean
}

/** How often a name is requested at most; below every limit per account. */
const CALLS_PER_PLAYER_MAX = 5
const WRONG_CODE = '000000'

type Name = Pick<BenchPlayer, 'username' | 'email' | 'phone'>

const CALLS: Record<string, (name: Name) => CallInput> = {
  login: ({ username }) => ({ path: '/api/auth/login', body: { username, password: 'khong-phai-mk' } }),
  'password/request': ({ username, email }) => ({ path: '/api/password/request', body: { username, email } }),
  'password/reset-via-phone': ({ username, phone }) => ({
    path: '/api/password/reset-via-phone',
    body: { username, phone, password: 'mat-khau-moi-12', code: WRONG_CODE },
  }),
}

function nobody(): Name {
  const username = aName()
  return { username, email: `${username}@example.com`, phone: aPhone() }
}

export type AlikeOptions = { samples: number; runs: number; calls?: readonly string[] }

/** Whether content or timing of the answers reveals which usernames exist. */
export async function benchAlike({ samples, runs, calls = Object.keys(CALLS) }: AlikeOptions) {
  return withBenchPortal(async (portal) => {
    const players: BenchPlayer[] = []
    for (let left = Math.ceil((samples * runs) / CALLS_PER_PLAYER_MAX); left > 0; left--) {
      players.push(await aBenchPlayer(portal))
    }
    const measured: Record<string, CallFigures> = {}
    for (const call of calls) {
      const makeCall = CALLS[call]
      if (!makeCall) throw new Error(`there is no measurement named ${call}`)
      measured[call] = await measureCall(portal, { makeCall, players, samples, runs })
    }
    return { samples, calls: measured, isWithin: Object.values(measured).every(({ isAlike }) => isAlike) }
  })
}

type Measurement = {
  makeCall: (name: Name) => CallInput
  players: readonly BenchPlayer[]
  samples: number
  runs: number
}

async function measureCall(
  portal: PortalProcess,
  { makeCall, players, samples, runs }: Measurement,
): Promise<CallFigures> {
  const answers: Answer[] = []
  const medians: { known: number; unknown: number }[] = []
  for (let run = 0; run < runs; run++) {
    const known: number[] = []
    const unknown: number[] = []
    for (let sample = 0; sample < samples; sample++) {
      const player = players[(run * samples + sample) % players.length] as BenchPlayer
      // Each goes first as often as the other.
      const pair = sample % 2 === 0 ? [player, nobody()] : [nobody(), player]
      for (const name of pair) {
        const answer = await fetchAnswer(portal.url, makeCall(name))
        answers.push(answer)
        ;(name === player ? known : unknown).push(answer.ms)
      }
    }
    medians.push({ known: median(known), unknown: median(unknown) })
  }
  return figuresOf(medians, answers)
}

function figuresOf(
  medians: readonly { known: number; unknown: number }[],
  answers: readonly Answer[],
): CallFigures {
  const boundOf = ({ known, unknown }: { known: number; unknown: number }) =>
    Math.max(5, 0.1 * Math.max(known, unknown))
  const excess = (run: { known: number; unknown: number }) => Math.abs(run.known - run.unknown) - boundOf(run)
  const best = medians.toSorted((one, other) => excess(one) - excess(other))[0] ?? { known: 0, unknown: 0 }
  const distinct = new Set(answers.map(({ status, text }) => `${status} ${withoutRequestId(text)}`))
  return {
    knownMs: medians.map(({ known }) => inMs(known)),
    unknownMs: medians.map(({ unknown }) => inMs(unknown)),
    differenceMs: inMs(Math.abs(best.known - best.unknown)),
    boundMs: inMs(boundOf(best)),
    statuses: [...new Set(answers.map(({ status }) => status))],
    isOneAnswer: distinct.size === 1,
    isAlike: distinct.size === 1 && answers[0]?.status !== 404 && excess(best) <= 0,
  }
}

const withoutRequestId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
