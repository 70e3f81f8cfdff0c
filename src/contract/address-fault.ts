const CODES: Record<string, string> = {
  '@': '%40',
  '#': '%23',
  '/': '%2F',
  '?': '%3F',
  '%': '%25',
  '\\': '%5C',
}

const faultOf = (sign: string) =>
  `the user name or the password in it has ${sign} as it is: write ${CODES[sign] ?? ''} in its place ` +
  '(@ is %40, # is %23, / is %2F, ? is %3F, % is %25)'

const HOST = /^[^:]*(?::\d+)?$/

/**
 * Why an address with a user and a password does not mean what its writer meant: a sign in them that parts addresses. Null where
 * nothing says so. It quotes nothing of the address.
 */
export function addressFault(text: string): string | null {
  const rest = /^\s*[a-z][a-z\d+.-]*:\/\/(.*)$/is.exec(text)?.[1]
  if (rest === undefined) return null
  const end = /[/?#\\]/.exec(rest)?.index ?? rest.length
  const [authority, after] = [rest.slice(0, end), rest.slice(end)]
  const [login, ...hosts] = authority.split('@')
  if (hosts.length > 1) return faultOf('@')
  // What stands before an @ belongs to the login, unless it is the value of a parameter.
  const lost = /^[^@]*@/.exec(after)?.[0]
  const isParameter = (hosts.length === 1 || HOST.test(authority)) && /^[^#?]*\?[^#]*=/.test(lost ?? '')
  if (lost !== undefined && !isParameter) return faultOf(after[0] ?? '')
  if (hosts.length === 1 && !isEncoded(login ?? '')) return faultOf('%')
  return null
}

function isEncoded(login: string): boolean {
  try {
    decodeURIComponent(login)
    return true
  } catch {
    return false
  }
}
