import type { Endpoint } from '#contract/endpoint.ts'
import type { Closure, Closures, MaintenanceSection } from '#contract/operator/maintenance.ts'
import { formatMoment } from '#contract/format.ts'

/** The calls that each section closes. */
const SECTION_CALLS: Record<Exclude<MaintenanceSection, 'all'>, readonly string[]> = {
  recharge: ['POST /recharge/orders'],
  exchange: ['POST /exchange/store'],
  gift: ['POST /user/buy-package'],
  transfer: ['POST /user/transfer', 'POST /user/transfer/payee'],
}

/** Money and text messages that arrive are taken at any time, and whoever is signed in can stay or leave. */
const NEVER_CLOSED = ['POST /auth/verify', 'POST /auth/logout']

/**
 * What closes a call for players: `all` closes whatever changes something or belongs to one player. Reading what is
 * public goes on, since pages need it to show why the rest is closed.
 */
export function sectionsOf({ method, path, access }: Endpoint): MaintenanceSection[] {
  const call = `${method} ${path}`
  const isPlayers = access === 'user' || (access === 'open' && method !== 'GET')
  if (!isPlayers || path.startsWith('/operator/') || NEVER_CLOSED.includes(call)) return []
  const sections = Object.entries(SECTION_CALLS) as [MaintenanceSection, readonly string[]][]
  return ['all', ...sections.flatMap(([section, calls]) => (calls.includes(call) ? [section] : []))]
}

/** What closes one of these sections now. */
export function closureOf(
  closures: Closures,
  sections: readonly MaintenanceSection[],
  now: Date,
): Closure | undefined {
  return sections.flatMap((section) => closures[section] ?? []).find((closure) => isInForce(closure, now))
}

export const isInForce = ({ until }: Closure, now: Date): boolean =>
  until === null || Date.parse(until) > now.getTime()

const SECTION_NOTICES: Record<MaintenanceSection, string> = {
  all: 'Bảo trì',
  recharge: 'Nạp TCoin tạm đóng',
  exchange: 'Đổi lượng tạm đóng',
  gift: 'Quà tân thủ tạm đóng',
  transfer: 'Chuyển TCoin tạm đóng',
}

/** What players read about a closure on every page. */
export const noticeOf = (section: MaintenanceSection, { message, until }: Closure): string =>
  `${SECTION_NOTICES[section]}: ${message}${until === null ? '' : ` Mở lại lúc ${formatMoment(until)}.`}`
