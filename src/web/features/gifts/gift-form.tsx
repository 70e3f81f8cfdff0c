import { useState } from 'react'
import { formatNumber } from '#contract/format-number.ts'
import { GIFT_PACKAGES, type GiftPackage } from '#contract/gift-packages.ts'
import { buyPackage } from '#contract/gifts.ts'
import { Alert } from '#ui/alert.tsx'
import { Choice } from '#ui/choice.tsx'
import { Coins } from '#ui/coins.tsx'
import { ConfirmGift } from '#web/features/gifts/confirm-gift.tsx'
import { GiftGoods } from '#web/features/gifts/gift-goods.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import { patchUser, refreshUser, useSession } from '#web/session/session-store.ts'
import {
  CharacterChoice,
  knownCharacters,
  type OwnCharacters,
} from '#web/parts/characters/character-choice.tsx'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { PurchaseSummary } from '#web/parts/purchase/purchase-summary.tsx'
import { judgePurchase } from '#web/parts/purchase/purchase-verdict.ts'
import { usePurchase } from '#web/parts/purchase/use-purchase.ts'

type Props = {
  own: OwnCharacters
  wasRefunded: boolean
  isReloading: boolean
  onReload: () => void
  onBought: () => void
}

const NOTHING = '—'

export function GiftForm({ own, wasRefunded, isReloading, onReload, onBought }: Props) {
  const { user } = useSession()
  const [characterId, setCharacterId] = useState<string | null>(null)
  const [chosen, setChosen] = useState<GiftPackage | undefined>()
  const { isAsking, setAsking, send, isSending } = usePurchase(buyPackage, {
    onBought: ({ balance }) => {
      onBought()
      patchUser({ balance, first_gift: chosen?.id ?? null })
    },
    // Taken on another device, say: the page shows what the account has by now.
    onRefused: ({ status }) => void (status === 409 && refreshUser()),
  })
  const character = own.characters.find(({ id }) => id === characterId)
  const verdict = judgePurchase({
    user,
    characters: knownCharacters(own),
    character,
    choice: chosen,
    words: copy,
  })

  return (
    <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-8">
        {wasRefunded && <Alert tone="note">{copy.refunded}</Alert>}
        <CharacterChoice
          legend={copy.characters}
          visitorText={copy.visitorText}
          own={own}
          chosenId={characterId}
          isReloading={isReloading}
          onChoose={setCharacterId}
          onReload={onReload}
        />
        <PackageChoice chosen={chosen} onChoose={setChosen} />
      </div>
      <div className="lg:sticky lg:top-20">
        <PurchaseSummary
          label={copy.summary}
          confirmLabel={copy.confirm}
          facts={[
            { label: purchaseCopy.toCharacter, value: character?.name ?? NOTHING },
            {
              label: purchaseCopy.pay,
              value: chosen ? <Coins>{formatNumber(chosen.amount)}</Coins> : NOTHING,
            },
          ]}
          verdict={verdict}
          onConfirm={() => setAsking(true)}
        />
      </div>
      {isAsking && verdict.canConfirm && user && (
        <ConfirmGift
          character={verdict.character}
          chosen={verdict.choice}
          balance={user.balance}
          isBusy={isSending}
          onConfirm={() =>
            void send({ body: { character_id: verdict.character.id, package_id: verdict.choice.id } })
          }
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type PackageProps = { chosen: GiftPackage | undefined; onChoose: (chosen: GiftPackage) => void }

function PackageChoice({ chosen, onChoose }: PackageProps) {
  return (
    <fieldset>
      <legend className="mb-3 text-xl font-bold">{copy.packages}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {GIFT_PACKAGES.map((offered) => (
          <Choice
            key={offered.id}
            name="package"
            value={offered.id}
            checked={offered === chosen}
            className="flex-col items-stretch! p-4"
            onChange={() => onChoose(offered)}
          >
            <span className="flex items-center justify-between gap-3 border-b border-line pb-3">
              <strong>{copy.packageOf(formatNumber(offered.amount))}</strong>
              <Coins>{formatNumber(offered.amount)}</Coins>
            </span>
            <GiftGoods items={offered.items} />
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}
