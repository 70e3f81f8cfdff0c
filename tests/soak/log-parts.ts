export type LogPart = { message: string; lines: number; bytesEach: number; percent: number }

const SHOWN_MAX = 15

/** The lines of a log by their message: how many, how long, and what share of all bytes. */
export function logParts(text: string): LogPart[] {
  const parts = new Map<string, { lines: number; bytes: number }>()
  let all = 0
  for (const line of text.split('\n')) {
    const bytes = Buffer.byteLength(line) + 1
    const message = messageOf(line)
    const part = parts.get(message) ?? { lines: 0, bytes: 0 }
    parts.set(message, { lines: part.lines + 1, bytes: part.bytes + bytes })
    all += bytes
  }
  return [...parts]
    .toSorted(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, SHOWN_MAX)
    .map(([message, { lines, bytes }]) => ({
      message,
      lines,
      bytesEach: Math.round(bytes / lines),
      percent: Math.round((bytes / all) * 100),
    }))
}

function messageOf(line: string): string {
  try {
    const { level, msg } = JSON.parse(line) as { level: string; msg: string }
    return `${level}: ${msg}`
  } catch {
    return 'no JSON'
  }
}
