import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ErrorCode } from '#contract/errors.ts'
import { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { secondFactorQuery } from '#web/features/accounts/accounts.api.ts'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import type { useSendForm } from '#web/parts/forms/use-send-form.ts'

export const ownerProofStart = { current_password: '', otp: '' }

type FieldProps = ReturnType<ReturnType<typeof useSendForm>['field']>

type Props = {
  form: { field(name: 'current_password' | 'otp'): FieldProps }
  /** It is the first thing to fill in; what stands above it needs no reading first. */
  isFirst?: boolean
}

/** Password, and a code where the second factor is on: what a stolen session alone cannot give. */
export function OwnerProof({ form, isFirst = false }: Props) {
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
export function useFactorTurnedOn() {
  const client = useQueryClient()
  return (code: ErrorCode | undefined) => {
    if (code === 'SECOND_FACTOR_REQUIRED')
      void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
}
