import type { PortalProcess } from '#tests/support/processes.ts'
import { fetchAnswer, type Answer, type Request } from '../harness/client.ts'
import { median } from '../harness/numbers.ts'
import { aNewcomer, benchPlayers, withBenchPortal, type BenchPlayer } from './bench-portal.ts'

/** How often a name is requested at most; below every limit per account. */
const CALLS_PER_PLAYER_MAX = 5
const WRONG_CODE = '000000'

type Name = Pick<BenchPlayer, 'username' | 'email' | 'phone'>

const CALLS: Record<string, (name: Name) => Request> = {
  login: ({ username }) => ({ path: '/api/auth/login', body: { username, password: 'khong-phai-mk' } }),
  'password/request': ({ username, email }) => ({ path: '/api/password/request', body: { username, email } }),
  'password/reset-via-phone': ({ username, phone }) => ({
    path: '/api/password/reset-via-phone',
    body: { username, phone, password: 'mat-khau-moi-12', code: WRONG_CODE },
  }),
  'password/reset-via-game': ({ username }) => ({
    path: '/api/password/reset-via-game',
    body: { username, password: 'mat-khau-moi-12', code: WRONG_CODE },
  }),
}

type Options = { samples: number; runs: number; calls?: readonly string[] }

/** Whether content or timing of the answers reveals which usernames exist. */
export const benchAlike = ({ samples, runs, calls = Object.keys(CALLS) }: Options) =>
  withBenchPortal(async (portal) => {
    const players = await benchPlayers(portal, Math.ceil((samples * runs) / CALLS_PER_PLAYER_MAX))
    const measured: Record<string, ReturnType<typeof figuresOf>> = {}
    for (const call of calls) {
      const answers: Answer[] = []
      const medians: Medians[] = []
      for (let run = 0; run < runs; run++) {
        const known = Array.from(
          { length: samples },
          (_, sample) => players[(run * samples + sample) % players.length],
        )
        const taken = await measure(portal, CALLS[call] as (name: Name) => Request, known as BenchPlayer[])
        const middle = (of: readonly Answer[]) => median(of.map(({ ms }) => ms))
        medians.push({ known: middle(taken.known), unknown: middle(taken.unknown) })
        answers.push(...taken.known, ...taken.unknown)
      }
      measured[call] = figuresOf(medians, answers)
    }
    return { samples, calls: measured }
  })

async function measure({ url }: PortalProcess, makeCall: (name: Name) => Request, players: readonly Name[]) {
  const known: Answer[] = []
  const unknown: Answer[] = []
  const ask = async (answers: Answer[], name: Name) => answers.push(await fetchAnswer(url, makeCall(name)))
  for (const [sample, player] of players.entries()) {
    // Each goes first as often as the other.
    if (sample % 2 === 1) await ask(unknown, aNewcomer())
    await ask(known, player)
    if (sample % 2 === 0) await ask(unknown, aNewcomer())
  }
  return { known, unknown }
}

type Medians = { known: number; unknown: number }

function figuresOf(medians: readonly Medians[], answers: readonly Answer[]) {
  const boundOf = ({ known, unknown }: Medians) => Math.max(5, 0.1 * Math.max(known, unknown))
  const excess = (run: Medians) => Math.abs(run.known - run.unknown) - boundOf(run)
  const closest = medians.toSorted((one, other) => excess(one) - excess(other))[0] as Medians
  const distinct = new Set(answers.map(({ status, text }) => `${status} ${withoutRequestId(text)}`))
  return {
    knownMs: medians.map(({ known }) => known),
    unknownMs: medians.map(({ unknown }) => unknown),
    /** Of the run in which they were closest. */
    differenceMs: Math.abs(closest.known - closest.unknown),
    boundMs: boundOf(closest),
    statuses: [...new Set(answers.map(({ status }) => status))],
    /** Whether all answers are equal, apart from the request's id. */
    isOneAnswer: distinct.size === 1,
    isAlike: answers[0]?.status !== 404 && excess(closest) <= 0,
  }
}

const withoutRequestId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')
