import { expect, test } from 'vitest'
import { faultsOfDraw, type Draw } from './repeat-draw.ts'

/** Drawn by the server's \`drawOrder\`, with two seeded teams and ids of different lengths. */
const draw: Draw = {
  algorithm: 'sha256-list-hmac-shuffle-1',
  commitment: 'e3956867f3720b7dd7eafa1d1c1961d6b0e6457567b33d458ed263f61fd2994c',
  secret: '5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f01',
  teams: [
    {
      id: '9',
      name: 'Đội 1',
      seed: null,
      digest: '8f76cf391e0e7acfeb9e533424f33b18c0b0e436886921ae4da955639e27c4c5',
    },
    {
      id: '10',
      name: 'Đội 2',
      seed: 2,
      digest: '7dde621127d596cf6f1e4c141244e87bb1ebf5ca031f5cfefccd7dbb48feefb1',
    },
    {
      id: '11',
      name: 'Đội 3',
      seed: null,
      digest: '59210d939fff6c4478d7fed113a517ac922912a49f1e72f92c20d7f1f577d4b4',
    },
    {
      id: '12',
      name: 'Đội 4',
      seed: null,
      digest: '0fee1a167e5c3d1541866d6e4280b9d4a0ccd9e38768f7209df71f7a4a842e5c',
    },
    {
      id: '13',
      name: 'Đội 5',
      seed: 1,
      digest: '1c4ada9c3e50c53acfdac2437ed40100c57734b53fb7c3a442a62f22d4d2cbe7',
    },
    {
      id: '14',
      name: null,
      seed: null,
      digest: '1bc410ef44a0e871e141438c77931a4cd863e4ed4efeced8736eacc0dae90dca',
    },
    {
      id: '15',
      name: 'Đội 7',
      seed: null,
      digest: '7f867b00010470d805a4ac6c66e9b751e36f06c5176e0470deb5c12e2d6b0385',
    },
  ],
  order: ['13', '10', '14', '11', '9', '15', '12'],
}

test('a draw that the server made repeats in the browser, also when the list comes in another order', async () => {
  expect(await faultsOfDraw(draw)).toEqual([])
  expect(await faultsOfDraw({ ...draw, teams: draw.teams.toReversed() })).toEqual([])
})

test('another secret, another team and another order are found', async () => {
  expect(await faultsOfDraw({ ...draw, secret: '00'.repeat(32) })).toEqual(['commitment', 'order'])
  const renamed = draw.teams.map((team) => (team.id === '9' ? { ...team, name: 'Đội khác' } : team))
  expect(await faultsOfDraw({ ...draw, teams: renamed })).toEqual(['team'])
  expect(await faultsOfDraw({ ...draw, order: ['13', '10', '14', '11', '9', '12', '15'] })).toEqual(['order'])
})

test('an unseeded team that is left out of the list changes the order', async () => {
  expect(await faultsOfDraw({ ...draw, teams: draw.teams.slice(1) })).toEqual(['order'])
})
