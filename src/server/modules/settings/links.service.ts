import {
  carriesAddress,
  isAllowedHost,
  leadsToProgram,
  plainHost,
  readHosts,
} from '#contract/operator/link-hosts.ts'
import { type SettingDefinition, settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { selectSettings } from './settings.queries.ts'
import { settingText, type Stored } from './settings.rules.ts'

/** Whether an address is one of the portal itself. */
function isOwn(address: string, publicUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, username, password } = new URL(address)
  return origin === new URL(publicUrl).origin && username === '' && password === ''
}

/** Whether an address leads to a host of the list, and says so itself. */
function leadsToListed(address: string, hosts: readonly string[]): boolean {
  const host = plainHost(address)
  return host !== null && isAllowedHost(host, hosts) && !carriesAddress(address)
}

/** What a link that is refused is told; null where it leads to an allowed host, or the setting is no such link. */
export function linkFault(
  stored: Stored,
  { key, value }: { key: SettingKey; value: string },
  publicUrl: string,
): string | null {
  const { hosts: list }: SettingDefinition = settingDefinitions[key]
  if (list === undefined || value === '' || isOwn(value, publicUrl)) return null
  const hosts = readHosts(settingText(stored, list))
  if (leadsToListed(value, hosts)) return null
  return `Liên kết này không dẫn thẳng tới nơi được phép (${hosts.join(', ')}). Muốn thêm nơi khác, hãy đề xuất ở cài đặt “${settingDefinitions[list].label}” trước`
}

/** The addresses of sanitised HTML, as a browser reads them. */
const linksIn = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'))

/** The same page or something below it: a post of the fanpage, say. */
function isAtOrBelow(address: string, link: string): boolean {
  const [url, { href, pathname }] = [new URL(address), new URL(link)]
  return url.href === href || (pathname !== '/' && url.href.startsWith(`${href.replace(/\/$/, '')}/`))
}

/** Whether texts may have a link: those set for downloads, groups and calls, the portal's own, and to pages of listed hosts. */
function isLinkForTexts(stored: Stored, address: string, publicUrl: string): boolean {
  const text = (key: SettingKey) => settingText(stored, key)
  if (address.startsWith('/') || isOwn(address, publicUrl)) return true
  const [, scheme = '', target = ''] = /^(mailto|tel):(.*)$/i.exec(address) ?? []
  if (/^mailto$/i.test(scheme)) return target.toLowerCase() === text('seller_email').toLowerCase()
  if (/^tel$/i.test(scheme)) return digitsOf(target) === digitsOf(text('seller_hotline'))
  const links = Object.entries<SettingDefinition>(settingDefinitions).flatMap(([key, { hosts }]) =>
    hosts === undefined ? [] : [text(key as SettingKey)],
  )
  if (links.some((link) => link !== '' && !carriesAddress(address) && isAtOrBelow(address, link))) return true
  return !leadsToProgram(address) && leadsToListed(address, readHosts(text('text_hosts')))
}

const digitsOf = (phone: string): string => phone.replace(/\D/g, '')

/**
 * Refuses a text with a link to elsewhere than where its readers may be led. Links that were in it before stay: whoever mends
 * a word of an old text is not asked about them.
 */
export async function assertTextLinks(
  publicUrl: string,
  tx: Tx,
  { content, before }: { content: string; before: string },
): Promise<void> {
  const known = new Set(linksIn(before))
  const added = linksIn(content).filter((address) => !known.has(address))
  if (added.length === 0) return
  const stored = await selectSettings(tx)
  for (const address of added)
    if (!isLinkForTexts(stored, address, publicUrl))
      throw invalidField(
        'content',
        `Không thể dẫn tới ${address.slice(0, 200)}: chỉ dẫn được tới cổng này, tới liên kết tải game, nhóm, hotline, email đã đặt trong cài đặt, và tới ${readHosts(settingText(stored, 'text_hosts')).join(', ')}. Muốn thêm nơi khác, hãy nhờ chủ cổng đề xuất ở cài đặt “${settingDefinitions.text_hosts.label}”`,
      )
}
