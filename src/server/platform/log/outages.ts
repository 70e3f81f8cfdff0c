/**
 * What others are away, and what failed because of it: the first failure is a line at once, then one a minute counts, and
 * one says when it is over. Else a database that is away for a minute is a thousand lines with stacks, in which whatever
 * else fails meanwhile is not seen.
 */

const REPORT_MS = 60_000
/** A connection that is still open may work while new ones fail. */
const QUIET_MS = 5_000
/** What fails again so soon is the same outage. */
const AGAIN_MS = 20_000
const LOOK_MS = 5_000
const CAUSES_MAX = 3

type Write = (level: 'warn' | 'info', fields: Record<string, unknown>, message: string) => void

type Outage = {
  write: Write
  since: number
  last: number
  failures: number
  reportedAt: number
  isOver: boolean
  /** Kinds of failures that were a line of their own. */
  told: Set<string>
  /** Failures since the last line, by what they prevented. */
  counted: Map<string, number>
}

const outages = new Map<string, Outage>()
const places = new WeakMap<object, string>()
let timer: NodeJS.Timeout | null = null

/** Notes of an error that `place`, such as a server by its address, is away: its lines are counted together. */
export function markAway<Thrown>(error: Thrown, place: string | null): Thrown {
  if (place !== null && error !== null && typeof error === 'object') places.set(error, place)
  return error
}

const DISK_CODES = new Set(['ENOSPC', 'EDQUOT'])

/** What is away by an error or its causes; null for every other error. */
function placeOf(error: unknown, depth = 0): string | null {
  if (error === null || typeof error !== 'object' || depth > CAUSES_MAX) return null
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (error instanceof AggregateError && !places.has(error)) {
    const all = new Set(error.errors.map((one) => placeOf(one, depth + 1)))
    if (all.size === 1) return [...all][0] ?? null
  }
  if (typeof code === 'string' && DISK_CODES.has(code)) return 'the disk of this machine'
  return places.get(error) ?? placeOf(cause, depth + 1)
}

/** The same failure with another number in it is no other. */
const kindOf = ({ code, message }: { code?: unknown; message?: unknown }) =>
  typeof code === 'string' ? code : String(message).replaceAll(/\d+/g, '0')

/** As it is logged: the stack of a connection that was refused tells nothing. */
function withoutStack(error: Error): Error {
  const short = Object.assign(new Error(error.message), { name: error.name })
  if ('code' in error) Object.assign(short, { code: error.code })
  Reflect.deleteProperty(short, 'stack')
  return short
}

type Failed = { error: Error; fields: Record<string, unknown>; message: string; write: Write }

/**
 * The fields of the line that a failure is to be; null when it is counted. A failure of another kind at the same place is
 * a line of its own. Undefined where nothing is away.
 */
export function noteFailure({
  error,
  fields,
  message,
  write,
}: Failed): Record<string, unknown> | null | undefined {
  const now = performance.now()
  const place = placeOf(error)
  if (place === null) return undefined
  const known = outages.get(place)
  if (known?.isOver && now - known.reportedAt >= AGAIN_MS) outages.delete(place)
  const outage = outages.get(place) ?? {
    write,
    since: now,
    last: now,
    failures: 0,
    reportedAt: now,
    isOver: false,
    told: new Set<string>(),
    counted: new Map<string, number>(),
  }
  outages.set(place, outage)
  timer ??= setInterval(look, LOOK_MS).unref()
  if (outage.isOver) Object.assign(outage, { since: now, failures: 0, isOver: false })
  outage.last = now
  outage.failures += 1
  // What has a name of its own is searched for by it.
  const kind = [fields['event'], kindOf(error)].join(' ')
  if (!outage.told.has(kind)) {
    outage.told.add(kind)
    return { ...fields, err: withoutStack(error), away: place }
  }
  const { loop, job } = fields as { loop?: string; job?: string }
  const what = [message, loop ?? job].filter(Boolean).join(': ')
  outage.counted.set(what, (outage.counted.get(what) ?? 0) + 1)
  return null
}

/** Something there has just worked. */
export function noteSuccess(place: string): void {
  if (outages.size === 0) return
  const now = performance.now()
  const outage = outages.get(place)
  if (outage && !outage.isOver && now - outage.last >= QUIET_MS) end(place, outage, now, 'it answers again')
}

function end(place: string, outage: Outage, now: number, how: string): void {
  const { since, last, failures } = outage
  outage.write('info', { away: place, seconds: secondsOf(last - since), failures, ...countedIn(outage) }, how)
  Object.assign(outage, { isOver: true, reportedAt: now })
  outage.counted.clear()
}

const secondsOf = (ms: number) => Math.round(ms / 1_000)
const countedIn = ({ counted }: Outage) =>
  counted.size === 0 ? {} : { counted: Object.fromEntries(counted) }

function look(): void {
  const now = performance.now()
  for (const [place, outage] of outages) {
    const { since, last, reportedAt, isOver, failures, counted } = outage
    if (isOver) {
      if (now - reportedAt >= AGAIN_MS) outages.delete(place)
    } else if (now - last >= REPORT_MS) end(place, outage, now, 'nothing has failed there for a minute')
    else if (now - reportedAt >= REPORT_MS && counted.size > 0) {
      const facts = { away: place, seconds: secondsOf(now - since), failures, ...countedIn(outage) }
      outage.write('warn', facts, 'it is still away')
      outage.reportedAt = now
      counted.clear()
    }
  }
  if (outages.size > 0 || timer === null) return
  clearInterval(timer)
  timer = null
}

/** The last line of each loop that fails, and how often it has failed the same way since. */
const repeated = new Map<string, { kind: string; reportedAt: number; failures: number }>()

/**
 * The fields of the line of a loop whose round failed, which comes once a minute and counts while the failure is the same;
 * null for one that is counted. Every other line stays as it is.
 */
export function noteRepeat({
  error,
  fields,
}: Pick<Failed, 'error' | 'fields'>): Record<string, unknown> | null {
  const now = performance.now()
  const { loop } = fields
  if (typeof loop !== 'string') return fields
  const kind = `${error.name} ${kindOf(error)}`
  const last = repeated.get(loop)
  if (last?.kind !== kind || now - last.reportedAt >= 2 * REPORT_MS) {
    repeated.set(loop, { kind, reportedAt: now, failures: 0 })
    return fields
  }
  last.failures += 1
  if (now - last.reportedAt < REPORT_MS) return null
  const { failures } = last
  repeated.set(loop, { kind, reportedAt: now, failures: 0 })
  return { ...fields, err: withoutStack(error), failures }
}
