import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Refusal } from '../values/errors.ts'
import { validate } from './validate.ts'

const schema = z.object({
  name: z.string('Không được bỏ trống'),
  limit: z.optional(z.int().check(z.lte(50))),
})

function refusalOf(input: unknown): Refusal {
  try {
    validate(schema, input)
  } catch (error) {
    if (error instanceof Refusal) return error
  }
  throw new Error('it was accepted')
}

test('valid input is passed on without unknown fields', () => {
  expect(validate(schema, { name: 'a', balance: 1 })).toEqual({ name: 'a' })
})

test('every wrong field is named, in Vietnamese', () => {
  const { code, errors, message } = refusalOf({ limit: 51 })
  expect(code).toBe('VALIDATION')
  expect(errors).toEqual({ name: ['Không được bỏ trống'], limit: ['Giá trị quá lớn hoặc quá dài'] })
  expect(message).toBe('Không được bỏ trống')
})

test.each([[undefined], [null], [[]], ['text'], [7]])('%j is no such shape', (input) => {
  expect(refusalOf(input).code).toBe('BAD_REQUEST')
})
