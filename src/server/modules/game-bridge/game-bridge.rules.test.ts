import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { outcomeOfAnswer, starterCharacters } from './game-bridge.rules.ts'

test.each([
  [200, { status: 'applied' }, { kind: 'applied' }],
  [409, {}, { kind: 'conflict' }],
  [422, { status: 'refused', reason: 'bag-full' }, { kind: 'refused', reason: 'bag-full' }],
  [422, { status: 'refused' }, { kind: 'refused', reason: 'no reason given' }],
  [429, null, { kind: 'not-received', cause: 'HTTP 429' }],
  [503, null, { kind: 'not-received', cause: 'HTTP 503' }],
])('the contract’s answer %i %j means %j', (status, body, outcome) => {
  expect(outcomeOfAnswer(status, body)).toEqual(outcome)
})

type Body = { status?: string; reason?: string; message?: string } | null

test.each<[number, Body]>([
  [200, null],
  [200, { status: 'ok' }],
  [202, { status: 'applied' }],
  [204, null],
  [400, {}],
  [401, {}],
  [403, { status: 'refused' }],
  [404, {}],
  [409, null],
  [422, { message: 'from a proxy' }],
  [500, { status: 'applied' }],
  [502, null],
  [504, null],
])('anything else proves nothing: %i %j', (status, body) => {
  expect(outcomeOfAnswer(status, body)).toEqual({ kind: 'unknown', cause: `HTTP ${status}` })
})

describe('starter characters', () => {
  const account = fc.stringMatching(/^[a-z0-9]{5,20}$/)

  test('an account gets three characters of three classes, one of them a newcomer, always the same ones', () => {
    fc.assert(
      fc.property(account, (name) => {
        const characters = starterCharacters(name)
        expect(starterCharacters(name)).toEqual(characters)
        expect(new Set(characters.map(({ classId }) => classId)).size).toBe(3)
        expect(characters.filter(({ classId }) => classId === 0)).toHaveLength(1)
        for (const { classId, head, level, luong } of characters) {
          expect(classId).toBeGreaterThanOrEqual(0)
          expect(classId).toBeLessThanOrEqual(6)
          // The head is one of the four pictures of its class.
          expect(Math.ceil(head / 4)).toBe(classId + 1)
          expect(level).toBeGreaterThanOrEqual(1)
          expect(level).toBeLessThanOrEqual(90)
          expect(luong).toBe(0)
        }
      }),
    )
  })

  test('two accounts never share a character’s name', () => {
    fc.assert(
      fc.property(account, account, (one, other) => {
        fc.pre(one !== other)
        const names = [...starterCharacters(one), ...starterCharacters(other)].map(({ name }) => name)
        expect(new Set(names).size).toBe(6)
      }),
      { numRuns: 1_000 },
    )
    // Names that differ only by what another class's word begins with.
    const tricky = ['cungan', 'kiemcungan', 'dao12', 'haidao12', 'moimoi', 'moimoimoi']
    const names = tricky.flatMap((name) => starterCharacters(name).map((character) => character.name))
    expect(new Set(names).size).toBe(names.length)
  })

  test('over many accounts every class and every level band occurs', () => {
    const all = Array.from({ length: 500 }, (_, index) => starterCharacters(`nguoichoi${index}`)).flat()
    expect(new Set(all.map(({ classId }) => classId)).size).toBe(7)
    expect(new Set(all.map(({ head }) => head)).size).toBe(28)
  })
})
