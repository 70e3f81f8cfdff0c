import { useState } from 'react'
import { Link } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import { type Column, DataTable } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { RemoveDialog } from '#admin/kit/remove-dialog.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#admin/kit/toast-store.ts'
import { read } from '#admin/query.ts'
import { useOperator } from '#admin/session/console-session.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { type Role, ROLES } from '#contract/operator/roles.ts'
import { operatorStaff, type StaffInvite, type StaffMember } from '#contract/operator/staff.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { actGuardsCopy, staffCopy } from './staff.copy.ts'

const columns: readonly Column<StaffMember>[] = [
  {
    name: 'username',
    label: staffCopy.columns.username,
    sort: 'username',
    cell: (member) => <Name member={member} />,
  },
  {
    name: 'roles',
    label: staffCopy.columns.roles,
    cell: ({ roles }) => roles.map((role) => staffCopy.roles[role]).join(', '),
  },
  {
    name: 'second_factor',
    label: staffCopy.columns.secondFactor,
    cell: ({ has_second_factor: isOn }) => (
      <Badge tone={isOn ? 'success' : 'danger'}>{isOn ? staffCopy.on : staffCopy.off}</Badge>
    ),
  },
  {
    name: 'last_sign_in',
    label: staffCopy.columns.lastSignIn,
    cell: ({ last_sign_in_at }) => momentText(last_sign_in_at),
  },
  { name: 'acts', label: staffCopy.columns.acts, cell: (member) => <ChangeRoles member={member} /> },
]

export function Component() {
  return (
    <ScreenFrame title={staffCopy.title} acts={<InviteButton />}>
      <DataList
        endpoint={operatorStaff.list}
        label={staffCopy.title}
        columns={columns}
        usualSort={['username', 'ASC']}
        empty={staffCopy.empty}
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
      {username} {id === me && staffCopy.you}
    </>
  )
}

function ChangeRoles({ member }: { member: StaffMember }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="plain" aria-label={staffCopy.changeTitle(member.username)} onClick={() => setOpen(true)}>
        {staffCopy.change}
      </Button>
      {isOpen && <RolesDialog member={member} onClose={() => setOpen(false)} />}
    </>
  )
}

type Invite = AnswerOf<typeof operatorStaff.invite>

/** Makes an invitation and shows its link, this once. */
function InviteButton() {
  const [isOpen, setOpen] = useState(false)
  const [invite, setInvite] = useState<Invite | null>(null)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{staffCopy.invite}</Button>
      {isOpen && (
        <ActDialog
          title={staffCopy.inviteTitle}
          submitLabel={staffCopy.makeLink}
          endpoint={operatorStaff.invite}
          start={{ role: 'support' as Role }}
          onDone={setInvite}
          onClose={() => setOpen(false)}
        >
          {(form) => (
            <>
              <p>{staffCopy.inviteHint}</p>
              <SelectField
                label={staffCopy.role}
                value={form.values.role}
                hint={staffCopy.duties[form.values.role]}
                onChange={({ target }) => form.set('role', target.value as Role)}
              >
                {ROLES.map((role) => (
                  <option key={role} value={role}>
                    {staffCopy.roles[role]}
                  </option>
                ))}
              </SelectField>
            </>
          )}
        </ActDialog>
      )}
      {invite && <InviteLink invite={invite} onClose={() => setInvite(null)} />}
    </>
  )
}

function InviteLink({
  invite: { link, expires_at, proposal },
  onClose,
}: {
  invite: Invite
  onClose: () => void
}) {
  async function copyLink() {
    await navigator.clipboard.writeText(link)
    showToast(staffCopy.copied)
  }
  return (
    <Dialog title={staffCopy.linkTitle} onClose={onClose}>
      <div className="space-y-4">
        <p>{proposal ? staffCopy.linkOnce : staffCopy.linkHint(momentText(expires_at))}</p>
        {proposal && <Alert tone="note">{staffCopy.waits}</Alert>}
        <Field label={staffCopy.link} value={link} readOnly onFocus={({ target }) => target.select()} />
        <Button onClick={() => void copyLink()}>{staffCopy.copy}</Button>
      </div>
    </Dialog>
  )
}

const copy = staffCopy.openInvites

const nameOf = ({ role, invited_by, created_at }: StaffInvite) =>
  copy.name(staffCopy.roles[role], invited_by.username, momentText(created_at))

const inviteColumns: readonly Column<StaffInvite>[] = [
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
function OpenInvites() {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorStaff.invites, { query: { range: '[0,99]' } })}>
        {(invites) =>
          invites.length === 0 ? (
            <p className="text-soft">{copy.empty}</p>
          ) : (
            <DataTable label={copy.title} columns={inviteColumns} rows={invites} />
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

/** Which roles somebody holds from now on. */
function RolesDialog({
  member: { id, username, roles },
  onClose,
}: {
  member: StaffMember
  onClose: () => void
}) {
  return (
    <ActDialog
      title={staffCopy.changeTitle(username)}
      submitLabel={staffCopy.save}
      endpoint={operatorStaff.setRoles}
      params={{ id }}
      start={{ roles: roles as readonly Role[] }}
      toBody={({ roles: chosen, reason }) => ({ roles: [...chosen], reason })}
      onClose={onClose}
    >
      {(form) => (
        <fieldset className="space-y-2">
          <legend className="mb-2 text-sm text-soft">{staffCopy.changeHint}</legend>
          {ROLES.map((role) => (
            <label key={role} className="flex min-h-11 items-start gap-3">
              <input
                type="checkbox"
                aria-label={`${staffCopy.roles[role]}: ${staffCopy.duties[role]}`}
                className="mt-1 size-5"
                checked={form.values.roles.includes(role)}
                onChange={({ target }) =>
                  form.set(
                    'roles',
                    target.checked
                      ? [...form.values.roles, role]
                      : form.values.roles.filter((one) => one !== role),
                  )
                }
              />
              <span>
                <strong>{staffCopy.roles[role]}</strong>
                <span className="block text-sm text-soft">{staffCopy.duties[role]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ActDialog>
  )
}
