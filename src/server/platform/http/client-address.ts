import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'

/** An address in its usual form: IPv4 that arrived on an IPv6 socket (`::ffff:113.161.7.8`) is that IPv4 address. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return address
  const [high, low] = groups.slice(6).map((group) => Number.parseInt(group, 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * What counts as one client where calls are counted: an IPv4 address, or the /64 network of an IPv6 one, since a
 * household has 2^64 of those to choose from. What is no address (a proxy that passes on anything) is one client.
 */
export function clientKey(address: string): string {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 6) return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
  return version === 4 ? plain : 'unknown'
}

/** The network of an address, which stays the same when a provider assigns a new one: /24 of IPv4, /48 of IPv6. */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 6) return groupsOf(plain).slice(0, 3).join(':')
  return version === 4 ? plain.split('.').slice(0, 3).join('.') : 'unknown'
}

/** The eight groups of an IPv6 address, `::` written out, without leading zeros. */
function groupsOf(address: string): string[] {
  const hex = address.replace(/%.*$/s, '').replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = [], tail = []] = hex.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16).toString(16))
}

/** Whose visit a request is, as far as it is counted. */
export type Visitor = { address: string; userAgent: string | undefined }

export const visitorOf = (request: FastifyRequest): Visitor => ({
  address: request.ip,
  userAgent: request.headers['user-agent'],
})
