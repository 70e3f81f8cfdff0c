import { ROLES, type Role } from '#contract/operator/roles.ts'
import { operatorStaff, type StaffMember } from '#contract/operator/staff.ts'
import { staffCopy as copy } from '#admin/features/staff/staff.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

/** Which roles somebody holds from now on. */
export function RolesDialog({
  member: { id, username, roles },
  onClose,
}: {
  member: StaffMember
  onClose: () => void
}) {
  return (
    <ActDialog
      title={copy.changeTitle(username)}
      submitLabel={copy.save}
      endpoint={operatorStaff.setRoles}
      params={{ id }}
      start={{ roles: roles as readonly Role[] }}
      toBody={({ roles: chosen, reason }) => ({ roles: [...chosen], reason })}
      onClose={onClose}
    >
      {(form) => (
        <fieldset className="space-y-2">
          <legend className="mb-2 text-sm text-soft">{copy.changeHint}</legend>
          {ROLES.map((role) => (
            <label key={role} className="flex min-h-11 items-start gap-3">
              <input
                type="checkbox"
                aria-label={`${copy.roles[role]}: ${copy.duties[role]}`}
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
                <strong>{copy.roles[role]}</strong>
                <span className="block text-sm text-soft">{copy.duties[role]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </ActDialog>
  )
}
