import { useState } from 'react'
import { SMS_OTP_TEXT, SMS_SHORT_CODE } from '#contract/constants.ts'
import { sendSandboxSms } from '#contract/one-time-codes.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { sandboxCopy as copy } from '#web/features/sandbox/sandbox.copy.ts'
import { useSession } from '#web/session/session-store.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

/** The phone of a demo: a text message to the short code, and its reply. */
export function SandboxPhone() {
  const { status } = useSession()
  return (
    <Section title={copy.phoneTitle}>
      {/* What is typed before the scripts run would be lost. */}
      {status === 'unknown' ? <Skeleton className="h-44 w-full" /> : <PhoneForm />}
    </Section>
  )
}

function PhoneForm() {
  const [reply, setReply] = useState<string | null>(null)
  const form = useSendForm(sendSandboxSms, {
    start: { phone: '', text: SMS_OTP_TEXT as string },
    onDone: (answer) => setReply(answer.reply),
    onRefused: () => setReply(null),
  })

  return (
    <div className="rounded-xl border border-line bg-raised p-4 shadow-card">
      <Form form={form}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field {...form.field('phone')} label={copy.phone} type="tel" inputMode="tel" autoComplete="tel" />
          <Field {...form.field('text')} label={copy.text} autoComplete="off" autoCapitalize="characters" />
        </div>
        <Button type="submit" isBusy={form.isSending}>
          {copy.sendText}
        </Button>
      </Form>
      <div role="status">
        {reply !== null && !form.isSending && (
          <div className="mt-4 rounded-lg border-l-4 border-leaf bg-leaf-wash px-4 py-3">
            <p className="text-sm text-soft">{copy.reply(SMS_SHORT_CODE)}</p>
            <p className="font-bold break-words">{reply === '' ? copy.noReply : reply}</p>
          </div>
        )}
      </div>
    </div>
  )
}
