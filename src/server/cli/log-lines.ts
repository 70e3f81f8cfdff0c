import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SetupProblem } from '#server/platform/values/errors.ts'

const GZIP = Buffer.from([0x1f, 0x8b])

/** The lines of a file, also of one that logrotate has packed by gzip, or of standard input for `-`. */
export async function* linesOf(file: string, what: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: await inputOf(file), crlfDelay: Infinity })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code?.startsWith('Z_'))
      throw new SetupProblem(`${file} cannot be unpacked to its end: copy it again`, { cause: error })
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error
    throw new SetupProblem(`${file} cannot be read (${code}): name a file with ${what}`, { cause: error })
  }
}

async function inputOf(file: string): Promise<NodeJS.ReadableStream> {
  if (file === '-') return process.stdin
  await using opened = await open(file)
  const { buffer } = await opened.read(Buffer.alloc(GZIP.length), { position: 0 })
  const plain = createReadStream(file)
  // What goes wrong in it comes out of its end, to whoever reads there.
  return buffer.equals(GZIP) ? pipeline(plain, createGunzip(), () => {}) : plain
}

/** What the portal wrote in a line; or a part of such a line, of which the rest is missing. */
export type LogEntry = { whole: Record<string, unknown> } | { cut: string }

const START = '{"level":"'
const END = /"msg":".*"\}$/

/**
 * What the portal wrote in a line of a log, whatever put something in front of it: journald its time and unit, Docker a
 * JSON of its own. Whoever was killed while writing left a beginning, behind which the next process may have gone on.
 */
export function entriesIn(line: string): LogEntry[] {
  const first = line.indexOf('{')
  const whole = first < 0 ? null : objectIn(line.slice(first))
  if (whole !== null) {
    const inner = whole['MESSAGE'] ?? whole['log']
    return typeof inner === 'string' ? entriesIn(inner.trimEnd()) : [{ whole }]
  }
  const last = line.lastIndexOf(START)
  const next = last > first ? objectIn(line.slice(last)) : null
  if (next !== null) return [{ cut: line.slice(0, last) }, { whole: next }]
  return last >= 0 || END.test(line) ? [{ cut: line }] : []
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
