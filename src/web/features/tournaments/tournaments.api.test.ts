import { expect, test } from 'vitest'
import { getBracket, listTournaments } from '#contract/tournaments.ts'
import { tournamentCalls } from './tournaments.api.ts'

test.each([
  [tournamentCalls.listTournaments, listTournaments],
  [tournamentCalls.getBracket, getBracket],
])('a bare call is the endpoint of the contract', (bare, { method, path, access }) => {
  expect(bare).toMatchObject({ method, path, access })
})
