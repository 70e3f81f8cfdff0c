import { useState } from 'react'
import { Link } from 'react-router'
import { operatorStaff, type StaffMember } from '#contract/operator/staff.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { actGuardsCopy } from '#admin/features/staff/act-guards.copy.ts'
import { InviteButton } from '#admin/features/staff/invite-button.tsx'
import { OpenInvites } from '#admin/features/staff/open-invites.tsx'
import { RolesDialog } from '#admin/features/staff/roles-dialog.tsx'
import { staffCopy as copy } from '#admin/features/staff/staff.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useOperator } from '#admin/session/console-session.ts'

const columns: readonly Column<StaffMember>[] = [
  {
    name: 'username',
    label: copy.columns.username,
    sort: 'username',
    cell: (member) => <Name member={member} />,
  },
  {
    name: 'roles',
    label: copy.columns.roles,
    cell: ({ roles }) => roles.map((role) => copy.roles[role]).join(', '),
  },
  {
    name: 'second_factor',
    label: copy.columns.secondFactor,
    cell: ({ has_second_factor: isOn }) => (
      <Badge tone={isOn ? 'success' : 'danger'}>{isOn ? copy.on : copy.off}</Badge>
    ),
  },
  {
    name: 'last_sign_in',
    label: copy.columns.lastSignIn,
    cell: ({ last_sign_in_at }) => momentText(last_sign_in_at),
  },
  { name: 'acts', label: copy.columns.acts, cell: (member) => <ChangeRoles member={member} /> },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title} acts={<InviteButton />}>
      <DataList
        endpoint={operatorStaff.list}
        label={copy.title}
        columns={columns}
        usualSort={['username', 'ASC']}
        empty={copy.empty}
      />
      <OpenInvites />
      <p>
        <Link to="/staff/acts">{actGuardsCopy.link}</Link>
      </p>
    </ScreenFrame>
  )
}

function Name({ member: { id, username } }: { member: StaffMember }) {
  const { id: me } = useOperator()
  return (
    <>
      {username} {id === me && copy.you}
    </>
  )
}

function ChangeRoles({ member }: { member: StaffMember }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" aria-label={copy.changeTitle(member.username)} onClick={() => setOpen(true)}>
        {copy.change}
      </Button>
      {isOpen && <RolesDialog member={member} onClose={() => setOpen(false)} />}
    </>
  )
}
