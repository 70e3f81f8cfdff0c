import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { openReferee, type Referee } from '#server/modules/tournaments/testing/referee.ts'
import { type Entrant, someEntrants } from '#server/modules/tournaments/testing/sign-up.ts'
import { anotherProcess, type TestAnswer, type TestApp } from '../app.ts'
import { anAddress } from '../players.ts'
import { type Cut, openCuts } from './cut-connections.ts'

export const PLAYERS = 6

const aCut = fc.record({
  /** Most acts have fewer statements than the most. */
  at: fc.integer({ min: 1, max: 24 }),
  isAnswerLost: fc.boolean(),
  /** Once: the portal tries again by itself. Nine times: it gives up. */
  times: fc.constantFrom(1, 9),
})
export const sometimesCut = fc.option(aCut, { freq: 2 })

type Request = { method: 'POST' | 'PUT' | 'DELETE'; path: string; token: string; body?: object }

export type DayWorld = {
  portal: TestApp
  referee: Referee
  entrants: readonly Entrant[]
  /** What was cut off in the middle and what was repeated at the other process for that. */
  met: { cuts: number; repeated: number }
  send(request: Request, cut: Cut | null): Promise<TestAnswer>
  runJob(cut: Cut | null, job: () => Promise<unknown>): Promise<void>
  close(): Promise<void>
}

/** Two processes of a portal, a referee, and players with a character each. */
export async function openDay(portal: TestApp): Promise<DayWorld> {
  const connections = openCuts(inject('postgres').adminUrl)
  const other = await anotherProcess(portal)
  const met = { cuts: 0, repeated: 0 }

  /**
   * Sends a request whose connection to the database is cut as said. Where it gets no answer for that, it is repeated with
   * its key at the other process, as after a restart. What was done is repeated once more and has to get the same answer.
   */
  async function send({ method, path, token, body }: Request, cut: Cut | null): Promise<TestAnswer> {
    // More acts than a person makes in a minute.
    await portal.db.deleteFrom('rate_limit').execute()
    const key = randomUUID()
    const afterwards = async (): Promise<TestAnswer> => {
      const headers = {
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        'x-forwarded-for': anAddress(),
      }
      const answer = await other.app.inject({ method, url: path, headers, ...(body && { payload: body }) })
      return { status: answer.statusCode, body: answer.json(), headers: {} }
    }
    const { answer: first, cuts } = await connections.during(cut, () =>
      portal.call(method, path, { token, body, key, headers: { 'x-forwarded-for': anAddress() } }),
    )
    met.cuts += cuts
    if (first.status >= 500) expect([first.status, cuts > 0]).toEqual([503, true])
    if (first.status >= 500) met.repeated++
    const answer = first.status < 500 ? first : await afterwards()
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    if (answer.status < 300) {
      const again = await afterwards()
      expect([again.status < 300, again.body]).toEqual([true, answer.body])
    }
    return answer
  }

  /** Runs a job whose connection is cut as said, and once more, as the next round of its loop. */
  async function runJob(cut: Cut | null, job: () => Promise<unknown>): Promise<void> {
    const { cuts } = await connections.during(cut, () => job().catch(() => {}))
    met.cuts += cuts
    if (cuts === 0) return
    // What a worker had taken is left to it for a while.
    await sql`
      UPDATE tournament_charges SET next_attempt_at = now() WHERE state IN ('pending', 'refunding')`.execute(
      portal.db,
    )
    await job()
  }

  return {
    portal,
    referee: await openReferee(portal),
    entrants: await someEntrants(portal, PLAYERS),
    met,
    send,
    runJob,
    async close() {
      await other.close()
      await connections.end()
    },
  }
}

type OperatorAct = { id: string; path: string; body?: object; cut: Cut | null }

export async function operatorAct(
  { referee, send }: DayWorld,
  { id, path, body: change, cut }: OperatorAct,
): Promise<TestAnswer> {
  const body = { reason: 'Giải tháng này', updated_at: await referee.updatedAt(id), ...change }
  return send({ method: 'POST', path: referee.at(id, path), token: referee.token, body }, cut)
}
