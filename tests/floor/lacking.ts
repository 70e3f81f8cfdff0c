import data from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import program from '../../package.json' with { type: 'json' }

/** What browsers can do, by MDN: `javascript`, `api`, `css`, `html`. */
export const KNOWN = data as unknown as Record<'javascript' | 'api' | 'css' | 'html', Identifier>

/** The names of one engine in `browserslist`, and those it has in MDN's data. */
const SAME_ENGINE: Record<string, readonly string[]> = {
  chrome: ['chrome', 'chrome_android'],
  firefox: ['firefox', 'firefox_android'],
  safari: ['safari'],
  ios_saf: ['safari_ios'],
}

/** The oldest engines in which everything works, by their names in MDN's data. */
const FLOOR = program.browserslist.flatMap((engine) => {
  const [name = '', version = ''] = engine.split(' ')
  const names = SAME_ENGINE[name]
  if (!names) throw new Error(`${engine} of browserslist is no engine that MDN has data of`)
  return names.map((known) => ({ name: known, version }))
})

function isAtMost(one: string, other: string): boolean {
  const [a = [], b = []] = [one, other].map((version) => version.replace('≤', '').split('.').map(Number))
  const [major = 0, minor = 0] = a
  const [otherMajor = 0, otherMinor = 0] = b
  return major === otherMajor ? minor <= otherMinor : major < otherMajor
}

/** Under its own name, without a flag that somebody would have to set. A build adds the prefixes of CSS. */
function isIn(support: SimpleSupportStatement, version: string, canHavePrefix: boolean): boolean {
  const {
    version_added: added,
    version_removed: removed,
    flags,
    prefix,
    alternative_name: otherName,
  } = support
  if (typeof added !== 'string' || added === 'preview' || flags || otherName || (prefix && !canHavePrefix))
    return false
  return isAtMost(added, version) && !(typeof removed === 'string' && isAtMost(removed, version))
}

/** The engines of the floor that lack something, with their versions. */
export function lackingIn({ support }: CompatStatement, { canHavePrefix = false } = {}): string[] {
  return FLOOR.filter(({ name, version }) => {
    const statements = [support[name as keyof typeof support] ?? []].flat() as SimpleSupportStatement[]
    return !statements.some((statement) => isIn(statement, version, canHavePrefix))
  }).map(({ name, version }) => `${name} ${version}`)
}

/** What stands at a path of MDN's data. */
export function entryAt(of: Identifier | undefined, ...path: readonly string[]): Identifier | undefined {
  return path.reduce<Identifier | undefined>(
    (entry, name) => (entry && Object.hasOwn(entry, name) ? (entry[name] as Identifier) : undefined),
    of,
  )
}

/** What MDN says of an entry itself and of those below it. */
export function statementsIn(of: Identifier | undefined): [name: string, statement: CompatStatement][] {
  return Object.entries(of ?? {}).flatMap(([name, entry]) => {
    const statement = name === '__compat' ? undefined : (entry as Identifier).__compat
    return statement ? [[name, statement] as [string, CompatStatement]] : []
  })
}

/** The statements about members of interfaces, by the names of the members. */
export function membersOf(interfaces: readonly Identifier[]): Map<string, CompatStatement[]> {
  const members = new Map<string, CompatStatement[]>()
  for (const [key, statement] of interfaces.flatMap(statementsIn)) {
    const name = key.replace(/_static$/, '')
    members.set(name, [...(members.get(name) ?? []), statement])
  }
  return members
}

/** The interfaces of an area of MDN's data. */
export const interfacesOf = (area: Identifier | undefined): Identifier[] =>
  Object.entries(area ?? {}).flatMap(([name, entry]) => (name === '__compat' ? [] : [entry as Identifier]))
