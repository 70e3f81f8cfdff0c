import { readdir } from 'node:fs/promises'
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
  const files = (await readdir(folder)).filter((file) => /(?<!\.test)\.ts$/.test(file))
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
  return [access.permission]
    .flat()
    .map((permission) => `\`${permission}\``)
    .join(' or ')
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

Which role reaches which operator call. Generated from the contract by \`npm run permissions\`; \`tests/security/permissions.db.test.ts\` asks the running portal for every cell.

\`401\`: without a session of the console, to which player tokens do not belong. \`403\`: the role lacks the permission. The file of a list (\`.csv\`) and the picture of a row are reached by whoever reaches the list or the row, the stream of events (\`GET /operator/events\`) by whoever reaches \`GET /operator/me\`. A person with several roles has the permissions of all. What acts take beside the permission is in the second table.
`

const GUARDS_HEAD = `## What acts take beside the permission

From \`src/contract/operator/act-guards.ts\`, by which \`actAsOperator\` decides; acts that are not listed take nothing else. *Fresh proof*: a code of the second factor, entered within the last five minutes. *Limit*: the setting up to which the sum of one operator’s, and of one player’s, acts of 24 hours is done by one person. *On operators*: what it takes besides when the account is an operator’s.
`

const PROOFS: Record<ActGuard['proof'], string> = {
  never: '',
  always: 'always',
  'guarded-setting': 'for settings of sections prices and money',
  'long-ban': 'for more than 24 hours',
}

const SECOND_PERSONS: Record<ActGuard['secondPerson'], string> = {
  never: '',
  always: 'always',
  'above-limit': 'above the limit',
  'guarded-setting': 'for settings of sections prices and money',
  'approving-role': 'for roles that may approve',
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function guardLines(): string[] {
  const guarded = Object.entries<ActGuard>(ACT_GUARDS).filter(
    ([, { proof, secondPerson, isOnAccount }]) =>
      proof !== 'never' || secondPerson !== 'never' || isOnAccount,
  )
  return guarded.map(([action, { endpoint, proof, secondPerson, limit, isOnAccount }]) =>
    line([
      `\`${action}\``,
      `\`${endpoint.method} ${endpoint.path}\``,
      PROOFS[proof],
      SECOND_PERSONS[secondPerson],
      limit === null ? '' : `\`${limit}\``,
      isOnAccount ? '`staff.manage`' : '',
    ]),
  )
}

/** `docs/permissions.md`. */
export async function permissionsDocument(root: string): Promise<string> {
  const rows = await permissionRows(root)
  const table = [
    line(['Call', 'Needs', ...PERMISSION_CALLERS]),
    line(['---', '---', ...PERMISSION_CALLERS.map(() => '---')]),
    ...rows.map(({ call, needs, cells }) =>
      line([`\`${call}\``, needs, ...PERMISSION_CALLERS.map((caller) => cells[caller])]),
    ),
  ]
  const guards = [
    line(['Act', 'Call', 'Fresh proof', 'Second person', 'Limit', 'On operators']),
    line(['---', '---', '---', '---', '---', '---']),
    ...guardLines(),
  ]
  return `${HEAD}\n${table.join('\n')}\n\n${GUARDS_HEAD}\n${guards.join('\n')}\n`
}
