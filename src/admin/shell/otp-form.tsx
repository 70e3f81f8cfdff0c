import { Button } from '#ui/button.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { stepUpCall } from '#contract/operator/session.ts'
import { useSendForm } from '#admin/kit/use-send.ts'
import { stepUp } from '#admin/session/console-session.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'

const { otp, otpHint } = consoleCopy.signIn

type Props = { submitLabel: string; backLabel: string; onBack: () => void; onDone?: () => void }

/** A code of the second factor: to unlock the console, or as fresh proof for an act. */
export function OtpForm({ submitLabel, backLabel, onBack, onDone }: Props) {
  const form = useSendForm(stepUpCall, {
    start: { otp: '' },
    isRefusedInForm: true,
    call: async (_endpoint, { body }) => {
      await stepUp((body as { otp: string }).otp)
      return { until: '' }
    },
    // The act that it opens reports how it went.
    report: () => {},
    onDone,
  })
  return (
    <Form form={form}>
      <SecondFactorField
        {...form.field('otp')}
        data-autofocus
        label={otp}
        hint={otpHint}
        inputMode="numeric"
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button kind="plain" onClick={onBack}>
          {backLabel}
        </Button>
        <Button type="submit" isBusy={form.isSending}>
          {submitLabel}
        </Button>
      </div>
    </Form>
  )
}
