import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { LookupAddress } from 'node:dns'

/** Networks that are not of the internet, from the registries of special addresses (RFC 6890). */
const NOT_PUBLIC: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const closed = new BlockList()
for (const [network, bits] of NOT_PUBLIC) closed.addSubnet(network, bits, 'ipv4')
// Of IPv6 only 2000::/3 is given out, and within it these lead to IPv4 or are for documents.
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const closed6 = new BlockList()
closed6.addSubnet('2001::', 23, 'ipv6')
closed6.addSubnet('2001:db8::', 32, 'ipv6')
closed6.addSubnet('2002::', 16, 'ipv6')
closed6.addSubnet('3fff::', 20, 'ipv6')

/** Whether an address is one of the internet; those of this machine, of its networks and of none are not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !closed.check(address, 'ipv4')
  return family === 6 && open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

/**
 * Refuses a name as soon as one of its addresses is not public. The connection goes to the addresses that were checked: a
 * name that answers differently the next time gains nothing.
 */
export const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = (error ? [] : found) as LookupAddress[]
      const [first] = addresses
      if (error || first === undefined) return done(error ?? new Error('the name has no address'), [])
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return done(new Error(`${hostname} is at an address that is not public`), [])
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
