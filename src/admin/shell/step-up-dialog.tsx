import { Dialog } from '#ui/dialog.tsx'
import { useStepUpQuestion } from '#admin/session/step-up.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'
import { OtpForm } from '#admin/shell/otp-form.tsx'

const copy = consoleCopy.stepUp

/** Fresh proof for an act that the server would not do without it. */
export function StepUpDialog() {
  const question = useStepUpQuestion()
  if (question === null) return null
  const { answer } = question
  return (
    <Dialog title={copy.title} onClose={() => answer(false)}>
      <div className="space-y-4">
        <p>{copy.text}</p>
        <OtpForm
          submitLabel={copy.submit}
          backLabel={copy.back}
          onBack={() => answer(false)}
          onDone={() => answer(true)}
        />
      </div>
    </Dialog>
  )
}
