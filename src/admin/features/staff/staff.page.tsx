import { useState } from 'react'
import { Link } from 'react-router'
import { ActButton, ActDialog, DialogButton, RemoveDialog } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { ChoiceField } from '#admin/kit/fields.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { showToast } from '#client/toasts.tsx'
import { read } from '#admin/query.ts'
import { useOperator } from '#admin/session/console-session.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { type Role, ROLES } from '#contract/operator/roles.ts'
import { operatorStaff, type StaffInvite, type StaffMember } from '#contract/operator/staff.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { actGuardsCopy, staffCopy } from './staff.copy.ts'

const columns: readonly Column<StaffMember>[] = [
  column('username', staffCopy.columns.username, (member) => <Name member={member} />, { sort: 'username' }),
  column(
    'roles',
    staffCopy.columns.roles,
    ({ roles }) => roles.map((role) => staffCopy.roles[role]).join(', '),
    { onPhone: 'main' },
  ),
  column('second_factor', staffCopy.columns.secondFactor, ({ has_second_factor: isOn }) => (
    <Badge tone={isOn ? 'success' : 'danger'}>{isOn ? staffCopy.on : staffCopy.off}</Badge>
  )),
  column('address', staffCopy.columns.address, ({ has_proved_address: isProved }) => (
    <Badge tone={isProved ? 'success' : 'danger'}>{isProved ? staffCopy.proved : staffCopy.unproved}</Badge>
  )),
  column('last_sign_in', staffCopy.columns.lastSignIn, ({ last_sign_in_at }) => momentText(last_sign_in_at), {
    isMoment: true,
  }),
  column('acts', staffCopy.columns.acts, (member) => <ChangeRoles member={member} />),
]

export const Component = () => (
  <ListPage
    acts={<InviteButton />}
    endpoint={operatorStaff.list}
    columns={columns}
    usualSort={['username', 'ASC']}
    empty={staffCopy.empty}
  >
    <OpenInvites />
    <p>
      <Link to="/staff/acts">{actGuardsCopy.link}</Link>
    </p>
  </ListPage>
)

function Name({ member: { id, username } }: { member: StaffMember }) {
  const { id: me } = useOperator()
  return (
    <>
      {username} {id === me && staffCopy.you}
    </>
  )
}

function ChangeRoles({ member }: { member: StaffMember }) {
  return (
    <DialogButton
      label={staffCopy.change}
      kind="plain"
      aria-label={staffCopy.changeTitle(member.username)}
      renderDialog={(onClose) => <RolesDialog member={member} onClose={onClose} />}
    />
  )
}

type Invite = AnswerOf<typeof operatorStaff.invite>

/** Makes an invitation and shows its link, this once. */
function InviteButton() {
  const [invite, setInvite] = useState<Invite | null>(null)
  return (
    <>
      <ActButton
        label={staffCopy.invite}
        title={staffCopy.inviteTitle}
        submitLabel={staffCopy.makeLink}
        endpoint={operatorStaff.invite}
        start={{ role: 'support' as Role }}
        onDone={setInvite}
        text={staffCopy.inviteHint}
      >
        {(form) => (
          <ChoiceField
            {...form.field('role')}
            label={staffCopy.role}
            hint={staffCopy.duties[form.values.role]}
            options={optionsOf(staffCopy.roles)}
          />
        )}
      </ActButton>
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
  column('role', copy.role, ({ role }) => staffCopy.roles[role]),
  column('by', copy.by, ({ invited_by }) => invited_by.username),
  column('at', copy.at, ({ created_at }) => momentText(created_at)),
  column('until', copy.until, ({ expires_at, is_waiting }) =>
    is_waiting ? copy.waiting : momentText(expires_at),
  ),
  column('acts', copy.acts, (invite) => <Withdraw invite={invite} />),
]

/** Invitations that somebody may still use, each to be taken back. */
function OpenInvites() {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorStaff.invites, { query: { range: '[0,99]' } })}>
        {(invites) => (
          <DataTable label={copy.title} columns={inviteColumns} rows={invites} empty={copy.empty} />
        )}
      </Loaded>
    </Panel>
  )
}

function Withdraw({ invite }: { invite: StaffInvite }) {
  const name = nameOf(invite)
  return (
    <DialogButton
      label={copy.withdraw}
      kind="plain"
      aria-label={`${copy.withdrawTitle}: ${name}`}
      renderDialog={(onClose) => (
        <RemoveDialog
          title={copy.withdrawTitle}
          confirmLabel={copy.withdraw}
          warning={copy.warning}
          removed={{ id: invite.id, name }}
          endpoint={operatorStaff.withdrawInvite}
          onClose={onClose}
        />
      )}
    />
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
