import { useState, type ReactNode } from 'react'
import type { AnswerOf, BodyOf, Endpoint } from '#contract/endpoint.ts'
import type { Good } from '#contract/deliveries.ts'
import type { Character } from '#contract/exchange.ts'
import type { PurchaseKind } from '#contract/purchases.ts'
import { Interrupted } from '#web/parts/sending/interrupted.tsx'
import { useSession } from '#web/session/session-store.ts'
import type { CallError, CallInput } from '#client/call.ts'
import { CharacterChoice, knownCharacters } from '#web/parts/characters/character-choice.tsx'
import { ConfirmPurchase, type Figure } from '#web/parts/purchase/confirm-purchase.tsx'
import { PurchaseSummary } from '#web/parts/purchase/purchase-summary.tsx'
import { judgePurchase } from '#web/parts/purchase/purchase-verdict.ts'
import { rememberCharacter, usualCharacter } from '#web/parts/purchase/usual-character.ts'
import { usePurchase, type Bought } from '#web/parts/purchase/use-purchase.ts'
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
  kind: PurchaseKind
  goodsOf: (option: Option) => Good[]
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
  const { character, pick } = useCharacter(own)
  // What the confirmation showed, and what the server offers in its place.
  const [changed, setChanged] = useState<{ from: Option; to: Option } | null>(null)
  const option = changed?.to ?? chosen
  const { isAsking, setAsking, boughtAt_ms, send, isSending } = usePurchase(props.endpoint, {
    kind: props.kind,
    describe: () => (character && option ? boughtFor(character, { ...props, option }) : null),
    onBought(answer) {
      setChanged(null)
      if (character) rememberCharacter(character)
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
    <div
      className={`gap-8 max-lg:flex max-lg:flex-col lg:grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start ${className}`}
    >
      <div className="space-y-5 sm:space-y-8">
        {props.above}
        <CharacterChoice
          legend={words.characters}
          visitorText={words.visitorText}
          own={own}
          chosenId={character?.id ?? null}
          onChoose={pick}
        />
        {props.renderCards(belowCharacters)}
      </div>
      <div className={`max-lg:contents lg:sticky lg:top-20 lg:space-y-8 ${belowCharacters}`}>
        <PurchaseSummary
          label={words.summary}
          confirmLabel={words.confirm}
          character={character}
          figures={figuresOf(option)}
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
          <Interrupted kind={props.kind} />
        </ConfirmPurchase>
      )}
    </div>
  )
}

/** The character that is chosen: by the player, else the usual one. */
function useCharacter({ data }: OwnCharacters) {
  const [pickedId, pick] = useState<string | null>(null)
  const characters = data?.characters ?? []
  return { character: characters.find(({ id }) => id === pickedId) ?? usualCharacter(characters), pick }
}

type BoughtOption<Option> = { kind: PurchaseKind; goodsOf: (option: Option) => Good[]; option: Option }

const boughtFor = <Option extends { amount: number }>(
  { name, info }: Character,
  { kind, goodsOf, option }: BoughtOption<Option>,
): Bought => ({
  kind,
  character_name: name,
  character_head: info.head,
  goods: goodsOf(option),
  amount: option.amount,
})
