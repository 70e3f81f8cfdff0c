import { isIP } from 'node:net'

/**
 * What counts as one client where calls are counted: an IPv4 address, or the /64 network of an IPv6 one, since a
 * household has 2^64 of those to choose from. What is no address (a proxy that passes on anything) is one client.
 */
export function clientKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(plain) === 4) return plain
  if (isIP(plain) !== 6) return 'unknown'
  const [head = '', tail] = (plain.split('%')[0] as string).split('::')
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  const network = [...first, ...zeros, ...last].slice(0, 4)
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
