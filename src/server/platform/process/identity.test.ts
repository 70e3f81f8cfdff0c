import { expect, test } from 'vitest'
import { nameOfPlace, readPlace, shareOfMachine, writePlace, type ProcessPlace } from './identity.ts'

const web: ProcessPlace = { role: 'web', number: 2, webs: 4 }
const worker: ProcessPlace = { role: 'worker', number: 0, webs: 4 }

test('a process reads the place it was given, and nothing else', () => {
  expect([web, worker].map((place) => readPlace(writePlace(place)))).toEqual([web, worker])
  expect([undefined, '', 'web', 'web 1', 'owner 1 2'].map(readPlace)).toEqual([null, null, null, null, null])
  expect([web, worker].map(nameOfPlace)).toEqual(['web2', 'worker'])
})

test('web processes share what the machine bears; the worker and a portal of one process have it all', () => {
  expect([web, worker, null].map((place) => shareOfMachine(100, 1, place))).toEqual([25, 100, 100])
  expect(shareOfMachine(3, 1, web)).toBe(1)
  expect(shareOfMachine(3, 2, web)).toBe(2)
})
