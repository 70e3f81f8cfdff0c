/** Where the primary's log was at some moment. */
export type Sample = { at: number; position: string }

/** A position of the log as PostgreSQL writes it, `16/B374D848`. */
function bytesOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** The latest sample that a replica has replayed; null while it is behind all of them. */
export function latestPassed(samples: readonly Sample[], replayed: string): Sample | null {
  const there = bytesOf(replayed)
  return samples.findLast(({ position }) => bytesOf(position) <= there) ?? null
}
