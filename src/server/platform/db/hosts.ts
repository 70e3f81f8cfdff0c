/**
 * Several hosts in one address, of which the one that takes writes is meant. `URL` reads no such authority, so inside the
 * program the first host stands in its place and all of them in this parameter, which pg does not look at.
 */
const HOSTS = 'hosts'
const DEFAULT_PORT = 5432

export type Host = { host: string; port: number }

const AUTHORITY = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s
const ONE_HOST = /^(\[[\da-f:.]+\]|[^:,[\]]+)(?::(\d{1,5}))?$/i

/** `postgres://role:password@one:5432,two:5432/portal` as `URL` can read it; null when a host is not to be understood. */
export function joinHosts(text: string): string | null {
  const [, start = '', authority = '', rest = ''] = AUTHORITY.exec(text) ?? []
  const written = authority.split(',')
  if (written.length === 1) return text
  const hosts = written.map(hostOf)
  if (hosts.includes(null) || !URL.canParse(`${start}${written[0]}${rest}`)) return null
  const url = new URL(`${start}${written[0]}${rest}`)
  url.searchParams.set(HOSTS, written.join(','))
  return url.href
}

function hostOf(text: string): Host | null {
  const [, host, port = String(DEFAULT_PORT)] = ONE_HOST.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return null
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

/** The hosts an address may mean; empty where it means the one it names, whatever that one is. */
export function hostsOf(url: string): Host[] {
  const { searchParams, hostname, port } = new URL(url)
  const several = searchParams.get(HOSTS)
  if (several !== null) return several.split(',').flatMap((text) => hostOf(text) ?? [])
  if (searchParams.get('target_session_attrs') !== 'read-write') return []
  return [
    { host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'), port: Number(port) || DEFAULT_PORT },
  ]
}

/** As people read it. */
export function namesOfHosts(url: string): string {
  const { searchParams, host } = new URL(url)
  return searchParams.get(HOSTS)?.replaceAll(',', ' or ') ?? decodeURIComponent(host)
}
