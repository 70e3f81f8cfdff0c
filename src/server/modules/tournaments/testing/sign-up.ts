import { sql } from 'kysely'
import { expect } from 'vitest'
import type { OwnTeam } from '#contract/tournament-teams.ts'
import type { TestAnswer, TestApp } from '#tests/support/app.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { charactersOf } from '#tests/support/purchases.ts'
import { claimCharges, sendCharge } from '../charges.service.ts'
import type { Referee } from './referee.ts'

export type Entrant = { player: TestPlayer; character: string }

export const OPEN_TO_ALL = { allowed_classes: [0, 1, 2, 3, 4, 5, 6], min_level: 1, max_level: 200, fee: 0 }

/** An activated player with a character that has so much luong. */
export async function anEntrant(portal: TestApp, { luong = 0 } = {}): Promise<Entrant> {
  const player = await aPlayer(portal, { isActivated: true })
  const [character] = await charactersOf(portal, player)
  await sql`UPDATE game.characters SET luong = ${luong} WHERE id = ${character}::bigint`.execute(portal.db)
  return { player, character: character ?? '' }
}

let teams = 0

export const signUp = (
  portal: TestApp,
  id: string,
  { player, character }: Entrant,
  change: object = {},
): Promise<TestAnswer> =>
  portal.call('POST', `/api/tournaments/${id}/teams`, {
    token: player.token,
    body: { name: `Hội ${++teams}`, character_id: character, invites: [], ...change },
  })

export const actOnTeam = (
  portal: TestApp,
  { id, team, path }: { id: string; team: string; path: string },
  { player }: Entrant,
  body: object = {},
): Promise<TestAnswer> =>
  portal.call('POST', `/api/tournaments/${id}/teams/${team}/${path}`, { token: player.token, body })

export async function ownTeam(portal: TestApp, id: string, { player }: Entrant): Promise<OwnTeam> {
  return (await portal.call('GET', `/api/tournaments/${id}/mine`, { token: player.token })).body
}

/** What the worker does, until the game has decided about every fee. */
export async function takeFees(portal: TestApp): Promise<void> {
  for (let round = 0; ; round++) {
    expect(round, 'fees are decided in a few rounds').toBeLessThan(10)
    const due = await claimCharges(portal.deps, 50)
    if (due.length === 0) return
    for (const charge of due) await sendCharge(portal.deps, charge)
  }
}

export async function luongOfEntrant(portal: TestApp, { character }: Entrant): Promise<number> {
  const { rows } = await sql<{ luong: string }>`
    SELECT luong FROM game.characters WHERE id = ${character}::bigint`.execute(portal.db)
  return Number(rows[0]?.luong)
}

export const someEntrants = (portal: TestApp, count: number, luong = 0): Promise<Entrant[]> =>
  Promise.all(Array.from({ length: count }, () => anEntrant(portal, { luong })))

export const leaveTeam = (
  portal: TestApp,
  { id, team }: { id: string; team: string },
  { player }: Entrant,
): Promise<TestAnswer> =>
  portal.call('DELETE', `/api/tournaments/${id}/teams/${team}`, { token: player.token })

/** A group of four whose three invited players have been asked. */
export async function aGroupOf(
  portal: TestApp,
  referee: Referee,
  { change, luong }: { change: object; luong: number },
) {
  const id = await referee.aTournament({ ...OPEN_TO_ALL, type: 2, ...change })
  const [captain, ...others] = (await someEntrants(portal, 4, luong)) as [Entrant, ...Entrant[]]
  const { body } = await signUp(portal, id, captain, {
    invites: others.map(({ player }) => player.username),
  })
  const accept = (entrant: Entrant) =>
    actOnTeam(portal, { id, team: body.id, path: 'accept' }, entrant, { character_id: entrant.character })
  return { id, team: body.id as string, captain, others, accept }
}
