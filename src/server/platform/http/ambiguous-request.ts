import type { IncomingMessage } from 'node:http'

const NAMED_ONCE = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization'])

/**
 * Node's parser refuses most of what a proxy and a server could read differently. This is the rest: a framing other
 * than plain `chunked`, any in HTTP/1.0 which knows none, and a header twice of which each reader may take another one.
 */
export function isAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (!NAMED_ONCE.has(name)) continue
    if (seen.has(name)) return true
    seen.add(name)
    if (
      name === 'transfer-encoding' &&
      (httpVersion === '1.0' || !/^chunked$/i.test(rawHeaders[at + 1] ?? ''))
    )
      return true
  }
  return false
}
