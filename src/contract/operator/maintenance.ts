import * as z from 'zod/mini'
import { moment } from '../fields.ts'
import { endpoint } from '../endpoint.ts'
import { keyed, reason, textBetween } from './fields.ts'
import { permitted } from './roles.ts'

/** What can be closed for players: everything, or one thing they do with their coins. */
export const MAINTENANCE_SECTIONS = ['all', 'recharge', 'exchange', 'gift', 'transfer'] as const

export type MaintenanceSection = (typeof MAINTENANCE_SECTIONS)[number]

/** Why it is closed, as players read it. It ends by itself at `until`; null: when an operator ends it. */
export const closureSchema = z.object({ message: z.string(), until: z.nullable(moment) })

export type Closure = z.output<typeof closureSchema>

/** What is closed, by section. */
export type Closures = Partial<Record<MaintenanceSection, Closure>>

const answer = z.object({
  sections: z.record(z.enum(MAINTENANCE_SECTIONS), z.nullable(closureSchema)),
  updated_at: moment,
})

const closing = z.object({
  message: textBetween(
    'Vui lòng nhập thông báo cho người chơi',
    [3, 'Thông báo tối thiểu 3 ký tự'],
    [300, 'Thông báo tối đa 300 ký tự'],
  ),
  until: z.nullable(z.iso.datetime({ offset: true, error: 'Thời điểm kết thúc không hợp lệ' })),
})

const PERMITTED = permitted('maintenance.write')

export const operatorMaintenance = {
  get: endpoint('GET', '/operator/maintenance', PERMITTED, {
    summary: 'What is closed for players at the moment; null: open.',
    answer,
  }),
  update: endpoint('PUT', '/operator/maintenance', PERMITTED, {
    summary:
      'Closes sections for players, or opens them with null; sections that are not named stay as they are. Players read the message, and their calls get 503 MAINTENANCE; operators’ do not.',
    body: z.object({
      sections: z.partialRecord(z.enum(MAINTENANCE_SECTIONS), z.nullable(closing)),
      updated_at: moment,
      reason,
    }),
    answer,
    ...keyed('CONFLICT'),
  }),
}
