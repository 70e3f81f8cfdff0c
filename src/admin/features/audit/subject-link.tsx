import { Link } from 'react-router'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'

/** Where the screen of a kind of subject is. */
const SCREENS: Record<string, (id: string) => string> = {
  user: (id) => `/users/${id}`,
  adjustment: (id) => `/users/${id}`,
  'second-factor': (id) => `/users/${id}`,
  'recharge-order': (id) => `/recharge-orders/${id}`,
  'bank-transfer': (id) => `/bank-transfers/${id}`,
  bank_transaction: (id) => `/bank-transfers/${id}`,
  delivery: (id) => `/deliveries/${id}`,
  post: (id) => `/posts/${id}`,
  tournament: (id) => `/tournaments/${id}`,
  setting: (id) => `/settings/${sectionOf(id)}#${id}`,
}

const sectionOf = (key: string) =>
  Object.hasOwn(settingDefinitions, key) ? settingDefinitions[key as SettingKey].section : 'content'

const nameOf = ({ type, id }: { type: string; id: string }) =>
  type === 'setting' && Object.hasOwn(settingDefinitions, id)
    ? settingDefinitions[id as SettingKey].label
    : `${type} ${id}`

export function SubjectLink({ subject }: { subject: { type: string; id: string } }) {
  const screen = SCREENS[subject.type]
  return screen ? <Link to={screen(subject.id)}>{nameOf(subject)}</Link> : nameOf(subject)
}
