import type { IncomingMessage } from 'node:http'

const NAMED_ONCE = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'authorization'])

/** Most names need no other check. */
const LENGTHS = new Set([...NAMED_ONCE].map(({ length }) => length))

/**
 * Node's parser refuses most of what a proxy and a server could read differently. This is the rest: a framing other
 * than plain `chunked`, any in HTTP/1.0 which knows none, and a header twice of which each reader may take another one.
 */
export function isAmbiguous({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let names = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? ''
    if (!LENGTHS.has(given.length)) continue
    const name = given.toLowerCase()
    if (!NAMED_ONCE.has(name)) continue
    if (names.includes(` ${name} `)) return true
    names += ` ${name} `
    if (
      name === 'transfer-encoding' &&
      (httpVersion === '1.0' || !/^chunked$/i.test(rawHeaders[at + 1] ?? ''))
    )
      return true
  }
  return false
}

/**
 * Whether lists and objects are nested deeper than that. Determined from the text, before it is parsed;
 * for a text that is not JSON the result has no meaning, and the parser refuses it anyway.
 */
export function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') {
      depth++
      if (depth > depthMax) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}
