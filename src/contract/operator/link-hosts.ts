import { parsedUrl } from '../parsed-url.ts'

/** The settings that list where links may lead. */
export type HostList = 'program_hosts' | 'contact_hosts' | 'text_hosts'

/** Letters, digits and hyphens with a name for a top: no addresses of numbers, and no letters of other alphabets (`xn--`). */
const HOST_NAME = /^(?=.{4,253}$)(?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/

const HTTPS = /^https:\/\/([a-z0-9.-]+)(?:[/?#][!#-&(-;=?-[\]_a-z~]*)?$/i

/**
 * The host of an https address as it stands there; null where something could hide it: a user part, a port, an address of
 * numbers, letters that look like others, a backslash, blanks.
 */
export function plainHost(address: string): string | null {
  const host = HTTPS.exec(address)?.[1]?.toLowerCase()
  if (host === undefined || !HOST_NAME.test(host)) return null
  return parsedUrl(address)?.hostname === host ? host : null
}

/** Below these everybody can have a name, or they lead on to anywhere: to allow one would allow them all. */
const SHARED = new Set(
  `com.vn net.vn org.vn edu.vn gov.vn info.vn name.vn pro.vn biz.vn ac.vn health.vn id.vn io.vn ai.vn co.uk com.cn
   github.io githubusercontent.com gitlab.io pages.dev workers.dev r2.dev web.app firebaseapp.com appspot.com netlify.app
   vercel.app herokuapp.com onrender.com glitch.me surge.sh blogspot.com weebly.com wixsite.com 000webhostapp.com
   ngrok.io ngrok-free.app trycloudflare.com amazonaws.com s3.amazonaws.com cloudfront.net azurewebsites.net
   core.windows.net blob.core.windows.net
   bit.ly bitly.com tinyurl.com t.co goo.gl is.gd cutt.ly rebrand.ly shorturl.at t.ly ow.ly buff.ly s.id linktr.ee`.split(
    /\s+/,
  ),
)

/** The hosts of a list as it is typed: one a line, or with blanks or commas between them. */
export const readHosts = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

export const isHostList = (text: string): boolean =>
  readHosts(text).every((host) => HOST_NAME.test(host) && !SHARED.has(host))

/** Exactly one of these hosts, or below it. */
export const isAllowedHost = (host: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => host === one || host.endsWith(`.${one}`))

const PROGRAM =
  /\.(?:apks?|xapk|apkm|aab|jar|jad|exe|msi|msix|bat|cmd|scr|ps1|vbs|ipa|mobileconfig|plist|dmg|pkg|deb|rpm|zip|rar|7z|iso)(?![a-z0-9])/i

/** As often as somebody would encode a name to hide it. */
const DECODED_MAX = 3

/** What stands behind the host, with its encoding undone; letters beyond ASCII do not matter to those who ask. */
function behindHost({ pathname, search, hash }: URL): string {
  let read = pathname + search + hash
  for (let round = 0; round < DECODED_MAX; round += 1)
    read = read.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return read
}

/** Whether an address leads to a program, as far as its path and its query tell. */
export function leadsToProgram(address: string): boolean {
  const url = parsedUrl(address)
  return url !== null && /^https?:$/.test(url.protocol) && PROGRAM.test(behindHost(url))
}

/** Whether an address has another one in it: many sites lead on to whatever they are given. */
export function carriesAddress(address: string): boolean {
  const url = parsedUrl(address)
  return url !== null && /[/\\]{2}|:[/\\]/.test(behindHost(url))
}
