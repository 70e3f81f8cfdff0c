import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { activate } from '#contract/transfers.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Facts } from '#ui/facts.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { patchUser, useSession } from '#web/session/session-store.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { MissingCoins, useRechargeOf, missingCopy } from '#web/parts/amounts/missing-coins.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'
import { useSend } from '#web/parts/forms/use-send.ts'

export function ActiveModal() {
  const { user } = useSession()
  const fee = Number(useSettings().active_fee ?? 0)
  const { send, isSending } = useSend(activate, {
    onDone: ({ balance, balance_version }) => {
      patchUser({ activated: true, balance, balance_version })
      closeModal()
    },
  })
  const balance = user?.balance ?? 0
  const missing = Math.max(fee - balance, 0)
  const recharge = useRechargeOf(missing)

  return (
    <>
      <p>{copy.activeWhy}</p>
      <Facts
        className="my-4"
        facts={[
          { label: copy.fee, value: <Coins>{formatNumber(fee)}</Coins> },
          { label: copy.balance, value: <Coins>{formatNumber(balance)}</Coins> },
        ]}
      />
      {missing > 0 && (
        <Alert>
          <p>
            <MissingCoins missing={missing} />
          </p>
        </Alert>
      )}
      <div className="modal-acts">
        {missing > 0 && (
          <Link to={recharge} className={buttonClass('main')} onClick={closeModal}>
            {missingCopy.recharge}
          </Link>
        )}
        <Button data-autofocus disabled={missing > 0} isBusy={isSending} onClick={() => void send()}>
          {copy.activateNow}
        </Button>
      </div>
    </>
  )
}
