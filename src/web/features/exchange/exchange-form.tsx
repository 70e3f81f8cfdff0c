import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { storeExchange, type AmountOption, type Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Choice } from '#ui/choice.tsx'
import { Coins } from '#ui/coins.tsx'
import { PageState } from '#ui/page-state.tsx'
import { CharacterChoice, type OwnCharacters } from '#web/features/exchange/character-choice.tsx'
import { ConfirmExchange } from '#web/features/exchange/confirm-exchange.tsx'
import { exchangeQuery, recentDeliveriesQuery } from '#web/features/exchange/exchange.api.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { ExchangeSummary } from '#web/features/exchange/exchange-summary.tsx'
import { judgeExchange, type ExchangeVerdict } from '#web/features/exchange/exchange-verdict.ts'
import { RecentDeliveries } from '#web/features/exchange/recent-deliveries.tsx'
import { patchUser, useSession } from '#web/session/session-store.ts'
import { CallError } from '#web/call.ts'
import { reportFailure } from '#web/report-outcome.ts'
import { useSend } from '#web/use-send.ts'

type Props = {
  amounts: readonly AmountOption[]
  own: OwnCharacters | undefined
  isReloading: boolean
  onReload: () => void
}

export function ExchangeForm({ amounts, own, isReloading, onReload }: Props) {
  const client = useQueryClient()
  const { user, status } = useSession()
  const [characterId, setCharacterId] = useState<string | null>(null)
  const [amount, setAmount] = useState<number | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { send, isSending } = useSend(storeExchange, {
    onDone: ({ balance }) => {
      setAsking(false)
      setAmount(null)
      setBoughtAt(Date.now())
      patchUser({ balance })
      void client.invalidateQueries({ queryKey: recentDeliveriesQuery.queryKey })
    },
    onFailed: (error) => {
      setAsking(false)
      reportFailure(error)
      // The game no longer knows the character, or the price is another: read both anew.
      if (error instanceof CallError && error.status === 422) {
        void client.invalidateQueries({ queryKey: exchangeQuery(user?.id ?? null).queryKey })
      }
    },
  })

  const characters: readonly Character[] = own?.characters ?? []
  const character = characters.find(({ id }) => id === characterId)
  const option = amounts.find((offered) => offered.amount === amount)
  const isKnown = own !== undefined && (own.characters_at !== null || characters.length > 0)
  const verdict: ExchangeVerdict =
    status === 'unknown' || status === 'checking'
      ? { canConfirm: false, reason: copy.incomplete }
      : judgeExchange({ user, characters: isKnown ? characters : null, character, option })

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-8">
        <CharacterChoice
          own={own}
          chosenId={characterId}
          isReloading={isReloading}
          onChoose={setCharacterId}
          onReload={onReload}
        />
        <AmountChoice amounts={amounts} chosen={amount} onChoose={setAmount} />
      </div>
      <div className="space-y-8 lg:sticky lg:top-20">
        <ExchangeSummary
          character={character}
          option={option}
          verdict={verdict}
          onConfirm={() => setAsking(true)}
        />
        <RecentDeliveries boughtAt_ms={boughtAt_ms} />
      </div>
      {isAsking && verdict.canConfirm && user && (
        <ConfirmExchange
          character={verdict.character}
          option={verdict.option}
          balance={user.balance}
          isBusy={isSending}
          onConfirm={() =>
            void send({ body: { character_id: verdict.character.id, amount: verdict.option.amount } })
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
  onChoose: (amount: number) => void
}

function AmountChoice({ amounts, chosen, onChoose }: AmountProps) {
  if (amounts.length === 0) return <PageState title={copy.noAmounts} />
  return (
    <fieldset>
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
