import { regexes } from 'zod/v4/core'

/*
 * What the bodies of the contract use of `zod/mini`, in a sixth of its bytes: the player site is built with this in its place
 * (`scripts/browser-contract.ts`, ADR 0061). The server and the console judge with zod itself; a test builds the contract with this
 * and compares both on the body of every call. The marks let the bundler leave out what a page does not use.
 */

/** After a final one nothing else is checked. */
type Issue = { path: PropertyKey[]; message: string | undefined; isFinal: boolean }
type Judged = { value: unknown; issues: Issue[] }
type Judge = (judged: Judged) => void
type Message = string | { error: string | ((issue: { input: unknown }) => string) } | undefined

export type Schema = {
  judge: Judge
  check: (...checks: { judge: Judge }[]) => Schema
  shape?: Record<string, Schema>
}

function textOf(message: Message, input: unknown): string | undefined {
  const error = typeof message === 'object' ? message.error : message
  return typeof error === 'function' ? error({ input }) : error
}

function say(judged: Judged, message: Message, isFinal = false): void {
  judged.issues.push({ path: [], message: textOf(message, judged.value), isFinal })
}

const isOver = ({ issues }: Judged) => issues.some(({ isFinal }) => isFinal)

type Own = { message?: Message; shape?: Record<string, Schema> }

function schema(ofType: Judge, own: Own = {}, checks: { judge: Judge }[] = []): Schema {
  return {
    ...(own.shape && { shape: own.shape }),
    check: (...more) => schema(ofType, own, [...checks, ...more]),
    judge(judged) {
      ofType(judged)
      for (const { judge } of checks) if (!isOver(judged)) judge(judged)
      // What says nothing of its own says what its schema says.
      for (const issue of judged.issues)
        issue.message ??= textOf(own.message, judged.value) ?? 'Invalid input'
    },
  }
}

function judgedBy({ judge }: { judge: Judge }, value: unknown): Judged {
  const judged: Judged = { value, issues: [] }
  judge(judged)
  return judged
}

const typed = (isRight: (value: unknown) => boolean, message: Message) =>
  schema(
    (judged) => {
      if (!isRight(judged.value)) say(judged, message, true)
    },
    { message },
  )

/* @__NO_SIDE_EFFECTS__ */
export const string = (message?: Message): Schema => typed((value) => typeof value === 'string', message)

/* @__NO_SIDE_EFFECTS__ */
export const boolean = (message?: Message): Schema => typed((value) => typeof value === 'boolean', message)

/* @__NO_SIDE_EFFECTS__ */
export const number = (message?: Message): Schema => typed(Number.isFinite, message)

/* @__NO_SIDE_EFFECTS__ */
export const int = (message?: Message): Schema =>
  typed(Number.isInteger, message).check(refine((value) => Number.isSafeInteger(value), message))

const oneOf = (values: readonly unknown[], message?: Message) =>
  typed((value) => values.includes(value), message)
export { oneOf as enum }

/* @__NO_SIDE_EFFECTS__ */
export const literal = (value: unknown, message?: Message): Schema => oneOf([value], message)

export const coerce = {
  number: (): Schema => transform(Number as (value: never) => unknown).check(number()),
}

/* @__NO_SIDE_EFFECTS__ */
export function object(shape: Record<string, Schema>, message?: Message): Schema {
  return schema(
    (judged) => {
      const { value, issues } = judged
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return say(judged, message, true)
      const kept: Record<string, unknown> = {}
      for (const [name, part] of Object.entries(shape)) {
        const one = judgedBy(part, (value as Record<string, unknown>)[name])
        for (const issue of one.issues) issues.push({ ...issue, path: [name, ...issue.path] })
        if (one.value !== undefined) kept[name] = one.value
      }
      judged.value = kept
    },
    { shape },
  )
}

/* @__NO_SIDE_EFFECTS__ */
export const extend = ({ shape }: Schema, more: Record<string, Schema>): Schema =>
  object({ ...shape, ...more })

/* @__NO_SIDE_EFFECTS__ */
export function array(part: Schema, message?: Message): Schema {
  return schema((judged) => {
    if (!Array.isArray(judged.value)) return say(judged, message, true)
    judged.value = judged.value.map((value, index) => {
      const one = judgedBy(part, value)
      for (const issue of one.issues) judged.issues.push({ ...issue, path: [index, ...issue.path] })
      return one.value
    })
  })
}

const unless = (absent: (value: unknown) => boolean, inner: Schema) =>
  schema((judged) => {
    if (!absent(judged.value)) inner.judge(judged)
  })

/* @__NO_SIDE_EFFECTS__ */
export const optional = (inner: Schema): Schema => unless((value) => value === undefined, inner)

/* @__NO_SIDE_EFFECTS__ */
export const nullable = (inner: Schema): Schema => unless((value) => value === null, inner)

/* @__NO_SIDE_EFFECTS__ */
export const nullish = (inner: Schema): Schema => optional(nullable(inner))

/* @__NO_SIDE_EFFECTS__ */
export function union(options: readonly Schema[], message?: Message): Schema {
  return schema((judged) => {
    const all = options.map((option) => judgedBy(option, judged.value))
    const open = all.filter((one) => !isOver(one))
    // Where one alone has not failed for good, what it says is said.
    const chosen = all.find(({ issues }) => issues.length === 0) ?? (open.length === 1 ? open[0] : undefined)
    if (!chosen) return say(judged, message, true)
    judged.value = chosen.value
    judged.issues.push(...chosen.issues)
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function pipe(first: Schema, next: Schema): Schema {
  return schema((judged) => {
    first.judge(judged)
    if (judged.issues.length === 0) next.judge(judged)
  })
}

/* @__NO_SIDE_EFFECTS__ */
export const transform = (change: (value: never) => unknown): Schema =>
  schema((judged) => {
    judged.value = change(judged.value as never)
  })

export { transform as overwrite }

/* @__NO_SIDE_EFFECTS__ */
export const trim = (): Schema => transform((value: string) => value.trim())

/* @__NO_SIDE_EFFECTS__ */
export const refine = (isRight: (value: never) => boolean, message?: Message): { judge: Judge } => ({
  judge(judged) {
    if (!isRight(judged.value as never)) say(judged, message)
  },
})

/* @__NO_SIDE_EFFECTS__ */
export const minLength = (least: number, message?: Message) =>
  refine((value: string) => value.length >= least, message)

/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (most: number, message?: Message) =>
  refine((value: string) => value.length <= most, message)

/* @__NO_SIDE_EFFECTS__ */
export const gte = (least: number, message?: Message) => refine((value: number) => value >= least, message)

/* @__NO_SIDE_EFFECTS__ */
export const lte = (most: number, message?: Message) => refine((value: number) => value <= most, message)

/* @__NO_SIDE_EFFECTS__ */
export const regex = (pattern: RegExp, message?: Message) =>
  refine((value: string) => pattern.test(value), message)

/* @__NO_SIDE_EFFECTS__ */
export const email = (message?: Message) => regex(regexes.email, message)

const MOMENT =
  /^\d{4}-(0[1-9]|1[0-2])-[0-3]\dT([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** A day that its month does not have becomes one of the next. */
const isDay = (day: string) => new Date(Date.parse(day) || 0).toISOString().startsWith(day)

export const iso = {
  datetime: ({ error }: { offset: true; error: string }) =>
    refine((value: string) => MOMENT.test(value) && isDay(value.slice(0, 10)), error),
}

export const unknown = (): Schema => schema(() => undefined)

export function safeParse(by: Schema, value: unknown) {
  const { value: data, issues } = judgedBy(by, value)
  return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } }
}
