import { Link } from 'react-router'
import { auditCopy as copy } from '#admin/features/audit/audit.copy.ts'
import { settingAddress } from '#admin/kit/setting-address.ts'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'

/** Where the screen of a kind of subject is. */
const SCREENS: Record<string, (id: string) => string> = {
  setting: settingAddress,
  user: (id) => `/users/${id}`,
  adjustment: (id) => `/users/${id}`,
  'second-factor': (id) => `/users/${id}`,
  maintenance: () => '/maintenance',
  'staff-invite': () => '/staff',
  server: () => '/servers',
  'ranking-group': () => '/groups',
  post: (id) => `/posts/${id}`,
  tournament: (id) => `/tournaments/${id}`,
  bank_transaction: (id) => `/bank-transfers/${id}`,
  recharge_claim: (id) => `/recharge-claims/${id}`,
  delivery: (id) => `/deliveries/${id}`,
  daily_close: (id) => `/daily-closes/${id}`,
  reconciliation: () => '/reconciliation',
  payment_order: (id) => `/recharge-orders/${id}`,
}

const nameOf = ({ type, id }: { type: string; id: string }) =>
  type === 'setting' && Object.hasOwn(settingDefinitions, id)
    ? settingDefinitions[id as SettingKey].label
    : `${copy.subjects[type] ?? type} ${id}`

export function SubjectLink({ subject }: { subject: { type: string; id: string } }) {
  const screen = SCREENS[subject.type]
  return screen ? <Link to={screen(subject.id)}>{nameOf(subject)}</Link> : nameOf(subject)
}
