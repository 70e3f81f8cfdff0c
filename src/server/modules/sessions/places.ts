import { execFile } from 'node:child_process'
import { BlockList, isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deserialize } from 'node:v8'
import { plainAddress } from '#server/platform/http/client-address.ts'
import { isPrivateAddress } from '#server/platform/values/private-networks.ts'

/** The networks of three numbers, in order: which range each lies in, and the place of each range. */
export type PlacesTable = {
  /** The first network behind each range. */
  ends: Uint32Array<ArrayBuffer>
  /** Of each range, as an index into the names. */
  places: Uint8Array<ArrayBuffer>
  names: string[]
}

/** What the table calls networks that no country has. */
const NOWHERE = '--'

/** A country by its two letters, or why there is none. Nothing else is stored of where somebody signed in. */
export type Place = string

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

const BYTES_MAX = 4 * 1024 * 1024
const UNPACK_MS_MAX = 10_000

const NO_TABLE: PlacesTable = { ends: new Uint32Array(1), places: new Uint8Array(1), names: [NOWHERE] }

let table: Promise<PlacesTable> | null = null

/**
 * Unpacks the table of countries, once per process: a fifth of a second that no request should wait for. In a child,
 * which takes along what that needs, fifteen times the memory of the table itself. Where that fails, places are unknown
 * until the next start: everybody can sign in all the same.
 */
export function openPlaces(onFailure: (error: unknown) => void = () => {}): Promise<PlacesTable> {
  return (table ??= unpack().catch((error: unknown) => {
    onFailure(error)
    return NO_TABLE
  }))
}

async function unpack(): Promise<PlacesTable> {
  const file = fileURLToPath(new URL('./places-unpacking.js', import.meta.url))
  const options = { encoding: 'buffer', maxBuffer: BYTES_MAX, timeout: UNPACK_MS_MAX } as const
  const { stdout } = await promisify(execFile)(process.execPath, [file], options)
  return deserialize(stdout) as PlacesTable
}

/** The place of an address, from a bundled table and without a network call. */
export async function placeOf(address: string): Promise<Place> {
  const plain = plainAddress(address)
  const version = isIP(plain)
  if (version === 0) return 'unknown'
  // Networks that lie nowhere.
  if (isPrivateAddress(plain)) return 'private'
  if (version === 6) return vietnameseNetworks.check(plain, 'ipv6') ? 'VN' : 'unknown'
  return placeIn(await openPlaces(), plain)
}

/** By halves: the first range that ends behind the address. */
function placeIn({ ends, places, names }: PlacesTable, address: string): Place {
  const [first = 0, second = 0, third = 0] = address.split('.').map(Number)
  const network = (first * 256 + second) * 256 + third
  let [from, to] = [0, ends.length - 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ends[middle] as number) <= network) from = middle + 1
    else to = middle
  }
  const name = names[places[from] as number]
  return name === undefined || name === NOWHERE ? 'unknown' : name
}
