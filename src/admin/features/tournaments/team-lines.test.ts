import { expect, test } from 'vitest'
import { readTeams } from './teams-panel.tsx'

test('each line is a team with its members; blanks and empty lines do not count', () => {
  expect(readTeams('Bạch Vân: Mây, Gió ,\n\n  Hắc Điêu  \n')).toEqual([
    { name: 'Bạch Vân', members: ['Mây', 'Gió'] },
    { name: 'Hắc Điêu', members: ['Hắc Điêu'] },
  ])
})

test('only the first colon separates', () => {
  expect(readTeams('A: x:y')).toEqual([{ name: 'A', members: ['x:y'] }])
})
