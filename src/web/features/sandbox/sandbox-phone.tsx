import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { SMS_OTP_TEXT, SMS_SHORT_CODE } from '#contract/constants.ts'
import { sandboxSmsBody, sendSandboxSms } from '#contract/sandbox-sms.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { sandboxCopy as copy } from '#web/features/sandbox/sandbox.copy.ts'
import { useSession } from '#web/session/session-store.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

/** The phone of a demo: what is texted to the short code, and what comes back. */
export function SandboxPhone() {
  const { status } = useSession()
  return (
    <section aria-labelledby="sandbox-phone-title">
      <h2 id="sandbox-phone-title" className="mb-3 text-xl">
        {copy.phoneTitle}
      </h2>
      {/* What is typed before the page is alive would be lost. */}
      {status === 'unknown' ? <Skeleton className="h-44 w-full" /> : <PhoneForm />}
    </section>
  )
}

function PhoneForm() {
  const [reply, setReply] = useState<string | null>(null)
  const { send, isSending } = useSend(sendSandboxSms, { onDone: (answer) => setReply(answer.reply) })
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(sandboxSmsBody),
    defaultValues: { phone: '', text: SMS_OTP_TEXT as string },
  })
  const { errors } = formState

  const submit = handleSubmit(async (body) => {
    setReply(null)
    await send({ body })
  })

  return (
    <div className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            {...register('phone')}
            label={copy.phone}
            error={errors.phone?.message}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
          />
          <Field
            {...register('text')}
            label={copy.text}
            error={errors.text?.message}
            autoComplete="off"
            autoCapitalize="characters"
          />
        </div>
        <Button type="submit" isBusy={isSending}>
          {copy.sendText}
        </Button>
      </form>
      <div role="status">
        {reply !== null && (
          <div className="mt-4 rounded-lg border-l-4 border-leaf bg-leaf-wash px-4 py-3">
            <p className="text-sm text-soft">{copy.reply(SMS_SHORT_CODE)}</p>
            <p className="font-bold break-words">{reply === '' ? copy.noReply : reply}</p>
          </div>
        )}
      </div>
    </div>
  )
}
