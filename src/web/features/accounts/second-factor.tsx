import { useState } from 'react'
import { queryOptions } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import {
  confirmSecondFactor,
  startSecondFactor,
  removeSecondFactor,
} from '#contract/accounts/one-time-codes.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserCall } from '#web/browser-call.ts'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { CopyRow, copyText } from '#web/parts/clipboard/copy-row.tsx'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { loadChunk } from '#web/load-chunk.tsx'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { codeDigits } from '#client/forms/code-text.ts'
import { problemOfCode } from '#web/parts/one-time-codes/otp-text.ts'
import { Alert } from '#ui/alert.tsx'
import { Icon } from '#ui/icon.tsx'
import { saveFile } from '#client/save-file.ts'
import { tellSaving } from '#web/parts/share/tell-saving.ts'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { showToast } from '#web/parts/outcomes/announce.ts'

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

type CodesProps = { codes: readonly string[]; onSaved: () => void }

/** The codes for when the phone is lost. The server stores only their hashes: they cannot be shown again. */
function RecoveryCodes({ codes, onSaved }: CodesProps) {
  const text = codes.join('\n')
  return (
    <div className="space-y-4">
      <Alert tone="success">{copy.recoveryLead}</Alert>
      <ul
        aria-label={copy.recoveryList}
        className="grid grid-cols-2 gap-x-2 gap-y-1 rounded-lg max-[19.99rem]:grid-cols-1 bg-sunken px-2 py-3 text-center font-mono text-[0.9375rem] whitespace-nowrap select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button kind="plain" className="flex-1" onClick={() => void copyText(text, copy)}>
          <Icon name="copy" />
          {copy.copyCodes}
        </Button>
        <Button kind="plain" className="flex-1" onClick={() => void saveText(text)}>
          <Icon name="download" />
          {copy.download}
        </Button>
      </div>
      <Button className="w-full" onClick={onSaved}>
        {copy.saved}
      </Button>
    </div>
  )
}

async function saveText(text: string): Promise<void> {
  tellSaving(await saveFile(new File([`${text}\n`], copy.fileName, { type: 'text/plain' })))
}

export function SecondFactorOff({ onClose }: { onClose: () => void }) {
  const form = useSendForm(removeSecondFactor, {
    start: { code: '' },
    onDone: () => {
      onClose()
      showToast(copy.factorTurnedOff)
    },
  })
  return (
    <Dialog title={copy.factorOffTitle} onClose={onClose}>
      <Form form={form}>
        <p>{copy.factorOffLead}</p>
        <SecondFactorField
          {...form.field('code')}
          label={copy.factorCodeAny}
          placeholder="123456"
          data-autofocus
        />
        <div className="modal-acts">
          <Button kind="plain" onClick={onClose}>
            {copy.back}
          </Button>
          <Button type="submit" isBusy={form.isSending}>
            {copy.factorOffTitle}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
