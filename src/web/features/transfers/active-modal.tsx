import { Link } from 'react-router'
import { formatNumber } from '#contract/format-number.ts'
import { activate } from '#contract/transfers.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { transfersCopy as copy } from '#web/features/transfers/transfers.copy.ts'
import { paths } from '#contract/pages.ts'
import { patchUser, useSession } from '#web/session/session-store.ts'
import { closeModal, type ModalProps } from '#web/parts/modals/modal-store.ts'
import { useSettings } from '#web/parts/settings/settings.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

export function ActiveModal({ isLeaving }: ModalProps) {
  const { user } = useSession()
  const fee = Number(useSettings().active_fee ?? 0)
  const { send, isSending } = useSend(activate, {
    onDone: ({ balance }) => {
      patchUser({ activated: true, balance })
      closeModal()
    },
  })
  const balance = user?.balance ?? 0
  const missing = Math.max(fee - balance, 0)

  return (
    <Dialog title={copy.activeTitle} isLeaving={isLeaving} onClose={closeModal}>
      <p>{copy.activeWhy}</p>
      <dl className="my-4 space-y-2 rounded-lg bg-sunken px-4 py-3">
        <div className="flex items-center justify-between gap-4">
          <dt>{copy.fee}</dt>
          <dd>
            <Coins>{formatNumber(fee)}</Coins>
          </dd>
        </div>
        <div className="flex items-center justify-between gap-4">
          <dt>{copy.balance}</dt>
          <dd>
            <Coins>{formatNumber(balance)}</Coins>
          </dd>
        </div>
      </dl>
      {missing > 0 && (
        <Alert>
          <p>{copy.missing(formatNumber(missing))}</p>
        </Alert>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        {missing > 0 && (
          <Link to={paths.recharge} className={buttonClass('plain')} onClick={closeModal}>
            {copy.recharge}
          </Link>
        )}
        <Button data-autofocus disabled={missing > 0} isBusy={isSending} onClick={() => void send()}>
          {copy.activate}
        </Button>
      </div>
    </Dialog>
  )
}
