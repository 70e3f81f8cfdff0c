import { Link } from 'react-router'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { ACT_GUARDS, type ActGuard } from '#contract/operator/act-guards.ts'
import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import { actGuardsCopy as copy } from './staff.copy.ts'

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

const name: Column<Row> = column('name', copy.columns.name, (row) => row.name, { isName: true })
const roles: Column<Row> = column('roles', copy.columns.roles, rolesOf)

const guarded: readonly Column<Row>[] = [
  name,
  roles,
  column('proof', copy.columns.proof, ({ proof }) => copy.proofs[proof], {
    isBlank: ({ proof }) => proof === 'never',
  }),
  column('second', copy.columns.secondPerson, ({ secondPerson }) => copy.secondPersons[secondPerson], {
    isBlank: ({ secondPerson }) => secondPerson === 'never',
  }),
  column('limit', copy.columns.limit, ({ limit }) => (limit === null ? copy.none : copy.limits[limit]), {
    isBlank: ({ limit }) => limit === null,
  }),
  column(
    'account',
    copy.columns.isOnAccount,
    ({ isOnAccount }) => (isOnAccount ? copy.manageStaff : copy.none),
    { isBlank: ({ isOnAccount }) => !isOnAccount },
  ),
]

/** What each act of an operator requires; the server decides by the same table. */
export function Component() {
  return (
    <ScreenFrame acts={<Link to="/staff">{copy.back}</Link>}>
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
