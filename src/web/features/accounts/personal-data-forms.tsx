import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { downloadPersonalData, askForDeletion } from '#contract/accounts/personal-data.ts'
import { Button } from '#ui/button.tsx'
import { Form } from '#client/forms/form.tsx'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { savingCall } from '#web/parts/sending/saving-call.ts'
import { formatNumber } from '#contract/format.ts'
import type { User } from '#contract/users.ts'
import { deletionQuery, secondFactorQuery } from '#web/features/accounts/accounts.api.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'

const save = savingCall(copy.fileName)

export function DownloadForm({ onClose }: { onClose: () => void }) {
  const form = useSendForm(downloadPersonalData, {
    start: ownerProofStart,
    call: save,
    onDone: () => {
      onClose()
      showToast(copy.downloaded)
    },
    onRefused: useFactorTurnedOn(),
  })
  return (
    <Form form={form}>
      <p>{copy.downloadLead}</p>
      <OwnerProof form={form} isFirst />
      <Button type="submit" isBusy={form.isSending} className="w-full">
        {copy.downloadSubmit}
      </Button>
    </Form>
  )
}

/** Lists what is erased and what is not, and requires the owner's proof. */
export function DeletionForm({ user: { balance }, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient()
  const onRefused = useFactorTurnedOn()
  const form = useSendForm(askForDeletion, {
    start: { ...ownerProofStart, gives_up: false },
    toBody: ({ gives_up, ...proof }) => ({ ...proof, given_up: gives_up ? balance : 0 }),
    onDone: () => {
      onClose()
      showToast(copy.requested)
      void client.invalidateQueries({ queryKey: deletionQuery.queryKey })
    },
    onRefused,
  })
  return (
    <Form form={form}>
      <Listed title={copy.goesTitle} items={copy.goes} />
      <Listed title={copy.staysTitle} items={copy.stays} />
      <p className="text-[0.9375rem] text-soft">{copy.staysElsewhere}</p>
      {balance > 0 && (
        <div>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-6 shrink-0 accent-fill"
              aria-describedby="give-up-why"
              checked={form.values.gives_up}
              onChange={({ target }) => form.set('gives_up', target.checked)}
            />
            <span>{copy.giveUp(formatNumber(balance))}</span>
          </label>
          <p id="give-up-why" className="mt-1 text-sm text-soft">
            {copy.giveUpWhy}
          </p>
        </div>
      )}
      <OwnerProof form={form} />
      <Button type="submit" isBusy={form.isSending} className="w-full">
        {copy.submit}
      </Button>
    </Form>
  )
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div>
      <h3 className="text-base">{title}</h3>
      <ul className="mt-1 list-disc pl-5 text-[0.9375rem]">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}

const ownerProofStart = { current_password: '', otp: '' }

type FieldProps = ReturnType<ReturnType<typeof useSendForm>['field']>

type ProofProps = {
  form: { field(name: 'current_password' | 'otp'): FieldProps }
  /** The first field of the dialog gets the focus; the text above it is optional reading. */
  isFirst?: boolean
}

/** Password, and a code where the second factor is on: what a stolen session alone cannot give. */
function OwnerProof({ form, isFirst = false }: ProofProps) {
  const isCodeNeeded = useQuery(secondFactorQuery).data?.is_on === true
  return (
    <>
      <Field
        {...form.field('current_password')}
        label={copy.password}
        type="password"
        autoComplete="current-password"
        data-autofocus={isFirst || undefined}
      />
      {isCodeNeeded && <SecondFactorField {...form.field('otp')} label={copy.code} hint={copy.codeHint} />}
    </>
  )
}

/** For refusals of such a form: the second factor may have been turned on elsewhere meanwhile. */
function useFactorTurnedOn() {
  const client = useQueryClient()
  return (code: ErrorCode | undefined) => {
    if (code === 'SECOND_FACTOR_REQUIRED')
      void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
}
