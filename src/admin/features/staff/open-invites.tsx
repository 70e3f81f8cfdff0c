import { useState } from 'react'
import { operatorStaff, type StaffInvite } from '#contract/operator/staff.ts'
import { Button } from '#ui/button.tsx'
import { staffCopy } from '#admin/features/staff/staff.copy.ts'
import { DataTable, type Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

const copy = staffCopy.openInvites

const nameOf = ({ role, invited_by, created_at }: StaffInvite) =>
  copy.name(staffCopy.roles[role], invited_by.username, momentText(created_at))

const columns: readonly Column<StaffInvite>[] = [
  { name: 'role', label: copy.role, cell: ({ role }) => staffCopy.roles[role] },
  { name: 'by', label: copy.by, cell: ({ invited_by }) => invited_by.username },
  { name: 'at', label: copy.at, cell: ({ created_at }) => momentText(created_at) },
  {
    name: 'until',
    label: copy.until,
    cell: ({ expires_at, is_waiting }) => (is_waiting ? copy.waiting : momentText(expires_at)),
  },
  { name: 'acts', label: copy.acts, cell: (invite) => <Withdraw invite={invite} /> },
]

/** Invitations that somebody may still use, each to be taken back. */
export function OpenInvites() {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorStaff.invites, { query: { range: '[0,99]' } })}>
        {(invites) =>
          invites.length === 0 ? (
            <p className="text-soft">{copy.empty}</p>
          ) : (
            <DataTable label={copy.title} columns={columns} rows={invites} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Withdraw({ invite }: { invite: StaffInvite }) {
  const [isOpen, setOpen] = useState(false)
  const name = nameOf(invite)
  return (
    <>
      <Button kind="plain" aria-label={`${copy.withdrawTitle}: ${name}`} onClick={() => setOpen(true)}>
        {copy.withdraw}
      </Button>
      {isOpen && (
        <RemoveDialog
          title={copy.withdrawTitle}
          confirmLabel={copy.withdraw}
          warning={copy.warning}
          removed={{ id: invite.id, name }}
          endpoint={operatorStaff.withdrawInvite}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
