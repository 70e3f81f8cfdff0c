import { useState, type ReactNode } from 'react'
import type { AnswerOf, BodyOf, Endpoint } from '#contract/endpoint.ts'
import { useSession } from '#web/session/session-store.ts'
import type { CallError, CallInput } from '#client/call.ts'
import { CharacterChoice, knownCharacters } from '#web/parts/characters/character-choice.tsx'
import { ConfirmPurchase, figureText, type Figure } from '#web/parts/purchase/confirm-purchase.tsx'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { PurchaseSummary } from '#web/parts/purchase/purchase-summary.tsx'
import { judgePurchase } from '#web/parts/purchase/purchase-verdict.ts'
import { usePurchase } from '#web/parts/purchase/use-purchase.ts'
import type { OwnCharacters } from '#web/parts/purchase/use-own-characters.ts'

export type PurchaseWords = {
  summary: string
  characters: string
  visitorText: string
  confirm: string
  confirmTitle: string
  confirmWarning: string
  loginFirst: string
  incomplete: string
}

type Props<E extends Endpoint, Option extends { amount: number }> = {
  endpoint: E
  words: PurchaseWords
  own: OwnCharacters
  /** The cards to choose from; `className` hides them until the height of what is above them is known. */
  renderCards: (className: string) => ReactNode
  chosen: Option | undefined
  /** What an option costs and brings; without one, the same lines with empty values. */
  figuresOf: (option: Option | undefined) => readonly Figure[]
  bodyOf: (characterId: string, option: Option) => BodyOf<E>
  /** More about the option, in the confirmation. */
  renderDetails?: (option: Option) => ReactNode
  above?: ReactNode
  renderBeside?: (boughtAt_ms: number) => ReactNode
  className?: string
  onBought: (answer: AnswerOf<E>) => void
  onRefused?: (error: CallError) => void
}

/** A purchase for a character: the character, what is on offer, its price, and the confirmation. */
export function PurchaseForm<E extends Endpoint, Option extends { amount: number }>(props: Props<E, Option>) {
  const { words, own, chosen, figuresOf, className = '' } = props
  const { user, status } = useSession()
  const [characterId, setCharacterId] = useState<string | null>(null)
  // What the confirmation showed, and what the server offers in its place.
  const [changed, setChanged] = useState<{ from: Option; to: Option } | null>(null)
  const option = changed?.to ?? chosen
  const character = own.data?.characters.find(({ id }) => id === characterId)
  const { isAsking, setAsking, boughtAt_ms, send, isSending } = usePurchase(props.endpoint, {
    onBought(answer) {
      setChanged(null)
      props.onBought(answer)
    },
    onRefused: props.onRefused,
    onPriceChanged: (offer) => option && setChanged({ from: option, to: { ...option, ...offer } }),
  })
  const verdict =
    status === 'unknown' || status === 'checking'
      ? ({ canConfirm: false, reason: words.incomplete } as const)
      : judgePurchase({ user, characters: knownCharacters(own), character, choice: option, words })

  // The list of characters has an unknown height: what is below it is hidden until it is there, so that nothing moves.
  const belowCharacters = user && own.data ? '' : 'while-anonymous'
  return (
    <div className={`grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] ${className}`}>
      <div className="space-y-8">
        {props.above}
        <CharacterChoice
          legend={words.characters}
          visitorText={words.visitorText}
          own={own}
          chosenId={characterId}
          onChoose={setCharacterId}
        />
        {props.renderCards(belowCharacters)}
      </div>
      <div className={`space-y-8 lg:sticky lg:top-20 ${belowCharacters}`}>
        <PurchaseSummary
          label={words.summary}
          confirmLabel={words.confirm}
          facts={[
            { label: purchaseCopy.toCharacter, value: character?.name ?? purchaseCopy.nothing },
            ...figuresOf(option).map((figure) => ({ label: figure.label, value: figureText(figure) })),
          ]}
          verdict={verdict}
          onConfirm={() => setAsking(true)}
        />
        {props.renderBeside?.(boughtAt_ms)}
      </div>
      {isAsking && verdict.canConfirm && user && (
        <ConfirmPurchase
          // Mounted again with a new price: the focus is on the button that goes back, and a held Enter buys nothing.
          key={changed ? JSON.stringify(changed.to) : 'first'}
          words={words}
          characterName={verdict.character.name}
          figures={figuresOf(verdict.choice)}
          before={changed && figuresOf(changed.from)}
          balanceAfter={user.balance - verdict.choice.amount}
          isBusy={isSending}
          onConfirm={() =>
            void send({ body: props.bodyOf(verdict.character.id, verdict.choice) } as CallInput<E>)
          }
          onClose={() => (setAsking(false), setChanged(null))}
        >
          {props.renderDetails?.(verdict.choice)}
        </ConfirmPurchase>
      )}
    </div>
  )
}
