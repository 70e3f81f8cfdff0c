import { useState } from 'react'
import { storeExchange, type AmountOption } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import { pages } from '#contract/pages.ts'
import { Choice } from '#ui/choice.tsx'
import { Coins } from '#ui/coins.tsx'
import { PageState } from '#ui/page-state.tsx'
import { ConfirmExchange } from '#web/features/exchange/confirm-exchange.tsx'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { RecentDeliveries } from '#web/features/exchange/recent-deliveries.tsx'
import { patchUser, useSession } from '#web/session/session-store.ts'
import {
  CharacterChoice,
  knownCharacters,
  type OwnCharacters,
} from '#web/parts/characters/character-choice.tsx'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { PurchaseSummary } from '#web/parts/purchase/purchase-summary.tsx'
import { judgePurchase, type PurchaseVerdict } from '#web/parts/purchase/purchase-verdict.ts'
import { usePurchase } from '#web/parts/purchase/use-purchase.ts'

type Props = {
  amounts: readonly AmountOption[]
  own: OwnCharacters | undefined
  isReloading: boolean
  onReload: () => void
}

const NOTHING = '—'

export function ExchangeForm({ amounts, own, isReloading, onReload }: Props) {
  const { user, status } = useSession()
  const [characterId, setCharacterId] = useState<string | null>(null)
  const [amount, setAmount] = useState<number | null>(null)
  const { isAsking, setAsking, boughtAt_ms, send, isSending } = usePurchase(storeExchange, {
    onBought: ({ balance }) => {
      setAmount(null)
      patchUser({ balance })
    },
  })

  const character = own?.characters.find(({ id }) => id === characterId)
  const option = amounts.find((offered) => offered.amount === amount)
  const verdict: PurchaseVerdict<AmountOption> =
    status === 'unknown' || status === 'checking'
      ? { canConfirm: false, reason: copy.incomplete }
      : judgePurchase({
          user,
          characters: knownCharacters(own),
          character,
          choice: option,
          words: copy,
        })

  // How many characters a player has is not known before they are there: until then nothing waits to be pushed.
  const belowCharacters = user && own ? '' : 'while-anonymous'

  return (
    <div className="grid min-h-svh content-start items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-8">
        <CharacterChoice
          legend={copy.characters}
          visitorText={copy.visitorText}
          own={own}
          chosenId={characterId}
          isReloading={isReloading}
          onChoose={setCharacterId}
          onReload={onReload}
        />
        <AmountChoice amounts={amounts} chosen={amount} className={belowCharacters} onChoose={setAmount} />
      </div>
      <div className={`space-y-8 lg:sticky lg:top-20 ${belowCharacters}`}>
        <PurchaseSummary
          label={pages.exchange.title}
          confirmLabel={copy.confirm}
          facts={[
            { label: purchaseCopy.toCharacter, value: character?.name ?? NOTHING },
            {
              label: purchaseCopy.pay,
              value: option ? <Coins>{formatNumber(option.amount)}</Coins> : NOTHING,
            },
            { label: copy.get, value: option ? copy.luong(formatNumber(option.receive)) : NOTHING },
          ]}
          verdict={verdict}
          onConfirm={() => setAsking(true)}
        />
        <RecentDeliveries boughtAt_ms={boughtAt_ms} />
      </div>
      {isAsking && verdict.canConfirm && user && (
        <ConfirmExchange
          character={verdict.character}
          option={verdict.choice}
          balance={user.balance}
          isBusy={isSending}
          onConfirm={() =>
            void send({ body: { character_id: verdict.character.id, amount: verdict.choice.amount } })
          }
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type AmountProps = {
  amounts: readonly AmountOption[]
  chosen: number | null
  className: string
  onChoose: (amount: number) => void
}

function AmountChoice({ amounts, chosen, className, onChoose }: AmountProps) {
  if (amounts.length === 0) return <PageState title={copy.noAmounts} />
  return (
    <fieldset className={className}>
      <legend className="mb-3 text-xl font-bold">{copy.amounts}</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {amounts.map(({ amount, receive }) => (
          <Choice
            key={amount}
            name="amount"
            value={amount}
            checked={amount === chosen}
            className="flex-col justify-center text-center"
            onChange={() => onChoose(amount)}
          >
            <Coins className="text-lg">{formatNumber(amount)}</Coins>
            <span className="-mx-2 text-[0.8125rem] whitespace-nowrap sm:text-sm">
              {copy.receive(formatNumber(receive))}
            </span>
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
