import type { ProgramGuard } from './guard.ts'
import { notificationGuards } from './notifications.ts'

export const PROGRAM_GUARDS: readonly ProgramGuard[] = [...notificationGuards]
