import * as z from 'zod/mini'
import { atMost, byId, COINS_MAX, filledText, idText, moment } from '../fields.ts'
import type { ErrorCode } from '../errors.ts'
import { searchForm } from '../search-form.ts'
import { givenTitle } from '../names.ts'

/** PostgreSQL's text holds no zero character and no half of a surrogate pair. */
export const storable = z.refine<string>(
  (text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text),
  'Có ký tự không hợp lệ',
)

type Bound = readonly [length: number, message: string]

/**
 * A text that has to be given, with messages of its own.
 * @__NO_SIDE_EFFECTS__
 */
export const textBetween = (missing: string, min: Bound, max: Bound) =>
  z
    .string(missing)
    .check(z.trim(), z.minLength(1, missing), z.minLength(...min), z.maxLength(...max), storable)

/** Why an operator does it; stored with the act and in the audit trail. */
export const reason = textBetween(
  'Vui lòng nhập lý do',
  [3, 'Lý do tối thiểu 3 ký tự'],
  [500, 'Lý do tối đa 500 ký tự'],
)

export const reasonBody = z.object({ reason })

/**
 * Of a call that acts once for its idempotency key: the other refusals to expect.
 * @__NO_SIDE_EFFECTS__
 */
export const keyed = (...errors: readonly ErrorCode[]) => ({ isIdempotent: true, errors })

/**
 * Of an act on the row whose id is in the address.
 * @__NO_SIDE_EFFECTS__
 */
export const onRow = (...errors: readonly ErrorCode[]) => ({
  params: byId,
  ...keyed('NOT_FOUND', ...errors),
})

/**
 * Of an act on the row whose id is in the address that takes a reason alone.
 * @__NO_SIDE_EFFECTS__
 */
export const actOnRow = <Answer extends z.ZodMiniType>(answer: Answer, ...errors: readonly ErrorCode[]) => ({
  body: reasonBody,
  answer,
  ...onRow(...errors),
})

/**
 * Of an act that makes a row.
 * @__NO_SIDE_EFFECTS__
 */
export const newRow = <Answer extends z.ZodMiniType>(answer: Answer, ...errors: readonly ErrorCode[]) => ({
  answer,
  status: 201,
  ...keyed(...errors),
})

/**
 * Of a read of what belongs to the row whose id is in the address.
 * @__NO_SIDE_EFFECTS__
 */
export const oneRow = <Answer extends z.ZodMiniType>(answer: Answer) => ({
  params: byId,
  answer,
  errors: ['NOT_FOUND'] as const,
})

/** What operators find something of theirs by, such as a budget or a promotion. */
export const title = givenTitle('tên', { min: 3, max: 80 })

/** A moment that an operator chooses. */
export const chosenMoment = z.iso.datetime({ offset: true, error: 'Thời điểm không hợp lệ' })

/**
 * A whole number that has to be given; a form sends NaN for a field left blank.
 * @__NO_SIDE_EFFECTS__
 */
export const wholeNumber = (missing: string, notWhole: string) =>
  z.int({ error: ({ input }) => (typeof input === 'number' && !Number.isNaN(input) ? notWhole : missing) })

/**
 * A moment that an operator chooses, with the message of a field left blank.
 * @__NO_SIDE_EFFECTS__
 */
export const momentChosen = (missing: string) =>
  z.iso.datetime({
    offset: true,
    error: ({ input }) => (input === '' || typeof input !== 'string' ? missing : 'Thời điểm không hợp lệ'),
  })

/** TCoin that are added; negative where they are taken away. */
export const signedAmount = z.int('Số TCoin phải là số nguyên').check(
  z.gte(-COINS_MAX, 'Số TCoin quá lớn'),
  z.lte(COINS_MAX, 'Số TCoin quá lớn'),
  z.refine((amount) => amount !== 0, 'Số TCoin phải khác 0'),
)

/** What an operator writes to a player. */
export const messageToPlayer = filledText(
  atMost(1_000),
  z.regex(/^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u, 'Có ký tự không hợp lệ'),
)

export const person = z.object({ id: idText, username: z.string() })

/** A payment channel as its number. */
export const channelFilter = z.literal([1, 2, 3])

export const noteSchema = z.object({ id: idText, text: z.string(), author: person, created_at: moment })

export type OperatorNote = z.output<typeof noteSchema>

/** The rows older than this one. */
export const beforeId = z.object({ before: z.optional(idText) })

/** @__NO_SIDE_EFFECTS__ */
export const noteText = (max: number) => filledText(z.maxLength(max, `Ghi chú tối đa ${max} ký tự`), storable)

/** How many rows one call acts on. */
export const SEVERAL_MAX = 50

/** @__NO_SIDE_EFFECTS__ */
export const severalOf = <One extends z.ZodMiniType>(one: One) =>
  z
    .array(one)
    .check(
      z.minLength(1, 'Hãy chọn ít nhất một dòng'),
      z.maxLength(SEVERAL_MAX, `Mỗi lần tối đa ${SEVERAL_MAX} dòng`),
    )

