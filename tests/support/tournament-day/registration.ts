import { setTimeout } from 'node:timers/promises'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { closeDue } from '#server/modules/tournaments/freeze.service.ts'
import { expireHeld } from '#server/modules/tournaments/places.service.ts'
import { someTeams } from '#server/modules/tournaments/testing/referee.ts'
import {
  type Entrant,
  luongOfEntrant,
  OPEN_TO_ALL,
  takeFees,
} from '#server/modules/tournaments/testing/sign-up.ts'
import type { Cut } from './cut-connections.ts'
import { type DayWorld, operatorAct, PLAYERS, sometimesCut } from './day.ts'
import { type ModelTeam, RegistrationModel, type Rules } from './model.ts'

export const FEE = 100
const MINUTE_MS = 60_000

const ACTS = [
  'signUp',
  'signUp',
  'signUp',
  'leave',
  'withdraw',
  'checkIn',
  'pay',
  'fees',
  'fees',
  'expire',
] as const
export const signUpActs = fc.array(
  fc.record({ kind: fc.constantFrom(...ACTS), player: fc.nat(PLAYERS - 1), cut: sometimesCut }),
  { minLength: 12, maxLength: 24, size: 'max' },
)

export type Announced = Rules & {
  mode: number
  /** How many teams an operator enters. */
  entered: number
  /** A bit for each player who has as much luong as the fee. */
  rich: number
}

export type Tournament = { world: DayWorld; id: string; model: RegistrationModel }

export async function announce(
  world: DayWorld,
  { mode, maxRound, fee, hasCheckIn, entered, rich }: Announced,
): Promise<Tournament> {
  const { portal, referee, entrants } = world
  const luong = entrants.map((_, player) => ((rich >> player) & 1) * FEE)
  for (const [player, { character }] of entrants.entries())
    await sql`UPDATE game.characters SET luong = ${luong[player]} WHERE id = ${character}::bigint`.execute(
      portal.db,
    )
  const rules: Rules = { maxRound, fee, hasCheckIn }
  const model = new RegistrationModel(rules, luong)
  const id = await referee.aTournament({
    ...OPEN_TO_ALL,
    mode,
    fee,
    max_round: maxRound,
    competition_start_at: new Date(Date.now() + 20 * MINUTE_MS).toISOString(),
    check_in_minutes: hasCheckIn ? 30 : 0,
  })
  const teams = someTeams(maxRound === 0 ? entered : Math.min(entered, 2 ** maxRound))
  if (teams.length > 0) expect((await referee.addTeams(id, teams)).status).toBe(200)
  model.enter(teams.length)
  return { world, id, model }
}

/** All teams that there ever were, in the order of their arrival. */
async function storedTeams({ world: { portal }, id }: Pick<Tournament, 'world' | 'id'>) {
  return portal.db
    .selectFrom('teams')
    .select(['id', 'state', 'captain_id'])
    .where('tournament_id', '=', id)
    .orderBy('id')
    .execute()
}

async function expectAsModelled(tournament: Tournament): Promise<void> {
  const { world, id, model } = tournament
  const { portal, entrants } = world
  const teams = await storedTeams(tournament)
  expect(teams.map(({ state }) => state)).toEqual(model.teams.map(({ state }) => state))
  const charges = await portal.db
    .selectFrom('tournament_charges')
    .select(['team_id', 'state'])
    .where('tournament_id', '=', id)
    .orderBy('team_id')
    .orderBy('created_at')
    .execute()
  const expected = model.teams.flatMap((team, index) =>
    team.charges.map(({ state }) => ({ team_id: teams[index]?.id, state })),
  )
  expect(charges).toEqual(expected)
  const luong = await Promise.all(entrants.map((entrant) => luongOfEntrant(portal, entrant)))
  expect(luong).toEqual(model.luong)
}

const pathOf = (id: string, team = '') => `/api/tournaments/${id}/teams${team && `/${team}`}`

type Act = { kind: (typeof ACTS)[number]; player: number; cut: Cut | null }

