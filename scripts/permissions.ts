import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Access, Endpoint } from '#contract/endpoint.ts'
import { ACT_GUARDS, type ActGuard } from '#contract/operator/act-guards.ts'
import { permissionsOf, ROLES } from '#contract/operator/roles.ts'

export const PERMISSION_CALLERS = ['nobody', 'player', ...ROLES] as const

export type PermissionCaller = (typeof PERMISSION_CALLERS)[number]

export type PermissionRow = {
  /** `GET /operator/posts/{id}` */
  call: string
  method: Endpoint['method']
  path: string
  needs: string
  cells: Record<PermissionCaller, 'yes' | '401' | '403'>
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

/** Every call below `/operator`, as the contract declares it. */
async function operatorEndpoints(root: string): Promise<Endpoint[]> {
  const folder = join(root, 'src/contract/operator')
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const modules = await Promise.all(
    files.map(async (file) => Object.values((await import(join(folder, file))) as Record<string, object>)),
  )
  const exported = modules.flat()
  return [...exported, ...exported.flatMap((value) => Object.values(value ?? {}))].filter(isEndpoint)
}

function cellOf(access: Access, caller: PermissionCaller): PermissionRow['cells'][PermissionCaller] {
  if (access === 'open') return 'yes'
  if (caller === 'nobody' || caller === 'player') return '401'
  if (access === 'console') return 'yes'
  const held = permissionsOf([caller])
  if (typeof access !== 'object') return held.length > 0 ? 'yes' : '403'
  const permissions: readonly string[] = held
  return [access.permission].flat().some((one) => permissions.includes(one)) ? 'yes' : '403'
}

function needsOf(access: Access): string {
  if (access === 'open') return 'nothing'
  if (access === 'console') return 'a console session, locked or not'
  if (typeof access !== 'object') return 'any permission'
  return [...new Set([access.permission].flat())].map((permission) => `\`${permission}\``).join(' or ')
}

/** Which caller reaches which operator call; by address. */
export async function permissionRows(root: string): Promise<PermissionRow[]> {
  const rows = new Map(
    (await operatorEndpoints(root)).map(({ method, path, access }): [string, PermissionRow] => {
      const cells = Object.fromEntries(PERMISSION_CALLERS.map((caller) => [caller, cellOf(access, caller)]))
      const call = `${method} ${path}`
      return [call, { call, method, path, needs: needsOf(access), cells: cells as PermissionRow['cells'] }]
    }),
  )
  return [...rows.values()].sort((one, other) =>
    `${one.path} ${one.method}` < `${other.path} ${other.method}` ? -1 : 1,
  )
}

const HEAD = `# Permissions

Which role reaches which operator call. Generated from the contract by \`npm run permissions\`; \`tests/security/permissions.db.test.ts\` asks the running portal for every call and role.

Without a console session, and with a player's token, a call answers 401; a role without the permission gets 403. The file of a list (\`.csv\`) and the picture of a row belong to the list or the row, the event stream (\`GET /operator/events\`) to \`GET /operator/me\`. A person with several roles has the permissions of all.
`

const GUARDS_HEAD = `## What acts take beside the permission

From \`src/contract/operator/act-guards.ts\`, which \`actAsOperator\` reads; acts that are not listed take nothing else. *Fresh proof*: a code of the second factor, entered within the last five minutes. *Limit*: the setting up to which one person may act alone, as the sum of 24 hours per operator and per player. *On operators*: the permission it takes besides when the account is an operator’s.
`

const PROOFS: Record<ActGuard['proof'], string> = {
  never: '',
  always: 'fresh proof',
  'guarded-setting': 'fresh proof for settings of sections links, prices and money',
  'long-ban': 'fresh proof for more than 24 hours',
}

const SECOND_PERSONS: Record<ActGuard['secondPerson'], string> = {
  never: '',
  always: 'second person',
  'above-limit': 'second person above the limit',
  'guarded-setting': 'second person for settings of sections links, prices and money',
  'approving-role': 'second person for roles that may approve',
  'with-start': 'second person where the start is proposed with the plan',
}

/** Those with the same beginning become one line of a list, in the order of their first appearance. */
function grouped(pairs: readonly (readonly [beginning: string, entry: string])[]): string {
  const lines = Map.groupBy(pairs, ([beginning]) => beginning)
  return [...lines]
    .map(([beginning, entries]) => `- ${beginning}: ${entries.map(([, entry]) => entry).join(', ')}`)
    .join('\n')
}

const rolesOf = (cells: PermissionRow['cells']) =>
  cells.nobody === 'yes' ? 'everybody' : ROLES.filter((role) => cells[role] === 'yes').join(', ')

function conditionsOf({ proof, secondPerson, limit, isOnAccount }: ActGuard): string {
  const conditions = [
    PROOFS[proof],
    SECOND_PERSONS[secondPerson],
    limit === null ? '' : `limit \`${limit}\``,
    isOnAccount ? 'on operators `staff.manage`' : '',
  ]
  return conditions.filter(Boolean).join('; ')
}

/** `docs/permissions.md`. */
export async function permissionsDocument(root: string): Promise<string> {
  const rows = await permissionRows(root)
  const ofOnePath = Map.groupBy(rows, ({ needs, path }) => `${needs} ${path}`)
  const calls = grouped(
    [...ofOnePath.values()]
      .map((same) => {
        const { needs, cells, path } = same[0] as PermissionRow
        const call = `\`${same.map(({ method }) => method).join(', ')} ${path}\``
        return [`${needs} (${rolesOf(cells)})`, call] as const
      })
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  )
  const guards = grouped(
    Object.entries<ActGuard>(ACT_GUARDS)
      .map(([action, guard]) => [conditionsOf(guard), `\`${action}\``] as const)
      .filter(([conditions]) => conditions !== ''),
  )
  return `${HEAD}\n${calls}\n\n${GUARDS_HEAD}\n${guards}\n`
}

// `npm run permissions`; tests/repo/permissions.test.ts reports when the document is stale.
if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  await writeFile(join(root, 'docs/permissions.md'), await permissionsDocument(root))
}