/** What came of each row, in the order they were given. */
export const severalAnswer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      /** `waiting`: for a second person. */
      status: z.enum(['done', 'waiting', 'refused']),
      /** Of a refused one: the code and the sentence of the same act on it alone. */
      code: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
  ),
})

export type SeveralAnswer = z.output<typeof severalAnswer>

export const LIST_ROWS_MAX = 100

/** How far a list of a growing table is counted, and reached by `range`; `after` continues from there. */
export const LIST_REACH_MAX = 10_000

/** Room for a hundred ids of deliveries. */
const FILTER_CHARACTERS_MAX = 5000

/** The schemas of query parameters that hold JSON, so that OpenAPI can describe what is inside the text. */
export const jsonParameters = z.registry<{ schema: unknown }>()

type Issue = { code?: string; path: PropertyKey[]; message: string; keys?: string[] }

/** A query parameter whose text is JSON of the given schema. */
function jsonParameter<Schema extends z.ZodMiniType>(
  schema: Schema,
  charactersMax: number,
  describe: (issue: Issue) => string = ({ message }) => message,
) {
  const parameter = z.optional(
    z.pipe(
      z.string().check(z.maxLength(charactersMax)),
      z.transform((text: string, context): z.output<Schema> => {
        const value = parseJson(text)
        const result = z.safeParse(schema, value)
        if (result.success) return result.data
        const message =
          value === undefined ? 'Tham số phải ở dạng JSON' : describe(result.error.issues[0] as Issue)
        context.issues.push({ code: 'custom', message, input: text })
        return z.NEVER
      }),
    ),
  )
  jsonParameters.add(parameter, { schema })
  return parameter
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function describeFilterIssue({ code, keys = [], path }: Issue): string {
  if (code === 'unrecognized_keys') return `Không thể lọc theo ${keys.join(', ')}`
  return path.length === 0 ? 'Bộ lọc không hợp lệ' : `Giá trị lọc của ${String(path[0])} không hợp lệ`
}

const sortOf = <const Sorts extends readonly [string, ...string[]]>(sorts: Sorts) =>
  z.tuple(
    [
      z.enum(sorts, 'Không thể sắp xếp theo cột này'),
      z.enum(['ASC', 'DESC'], 'Chiều sắp xếp phải là ASC hoặc DESC'),
    ],
    'Không thể sắp xếp theo cột này',
  )

const rowNumber = z.int('Khoảng dòng không hợp lệ').check(z.gte(0, 'Khoảng dòng không hợp lệ'))

const range = z
  .tuple([rowNumber, rowNumber], 'Khoảng dòng không hợp lệ')
  .check(z.refine(([from, to]) => to >= from, 'Khoảng dòng không hợp lệ'))

const rangeWithinReach = range.check(
  z.refine(
    ([, to]) => to < LIST_REACH_MAX,
    'Danh sách chỉ xem được 10,000 dòng, hãy lọc bớt hoặc xem tiếp bằng after',
  ),
)

/** An id as a console sends it, a number or text. */
export const idFilter = z.pipe(
  z.union([z.string(), z.int()]),
  z.pipe(
    z.transform((id: string | number) => String(id)),
    idText,
  ),
)

/** One value or up to a hundred, always read as a list. */
export const oneOrMany = <Schema extends z.ZodMiniType>(value: Schema) =>
  z.pipe(
    z.union([value, z.array(value).check(z.maxLength(LIST_ROWS_MAX))]),
    z.transform((given): z.output<Schema>[] => (Array.isArray(given) ? given : [given as z.output<Schema>])),
  )

/**
 * The query of a list as react-admin's simple REST provider writes it, three JSON texts: `sort=["id","ASC"]` by one of
 * the named columns, `range=[0,24]` (both inclusive, at most 100 rows are answered),
 * `filter={…}` of ids, of the given fields and of no others.
 */
export const listQuery = <
  const Sorts extends readonly [string, ...string[]],
  Fields extends Record<string, z.ZodMiniType>,
>(
  sorts: Sorts,
  fields: Fields,
  id: z.ZodMiniType<string> = idFilter,
) =>
  z.object({
    sort: jsonParameter(sortOf(sorts), 100),
    range: jsonParameter(range, 50),
    filter: jsonParameter(
      z.strictObject({ id: z.optional(oneOrMany(id)), ...fields }),
      FILTER_CHARACTERS_MAX,
      describeFilterIssue,
    ),
  })

/**
 * The same for a table that only grows: `range` reaches 10,000 rows, and `after` (the text of the last answer's
 * `X-Next-After`) continues after that row; `range` then gives only the number of rows.
 */
export const growingListQuery = <
  const Sorts extends readonly [string, ...string[]],
  Fields extends Record<string, z.ZodMiniType>,
>(
  sorts: Sorts,
  fields: Fields,
  id?: z.ZodMiniType<string, string>,
) =>
  z.extend(listQuery(sorts, fields, id), {
    range: jsonParameter(rangeWithinReach, 50),
    after: z.optional(id ?? idText),
  })

/** Typed or pasted, perhaps with marks and capitals that no name has. */
export const usernameFilter = z.string().check(z.overwrite(searchForm), z.maxLength(20), storable)

/** Whole amounts of VND or TCoin. */
export const amountFilter = z.int().check(z.gte(1))
