import { ROLES } from '#contract/operator/roles.ts'
import { CALLERS, type Caller, type World } from './cast.ts'

export type Probe = { path?: Record<string, string>; body?: unknown }

export type Row = {
  /** The status each caller gets. */
  status: Record<Caller, number>
  /** The request; made again for each caller, so that one caller's act does not affect the next. */
  probe?: (world: World) => Probe | Promise<Probe>
}

type Exceptions = Partial<Record<Caller, number>>

const row = (status: Record<string, number>, probe: Row['probe']): Row => ({
  status: status as Row['status'],
  ...(probe ? { probe } : {}),
})

const all = (status: number) => Object.fromEntries(CALLERS.map((caller) => [caller, status]))

/** The same status for every caller, signed in or not. */
export const everyone = (status: number, probe?: Row['probe']) => row(all(status), probe)

/** Console sessions make operator calls only. */
const OPERATORS_401 = Object.fromEntries(ROLES.map((role) => [role, 401]))

/** 401 without a session of the player site, otherwise the given status, except for the named callers. */
export const signedIn = (status: number, exceptions: Exceptions = {}, probe?: Row['probe']) =>
  row({ ...all(status), nobody: 401, ...OPERATORS_401, ...exceptions }, probe)

/** Only for holders of one of the roles; other operators get 403, and sessions of the player site 401. */
export const operators = (roles: readonly Caller[], status: number, probe?: Row['probe']) =>
  row(
    {
      ...all(401),
      ...Object.fromEntries(ROLES.map((role) => [role, roles.includes(role) ? status : 403])),
    },
    probe,
  )
