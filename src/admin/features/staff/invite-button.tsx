import { useState } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { ROLES, type Role } from '#contract/operator/roles.ts'
import { operatorStaff } from '#contract/operator/staff.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { staffCopy as copy } from '#admin/features/staff/staff.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { showToast } from '#admin/kit/toast-store.ts'

type Invite = AnswerOf<typeof operatorStaff.invite>

/** Makes an invitation and shows its link, this once. */
export function InviteButton() {
  const [isOpen, setOpen] = useState(false)
  const [invite, setInvite] = useState<Invite | null>(null)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{copy.invite}</Button>
      {isOpen && (
        <ActDialog
          title={copy.inviteTitle}
          submitLabel={copy.makeLink}
          endpoint={operatorStaff.invite}
          start={{ role: 'support' as Role }}
          onDone={setInvite}
          onClose={() => setOpen(false)}
        >
          {(form) => (
            <>
              <p>{copy.inviteHint}</p>
              <SelectField
                label={copy.role}
                value={form.values.role}
                hint={copy.duties[form.values.role]}
                onChange={({ target }) => form.set('role', target.value as Role)}
              >
                {ROLES.map((role) => (
                  <option key={role} value={role}>
                    {copy.roles[role]}
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
    showToast(copy.copied)
  }
  return (
    <Dialog title={copy.linkTitle} onClose={onClose}>
      <div className="space-y-4">
        <p>{proposal ? copy.linkOnce : copy.linkHint(momentText(expires_at))}</p>
        {proposal && <Alert tone="note">{copy.waits}</Alert>}
        <Field label={copy.link} value={link} readOnly onFocus={({ target }) => target.select()} />
        <Button onClick={() => void copyLink()}>{copy.copy}</Button>
      </div>
    </Dialog>
  )
}
