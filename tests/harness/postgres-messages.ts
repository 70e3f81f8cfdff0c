const COMMIT = /^commit\b/i
/** Type and length of a message; the first message of a connection has no type. */
const HEAD = 5
const LENGTH_MAX = 64 * 1024 * 1024

/**
 * Reads what a client of PostgreSQL sends, piece by piece. Each call answers whether the piece ends a simple query COMMIT;
 * a statement with parameters is another message, and nothing of the portal commits with one.
 */
export function messageReader(): (chunk: Buffer) => boolean {
  let rest: Buffer = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let commits = false
    for (;;) {
      const head = isStarted ? HEAD : HEAD - 1
      if (rest.length < head) return commits
      const length = rest.readUInt32BE(head - 4)
      if (length < 4 || length > LENGTH_MAX) throw new Error(`a message of ${length} bytes is no PostgreSQL`)
      const end = head - 4 + length
      if (rest.length < end) return commits
      if (isStarted && rest[0] === 0x51) {
        commits ||= COMMIT.test(rest.toString('utf8', HEAD, Math.min(end - 1, HEAD + 20)))
      }
      rest = rest.subarray(end)
      isStarted = true
    }
  }
}
