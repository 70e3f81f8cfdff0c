import { Link } from 'react-router'
import { ACT_GUARDS, type ActGuard } from '#contract/operator/act-guards.ts'
import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { actGuardsCopy as copy } from './staff.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'

type Row = ActGuard & { id: string }

const rows: readonly Row[] = Object.entries<ActGuard>(ACT_GUARDS).map(([id, guard]) => ({ id, ...guard }))

const isGuarded = ({ proof, secondPerson, isOnAccount }: Row): boolean =>
  proof !== 'never' || secondPerson !== 'never' || isOnAccount

/** Who has one of the permissions of its call. */
function rolesOf({ endpoint: { access } }: Row): string {
  const needed = typeof access === 'object' ? [access.permission].flat() : []
  return ROLES.filter((role) => needed.some((one) => ROLE_PERMISSIONS[role].some((held) => held === one)))
    .map((role) => ROLE_WORDS[role])
    .join(', ')
}

const name: Column<Row> = { name: 'name', label: copy.columns.name, isName: true, cell: (row) => row.name }
const roles: Column<Row> = { name: 'roles', label: copy.columns.roles, cell: rolesOf }

const guarded: readonly Column<Row>[] = [
  name,
  roles,
  {
    name: 'proof',
    label: copy.columns.proof,
    isBlank: ({ proof }) => proof === 'never',
    cell: ({ proof }) => copy.proofs[proof],
  },
  {
    name: 'second',
    label: copy.columns.secondPerson,
    isBlank: ({ secondPerson }) => secondPerson === 'never',
    cell: ({ secondPerson }) => copy.secondPersons[secondPerson],
  },
  {
    name: 'limit',
    label: copy.columns.limit,
    isBlank: ({ limit }) => limit === null,
    cell: ({ limit }) => (limit === null ? copy.none : copy.limits[limit]),
  },
  {
    name: 'account',
    label: copy.columns.isOnAccount,
    isBlank: ({ isOnAccount }) => !isOnAccount,
    cell: ({ isOnAccount }) => (isOnAccount ? copy.manageStaff : copy.none),
  },
]

/** What each act of an operator takes, as the server decides by the same table. */
export function Component() {
  return (
    <ScreenFrame title={copy.title} acts={<Link to="/staff">{copy.back}</Link>}>
      <p>{copy.explanation}</p>
      <Panel title={copy.guarded}>
        <DataTable label={copy.guarded} columns={guarded} rows={rows.filter(isGuarded)} />
      </Panel>
      <Panel title={copy.unguarded}>
        <DataTable
          label={copy.unguarded}
          columns={[name, roles]}
          rows={rows.filter((row) => !isGuarded(row))}
        />
      </Panel>
    </ScreenFrame>
  )
}
