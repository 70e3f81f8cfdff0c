/** Behind which row a trail goes on: its moment in microseconds, and its key among those of one moment. */
export type TrailMark = { micros: string; key: string }

/** Behind no row: later than all, in the year 2255. */
const START: TrailMark = { micros: '9000000000000000', key: '' }

export function readMark(before: string | undefined): TrailMark {
  if (before === undefined) return START
  const [micros = '', key = ''] = before.split('~')
  return { micros, key }
}

export const writeMark = ({ micros, key }: TrailMark): string => `${micros}~${key}`

/** Whether a row stands behind another in a trail: earlier, or of the same moment with a smaller key. */
export function isBehind(row: TrailMark, mark: TrailMark): boolean {
  const [at, last] = [BigInt(row.micros), BigInt(mark.micros)]
  return at < last || (at === last && row.key < mark.key)
}

export const microsOf = (moment: string): string => `${Date.parse(moment)}000`

export const momentOf = (micros: string): string => new Date(Number(BigInt(micros) / 1000n)).toISOString()
