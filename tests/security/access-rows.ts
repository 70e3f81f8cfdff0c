import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { aPlayer } from '#tests/support/players.ts'
import { CALLERS, type Caller, type World } from './cast.ts'

export type Probe = { path?: Record<string, string>; body?: unknown }

type MakeProbe = (world: World) => Probe | Promise<Probe>

export type Row = {
  /** The status each caller gets. */
  status: Record<Caller, number>
  /** The request; made again after each act that succeeds. */
  probe?: MakeProbe
}

/** By route, as `GET /api/posts/:id`. */
export type Rows = Record<string, Row>

type Exceptions = Partial<Record<Caller, number>>

export const OWNER = ['owner'] as const
export const EDITORS = ['owner', 'editor'] as const
export const HELPERS = ['owner', 'support'] as const
export const CASHIERS = ['owner', 'cashier'] as const
export const REFEREES = ['owner', 'referee'] as const
export const MONEY_READERS = ['owner', 'cashier', 'support'] as const
export const WITH_PERMISSIONS = ROLES.filter((role) => ROLE_PERMISSIONS[role].length > 0)

const row = (status: Record<string, number>, probe?: MakeProbe): Row => ({
  status: status as Row['status'],
  ...(probe ? { probe } : {}),
})

const all = (status: number) => Object.fromEntries(CALLERS.map((caller) => [caller, status]))

/** The same status for every caller, signed in or not. */
export const everyone = (status: number, probe?: MakeProbe) => row(all(status), probe)

/** Console sessions make operator calls only. */
const OPERATORS_401 = Object.fromEntries(ROLES.map((role) => [role, 401]))

/** 401 without a session of the player site, otherwise the given status, except for the named callers. */
export const signedIn = (status: number, exceptions: Exceptions = {}, probe?: MakeProbe) =>
  row({ ...all(status), nobody: 401, ...OPERATORS_401, ...exceptions }, probe)

/** Only for holders of one of the roles; other operators get 403, and sessions of the player site 401. */
export const operators = (roles: readonly Caller[], status: number, probe?: MakeProbe) =>
  row(
    {
      ...all(401),
      ...Object.fromEntries(ROLES.map((role) => [role, roles.includes(role) ? status : 403])),
    },
    probe,
  )

/** The same for a call whose body has a reason. */
export const acts = (roles: readonly Caller[], status: number, probe: MakeProbe = () => ({})) =>
  operators(roles, status, async (world) => {
    const { path = {}, body = {} } = await probe(world)
    return { path, body: { reason: 'Kiểm tra quyền', ...(body as object) } }
  })

export const nothingThere = (): Probe => ({ path: { id: '999999999' } })

/** A new player for each caller. */
export const aNewcomer =
  (body: object = {}): MakeProbe =>
  async ({ portal }) => ({ path: { id: (await aPlayer(portal)).id }, body })

export const addressOf = (pattern: string, values: Record<string, string> = {}) =>
  Object.entries(values).reduce((path, [name, value]) => path.replace(`:${name}`, value), pattern)

/** The request that a row of the table describes. */
export async function requestOf(world: World, [route, { probe }]: readonly [string, Row]) {
  const [method = '', pattern = ''] = route.split(' ')
  const { path, body } = (await probe?.(world)) ?? {}
  return { method, path: addressOf(pattern, path), body }
}
