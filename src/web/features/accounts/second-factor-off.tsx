import { useState, type FormEvent } from 'react'
import { required } from '#contract/fields.ts'
import { removeSecondFactor } from '#contract/second-factor.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

export function SecondFactorOff({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const { send, isSending } = useSend(removeSecondFactor, {
    onDone: () => {
      onClose()
      showToast(copy.factorTurnedOff)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (code.trim() !== '') void send({ body: { code: code.trim() } })
  }
  return (
    <Dialog title={copy.factorOffTitle} onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={submit}>
        <p>{copy.factorOffLead}</p>
        <Field
          label={copy.factorCodeAny}
          placeholder="123456"
          value={code}
          error={isTried && code.trim() === '' ? required : undefined}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={32}
          data-autofocus
          onChange={({ target }) => setCode(target.value)}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button kind="plain" onClick={onClose}>
            {copy.back}
          </Button>
          <Button type="submit" isBusy={isSending}>
            {copy.factorOffTitle}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
