/** What one request without a session may cost, with any content. */
const CPU_MS_MAX = 50
/** Cheaper than this nothing is worth a second look, however it grows. */
const CPU_MS_CHEAP = 12
/** Of four times the input. Work that grows with its square costs sixteen times as much. */
const GROWTH_MAX = 8
const RUNS = 5
const MEASUREMENTS = 3

type Work = (size: number) => Promise<unknown> | unknown

async function cpuMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The quickest of several runs: a collection of garbage, or what else this process does, is not the work's own. */
async function quickestMs(work: () => Promise<unknown> | unknown): Promise<number> {
  let least = Infinity
  for (let run = 0; run < RUNS && least > CPU_MS_CHEAP; run++) least = Math.min(least, await cpuMs(work))
  return least
}

type Bound = {
  /** What the work costs whatever its input, like the hashing of a password: not counted. */
  isApart?: boolean
}

/**
 * Null when the work is cheap at its largest input, or costs at most 50 ms and grows no faster than its input. What is
 * cheap at its largest is done once only, so that thousands of cases can be measured in seconds.
 */
export async function growthFault(work: Work, sizeMax: number, bound: Bound = {}): Promise<string | null> {
  let fault: string | null = null
  // What grows too fast does so at each measurement; a moment in which the process collects garbage passes.
  for (let measured = 0; measured < MEASUREMENTS; measured++) {
    fault = await measuredFault(work, sizeMax, bound)
    if (fault === null) return null
  }
  return fault
}

async function measuredFault(
  work: Work,
  sizeMax: number,
  { isApart = false }: Bound,
): Promise<string | null> {
  const large = await quickestMs(() => work(sizeMax))
  if (large <= CPU_MS_CHEAP) return null
  const apart = isApart ? await quickestMs(() => work(1)) : 0
  const small = await quickestMs(() => work(Math.ceil(sizeMax / 4)))
  const cost = large - apart
  if (cost <= CPU_MS_CHEAP) return null
  const isLinear = cost <= Math.max(small - apart, CPU_MS_CHEAP / 4) * GROWTH_MAX
  if (cost <= CPU_MS_MAX && isLinear) return null
  return `${large.toFixed(1)} ms of CPU for ${sizeMax}, ${small.toFixed(1)} ms for a quarter of it`
}

/** What outside text is filled with: what our own code searches for, splits at, trims, decodes and escapes. */
export const SEEDS = [
  '/',
  ' ',
  'a',
  '0',
  '%',
  '%41',
  '.',
  '-',
  '<',
  '(',
  ';',
  '\\',
  '"',
  '\u00a0',
  '\u0301\u0323',
  'TCX',
] as const

/** Text of so many bytes made of one piece. It ends differently: a pattern that fits all of it does not show its worst. */
export function textOf(seed: string, bytes: number): string {
  return `${seed.repeat(Math.max(1, Math.floor((bytes - 1) / Buffer.byteLength(seed))))}!`
}

/** Bodies of so many bytes, most of them JSON, that are hard on parsers. */
export const BODIES: Record<string, (bytes: number) => string> = {
  blanks: (bytes) => ' '.repeat(bytes),
  'a long text': (bytes) => JSON.stringify({ a: 'a'.repeat(bytes) }),
  escapes: (bytes) => `{"a":"${'\\u0301'.repeat(bytes / 6)}"}`,
  'a long number': (bytes) => `{"a":${'1'.repeat(bytes)}}`,
  'a long name': (bytes) => `{"${'a'.repeat(bytes)}":1}`,
  'many names': (bytes) => `{${Array.from({ length: bytes / 12 }, (_, at) => `"a${at}":1`).join(',')}}`,
  'the same name often': (bytes) => `{${Array.from({ length: bytes / 6 }, () => '"a":1').join(',')}}`,
  'a long list': (bytes) => `{"a":[${Array.from({ length: bytes / 2 }, () => '1').join(',')}]}`,
  'lists in lists': (bytes) => '['.repeat(bytes),
  'objects in objects': (bytes) => '{"a":'.repeat(bytes / 5),
  'many shallow lists': (bytes) => `[${Array.from({ length: bytes / 6 }, () => '[[1]]').join(',')}]`,
  'prototypes named': (bytes) => `{"a":"${'"__proto__"'.replaceAll('"', '\\"').repeat(bytes / 13)}"}`,
  quotes: (bytes) => '"'.repeat(bytes),
  backslashes: (bytes) => `{"a":"${'\\'.repeat(bytes)}`,
  zeros: (bytes) => '\0'.repeat(bytes),
}
