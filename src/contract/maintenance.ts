import * as z from 'zod/mini'
import { moment } from './envelope.ts'

/** What can be closed for players: everything, or one thing they do with their coins. */
export const MAINTENANCE_SECTIONS = ['all', 'recharge', 'exchange', 'gift', 'transfer'] as const

export type MaintenanceSection = (typeof MAINTENANCE_SECTIONS)[number]

/** Why it is closed, as players read it. It ends by itself at `until`; null: when an operator says so. */
export const closureSchema = z.object({
  message: z.string(),
  until: z.nullable(moment),
})

export type Closure = z.output<typeof closureSchema>

/** What is closed, by section. */
export type Closures = Partial<Record<MaintenanceSection, Closure>>
