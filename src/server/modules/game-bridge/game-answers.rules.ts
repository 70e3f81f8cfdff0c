import * as z from 'zod/mini'
import { WAITING_REASONS } from '#contract/deliveries.ts'
import { boardCounts } from '#contract/game/board-counts.ts'
import { gameLimits } from '#contract/game/limits.ts'

/** PostgreSQL stores no NUL. */
const text = z.string().check(
  z.minLength(1),
  z.maxLength(64),
  z.refine((value) => !value.includes('\u0000'), 'contains NUL'),
)
const count = z.int().check(z.gte(0))
const moment = z.iso.datetime({ offset: true })

/** A number that is only shown: one that cannot be read is not known, and its row stays. */
const shown = (least: number, unknown: number) => {
  const number = z.int().check(z.gte(least), z.lte(100_000))
  return z.pipe(
    z.unknown(),
    z.transform((given) => z.safeParse(number, given).data ?? unknown),
  )
}

/** What cannot be read says nothing: what else the game says counts more. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.unknown(),
      z.transform((given): z.output<Schema> | undefined => z.safeParse(schema, given).data),
    ),
  )

/** A head or class without picture or name. */
const UNKNOWN = -1

const seen = { name: text, class_id: shown(-1_000, UNKNOWN), level: shown(0, 0) }

/** One row each of the lists of characters and of a ranking. */
export const characterSchema = z.object({ id: text, ...seen, head: shown(-1_000, UNKNOWN) })
export const rankingSchema = z.object({ ...seen, value: z.int(), account: text })

export const knowledgeSchema = z.object({ status: z.enum(['applied', 'unknown', 'cancelled']) })
export const refundSchema = z.object({ status: z.literal('refunded') })
export const cancelSchema = z.object({ status: z.enum(['applied', 'cancelled']) })

/** A game that does not track it sends neither. */
export const collectionSchema = z.object({
  ...knowledgeSchema.shape,
  collected_at: z.optional(z.nullable(moment)),
  waiting: z.optional(z.nullable(z.enum(WAITING_REASONS))),
})

const listOf = <Row extends z.ZodMiniType>(row: Row, most: number) => z.array(row).check(z.maxLength(most))

/** Names by number. */
const namesOf = (most: number) =>
  z
    .record(z.string().check(z.regex(/^-?\d{1,6}$/)), text)
    .check(z.refine((names) => Object.keys(names).length <= most))

export const descriptionSchema = z.object({
  servers: listOf(z.object({ id: text, name: text, online: z.optional(count) }), 1_000),
  boards: listOf(text, 100),
  items: listOf(z.object({ code: text, name: text, max: count }), 2_000),
  max: z.object({ luong: count, yen: count }),
  classes: namesOf(1_000),
  heads: listOf(z.int(), 10_000),
  head_names: optional(namesOf(10_000)),
  collector_seen_at: z.nullable(moment),
  half_lock_seen_at: z.optional(z.nullable(moment)),
  charges: z.optional(z.boolean()),
  notices: z.optional(z.boolean()),
  limits: optional(gameLimits),
  counts: optional(boardCounts),
})

export const noticeStoredSchema = z.object({ status: z.literal('stored') })
export const accountStoredSchema = z.object({ status: z.enum(['stored', 'not-kept']) })
/** The version is part of it: a bare `unknown` could be any program's word. */
export const accountKnowledgeSchema = z.union([
  z.object({ status: z.enum(['known', 'unknown']), version: z.nullable(z.int()) }),
  z.object({ status: z.literal('not-kept') }),
])

type List<Schema extends z.ZodMiniType> = {
  schema: Schema
  most: number
  /** What no two rows may share. */
  idOf?: (row: z.output<Schema>) => string
}
type Rows<Row> = { rows: Row[]; leftOut: number; why: string[] }

const EXAMPLES = 3

/**
 * The rows of a list that can be read, the first `most` of them; how many were left out, and why the first of those were.
 * Throws for a list without a single row that can be read: it is another program's, and would empty ours.
 */
export function rowsIn<Schema extends z.ZodMiniType>(
  { schema, most, idOf }: List<Schema>,
  answer: unknown,
): Rows<z.output<Schema>> {
  const given = z.array(z.unknown()).parse(answer)
  const ids = new Set<string>()
  const rows: z.output<Schema>[] = []
  const why: string[] = []
  for (const row of given.slice(0, most)) {
    const read = z.safeParse(schema, row)
    const id = read.success ? idOf?.(read.data) : undefined
    const problem = !read.success
      ? whyNot(read.error)
      : id !== undefined && ids.has(id)
        ? `${id}: twice`
        : null
    if (read.success && problem === null) rows.push(read.data)
    else if (problem !== null && why.length < EXAMPLES) why.push(problem)
    if (id !== undefined) ids.add(id)
  }
  if (rows.length === 0 && given.length > 0) throw new Error(`no row of the list can be read (${why[0]})`)
  return { rows, leftOut: given.length - rows.length, why }
}

const whyNot = ({ issues: [issue] }: z.core.$ZodError) =>
  `${issue?.path.join('.') || 'row'}: ${issue?.message ?? 'cannot be read'}`
