import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Access, Endpoint } from '#contract/endpoint.ts'
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

\`401\`: without a session of the console, to which player tokens do not belong. \`403\`: the role lacks the permission. The file of a list (\`.csv\`) and the picture of a row are reached by whoever reaches the list or the row, the stream of events (\`GET /operator/events\`) by whoever reaches \`GET /operator/me\`. A person with several roles has the permissions of all. Some acts take a fresh step-up, or wait for a second person, beside this.
`

/** `docs/permissions.md`. */
export async function permissionsDocument(root: string): Promise<string> {
  const rows = await permissionRows(root)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const table = [
    line(['Call', 'Needs', ...PERMISSION_CALLERS]),
    line(['---', '---', ...PERMISSION_CALLERS.map(() => '---')]),
    ...rows.map(({ call, needs, cells }) =>
      line([`\`${call}\``, needs, ...PERMISSION_CALLERS.map((caller) => cells[caller])]),
    ),
  ]
  return `${HEAD}\n${table.join('\n')}\n`
}
