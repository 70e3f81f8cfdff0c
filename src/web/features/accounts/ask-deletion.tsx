import { useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import { askForDeletion } from '#contract/personal-data.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#client/forms/form.tsx'
import { deletionQuery } from '#web/features/accounts/accounts.api.ts'
import { OwnerProof, ownerProofStart, useFactorTurnedOn } from '#web/features/accounts/owner-proof.tsx'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

/** What goes and what stays, what becomes of the coins, and the proof that the owner asks. */
export function AskDeletion({ user: { balance }, onClose }: { user: User; onClose: () => void }) {
  const client = useQueryClient()
  const onRefused = useFactorTurnedOn()
  const form = useSendForm(askForDeletion, {
    start: { ...ownerProofStart, gives_up: false },
    toBody: ({ gives_up, ...proof }) => ({ ...proof, given_up: gives_up ? balance : 0 }),
    onDone: () => {
      onClose()
      showToast(copy.asked)
      void client.invalidateQueries({ queryKey: deletionQuery.queryKey })
    },
    onRefused,
  })
  return (
    <Dialog title={copy.ask} onClose={onClose}>
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
    </Dialog>
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
