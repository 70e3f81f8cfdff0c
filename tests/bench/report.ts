type Bound = { min: number } | { max: number }

/** What figures may be at least or at most, by their places; everything that is true or false has to be true. */
const BOUNDS: readonly (readonly [RegExp, Bound])[] = [
  [/^pages\.cached\.rateRatio$/, { min: 0.65 }],
  [/^pages\.cached\.cpuRatio$/, { max: 1.6 }],
  [/^pages\.nginx\.rateRatio$/, { min: 0.9 }],
  [/^pages\.uncached\.\/home\.nodeMs$/, { max: 2.3 }],
  [/^pages\.uncached\.\/home\.postgresMs$/, { max: 0.3 }],
  [/^pages\.uncached\.\/post\/\{id\}\.nodeMs$/, { max: 1.5 }],
  [/^pages\.uncached\.\/post\/\{id\}\.postgresMs$/, { max: 0.2 }],
  [/^pages\.floods\.[^.]+\.cpuRatio$/, { max: 3 }],
  [/^pages\.floods\.[^.]+\.visitorRatio$/, { max: 1.5 }],
  [/^pages\.memoryMb\.atRest$/, { max: 150 }],
  [/^pages\.memoryMb\.afterwards$/, { max: 230 }],
  [/^calls\.calls\.posts\.cpuMs$/, { max: 0.25 }],
  [/^calls\.calls\.verify\.cpuMs$/, { max: 0.8 }],
  [/^calls\.calls\.statement\.cpuMs$/, { max: 1.5 }],
  [/^calls\.calls\.purchase\.cpuMs$/, { max: 8 }],
  [/^calls\.calls\.posts\.statements$/, { max: 0.1 }],
  [/^calls\.calls\.verify\.statements$/, { max: 1.1 }],
  [/^calls\.calls\.statement\.statements$/, { max: 2 }],
  [/^calls\.notices\.creditedMs\.p50$/, { max: 20 }],
  [/^calls\.notices\.(creditedMs|shownMs)\.p99$/, { max: 100 }],
  [/^logins\.(baseline|besideOthers)\.signedIn$/, { min: 50 }],
  [/^logins\.floods\.\d+\.wrong$/, { max: 0 }],
  // Passwords in work, requests in line and 500 connections; a leak would show as growth from run to run.
  [/^logins\.floods\.\d+\.memoryGrowthMb$/, { max: 200 }],
  [/^game-logins\.repeated\.coresAt200$/, { max: 0.5 }],
  [/^game-logins\.flood\.wrong$/, { max: 0 }],
  [/^ledger\.loads\.spread over 1,000 accounts\.ratio$/, { min: 1.8 }],
  [/^ledger\.loads\.one hot account\.ratio$/, { min: 1.5 }],
  [/^ledger\.loads\.an account of the portal\.ratio$/, { min: 3 }],
  [/^streams\.residentMb$/, { max: 350 }],
  [/^streams\.p99Ms$/, { max: 300 }],
  // Connections that the pool has opened meanwhile.
  [/^streams\.handlesLeft$/, { max: 40 }],
  [/^bracket\.htmlGzipBytes$/, { max: 40_000 }],
  [/^bracket\.perChangeMs$/, { max: 30 }],
  [/^bracket\.lcpMs$/, { max: 1_400 }],
  [/^bracket\.longestMovingMs$/, { max: 100 }],
  [/^bracket\.seriousFindings$/, { max: 0 }],
  [/^spectators\.received\.p99Ms$/, { max: 2_000 }],
  [/^spectators\.memoryMb$/, { max: 400 }],
  [/^spectators\.others\.[^.]+\.ratio$/, { max: 1.5 }],
  [/^taps\.slowestMs$/, { max: 150 }],
  [/^console\.slowest\.0\.p95Ms$/, { max: 150 }],
  [/^rankings\.(first|next)\.seconds$/, { max: 60 }],
  [/^rankings\.(first|next)\.residentMb$/, { max: 300 }],
  [/^rankings\.pageP95Ms\.[^.]+$/, { max: 20 }],
  [/^growth\.calls\.[^.]+\.ratio$/, { max: 1.5 }],
]

/** Every figure by its place, such as `pages.cached.rateRatio`. */
function figuresOf(report: unknown, place = ''): (readonly [string, number | boolean])[] {
  if (typeof report === 'number' || typeof report === 'boolean') return [[place, report]]
  if (typeof report !== 'object' || report === null) return []
  return Object.entries(report).flatMap(([name, value]) =>
    figuresOf(value, place === '' ? name : `${place}.${name}`),
  )
}

/** The same report with shorter numbers. */
export const inFourDigits = (report: object): object =>
  JSON.parse(
    JSON.stringify(report, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)),
  )

/** A sentence for each figure that is outside its bound. */
export const missedBounds = (report: unknown): string[] =>
  figuresOf(report).flatMap(([place, figure]) => {
    if (typeof figure === 'boolean') return figure ? [] : [`${place} is false`]
    const bounds = BOUNDS.filter(([pattern]) => pattern.test(place)).map(([, bound]) => bound)
    return bounds.flatMap((bound) => {
      const isWithin = 'min' in bound ? figure >= bound.min : figure <= bound.max
      return isWithin ? [] : [`${place} is ${figure}, outside ${JSON.stringify(bound)}`]
    })
  })

/** Every figure of two reports that is in both: its place, both values, and the change in percent. */
export function changesOf(before: unknown, present: unknown): string[] {
  const earlier = new Map(figuresOf(before))
  return figuresOf(present).flatMap(([place, figure]) => {
    const was = earlier.get(place)
    if (typeof was !== 'number' || typeof figure !== 'number') return []
    const change = was === 0 ? '' : ` (${((figure / was - 1) * 100).toFixed(0)} %)`
    return [`${place}: ${was} → ${figure}${change}`]
  })
}
