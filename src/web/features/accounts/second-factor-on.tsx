import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { confirmSecondFactor, startSecondFactor } from '#contract/second-factor.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserCall } from '#web/browser-call.ts'
import { RecoveryCodes } from '#web/features/accounts/recovery-codes.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { CopyRow } from '#web/parts/copy-row/copy-row.tsx'
import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { loadChunk } from '#web/load-chunk.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { codeDigits } from '#client/forms/code-text.ts'
import { problemOfCode } from '#web/parts/one-time-codes/otp-text.ts'

type Secret = AnswerOf<typeof startSecondFactor> & { qr: string }

/** A secret for the player's app, a code of it to prove that it arrived, and then the recovery codes, this once. */
export function SecondFactorOn({ onClose }: { onClose: () => void }) {
  const { data: secret, error, refetch } = useQuery(secretQuery)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  return (
    <Dialog title={recoveryCodes ? copy.recoveryTitle : copy.factorOnTitle} onClose={onClose}>
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} onSaved={onClose} />}
      {!recoveryCodes && error && <LoadFailure message={messagesOf(error).join(' ')} onRetry={refetch} />}
      {!recoveryCodes && !error && (
        <div className="flex flex-col gap-4">
          {secret ? <SecretShown secret={secret} /> : <SecretSkeleton />}
          <ConfirmForm
            isReady={secret !== undefined}
            onConfirmed={setRecoveryCodes}
            onStale={() => void refetch()}
          />
        </div>
      )}
    </Dialog>
  )
}

/** Requested each time the dialog opens, and not cached. */
const secretQuery = queryOptions({
  queryKey: ['own', 'second-factor-secret'],
  queryFn: async (): Promise<Secret> => {
    const [started, { qrOf }] = await Promise.all([
      browserCall(startSecondFactor),
      loadChunk(() => import('#web/features/accounts/second-factor-qr.ts')),
    ])
    return { ...started, qr: await qrOf(started.uri) }
  },
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

/**
 * A phone cannot scan its own screen: there the app is opened, or given the key. The QR is white in dark mode too, and stands
 * beside the key where the dialog is wide.
 */
function SecretShown({ secret: { qr, secret, uri } }: { secret: Secret }) {
  return (
    <div className="flex flex-wrap items-center gap-4 pointer-coarse:contents">
      <img
        src={qr}
        width={208}
        height={208}
        alt={copy.factorQr}
        className="mx-auto size-[min(13rem,38dvh)] rounded-xl border border-line bg-[#fff] pointer-coarse:order-last pointer-coarse:size-36"
      />
      <div className="flex flex-1 basis-80 flex-col gap-3 pointer-coarse:contents">
        <p className="text-[0.9375rem] text-soft pointer-coarse:order-last">{copy.factorScan}</p>
        <a href={uri} className={buttonClass('plain', 'pointer-fine:hidden')}>
          {copy.factorOpen}
        </a>
        <dl className="rounded-lg bg-sunken">
          <CopyRow label={copy.factorSecret} text={inGroups(secret)} copied={secret} />
        </dl>
      </div>
    </div>
  )
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

function SecretSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-wrap items-center gap-4">
      <Skeleton className="mx-auto size-[min(13rem,38dvh)] pointer-coarse:hidden" />
      <Skeleton className="h-32 flex-1 basis-80" />
    </div>
  )
}

type ConfirmProps = {
  isReady: boolean
  onConfirmed: (recoveryCodes: readonly string[]) => void
  /** The secret on the screen is no longer valid. */
  onStale: () => void
}

function ConfirmForm({ isReady, onConfirmed, onStale }: ConfirmProps) {
  const form = useSendForm(confirmSecondFactor, {
    start: { code: '' },
    check: ({ code }) => ({ code: problemOfCode(code) }),
    onDone: ({ recovery_codes }) => onConfirmed(recovery_codes),
    onRefused: (code, { reset }) => {
      reset()
      if (code === 'CONFLICT') onStale()
    },
  })
  const { code, error, onCode } = form.code('code')
  return (
    <Form form={form}>
      <Field
        label={copy.factorCode}
        placeholder="123456"
        value={code}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        onChange={({ target }) => onCode(codeDigits(target.value))}
      />
      <Button type="submit" disabled={!isReady} isBusy={form.isSending} className="w-full">
        {copy.factorConfirm}
      </Button>
    </Form>
  )
}