export async function actOfDay(tournament: Tournament, act: Act): Promise<void> {
  const { world, id, model } = tournament
  const { portal, entrants, send, runJob } = world
  const { kind, player, cut } = act
  const { player: account, character } = entrants[player] as Entrant
  const { token } = account
  const own = model.teamOf(player)
  const idOf = async (team: ModelTeam | undefined) =>
    team === undefined ? '999999999' : ((await storedTeams(tournament))[model.teams.indexOf(team)]?.id ?? '')
  const post = async (path: string, isAllowed: boolean) => {
    const answer = await send({ method: 'POST', path: pathOf(id, path), token, body: {} }, cut)
    expect(answer.status < 300, `${kind}: ${JSON.stringify(answer.body)}`).toBe(isAllowed)
  }
  if (kind === 'fees') await settleFees(tournament, cut)
  else if (kind === 'expire') {
    if (own?.state === 'held')
      await sql`UPDATE teams SET held_until = now() - interval '1 second' WHERE id = ${await idOf(own)}::bigint`.execute(
        portal.db,
      )
    await runJob(cut, () => expireHeld(portal.deps))
    model.expire(player)
  } else if (kind === 'signUp') {
    const body = { name: `Hội ${player}`, character_id: character, invites: [] }
    const answer = await send({ method: 'POST', path: pathOf(id), token, body }, cut)
    expect(answer.status === 201 || answer.status === 200, JSON.stringify(answer.body)).toBe(
      model.signUp(player),
    )
  } else if (kind === 'leave') {
    const answer = await send({ method: 'DELETE', path: pathOf(id, await idOf(own)), token }, cut)
    expect(answer.status < 300, JSON.stringify(answer.body)).toBe(model.leave(player))
  } else if (kind === 'withdraw') {
    const team = model.teams[player % Math.max(1, model.teams.length)]
    const answer = await operatorAct(world, { id, path: `/teams/${await idOf(team)}/withdraw`, cut })
    expect(answer.status < 300, JSON.stringify(answer.body)).toBe(model.withdraw(team))
  } else if (kind === 'checkIn') await post(`${await idOf(own)}/check-in`, model.checkIn(player))
  else await post(`${await idOf(own)}/pay`, model.pay(player))
  await expectAsModelled(tournament)
}

/** Closed by the referee or by the passing of time, and drawn where two teams are left. */
export async function closeAndDraw(
  tournament: Tournament,
  { mode, cut, byHand }: { mode: number; cut: Cut | null; byHand: boolean },
): Promise<void> {
  const { world, id, model } = tournament
  const { portal, referee, runJob } = world
  if (byHand) expect((await operatorAct(world, { id, path: '/close', cut })).status).toBe(200)
  else {
    await sql`UPDATE tournaments SET competition_start_at = now() - interval '1 second' WHERE id = ${id}::bigint`.execute(
      portal.db,
    )
    await runJob(cut, () => closeDue(portal.deps))
  }
  model.close()
  await expectAsModelled(tournament)
  await settleFees(tournament, cut)
  const { draw_from } = await referee.read(id)
  await setTimeout(Math.max(0, Date.parse(draw_from) - Date.now() + 1))
  const answer = await operatorAct(world, { id, path: '/draw', cut })
  expect(answer.status < 300, JSON.stringify(answer.body)).toBe(model.draw())
  await expectAsModelled(tournament)
  if (model.phase === 'drawn' && mode === 0) {
    expect((await operatorAct(world, { id, path: '/draw/next', cut })).status).toBe(200)
    while ((await referee.read(id)).phase === 'drawing')
      expect(
        (await operatorAct(world, { id, path: '/draw/next', body: { count: 5 }, cut: null })).status,
      ).toBe(200)
  }
}

/** What the game decides about all fees that wait for it. */
export async function settleFees(tournament: Tournament, cut: Cut | null): Promise<void> {
  const { world, model } = tournament
  await world.runJob(cut, () => takeFees(world.portal))
  model.settleFees()
  await expectAsModelled(tournament)
}

export async function cancel(tournament: Tournament, cut: Cut | null): Promise<void> {
  const { world, id, model } = tournament
  expect((await operatorAct(world, { id, path: '/cancel', cut })).status).toBe(200)
  model.cancel()
  await expectAsModelled(tournament)
}
