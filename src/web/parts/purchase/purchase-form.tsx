import { serverNow } from '#client/server-clock.ts'
import type { ChangedOffer } from '#contract/errors.ts'
import { useState, type ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { AnswerOf, BodyOf, Endpoint } from '#contract/endpoint.ts'
import type { Good, PurchaseKind } from '#contract/deliveries.ts'
import type { Character } from '#contract/exchange.ts'
import { Interrupted, retriedCall } from '#web/parts/sending/retried-call.tsx'
import type { RetriedKind } from '#web/parts/sending/unanswered.ts'
import { useSession } from '#web/session/session-store.ts'
import { CallError, type CallInput } from '#client/call.ts'
import { CharacterChoice, knownCharacters } from '#web/parts/characters/character-choice.tsx'
import { ConfirmPurchase, type Figure } from '#web/parts/purchase/confirm-purchase.tsx'
import { PurchaseSummary } from '#web/parts/purchase/purchase-summary.tsx'
import { checkPurchase, type PurchaseCheck } from '#web/parts/purchase/purchase-check.ts'
import { useCharacter } from '#web/parts/purchase/use-character.ts'
import { type Bought, reportBought } from '#web/parts/purchase/report-bought.ts'
import {
  rememberCharacter,
  exchangeQuery,
  recentDeliveriesQuery,
  type OwnCharacters,
} from '#web/parts/purchase/own-characters.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSend } from '#web/parts/forms/use-send.ts'

type PurchaseWords = {
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
  /** In place of the button while the wallet lacks so many TCoin for it. */
  renderMissing?: (character: Character, option: Option, missing: number) => ReactNode
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
  const { isConfirming, setConfirming, boughtAt_ms, send, isSending } = usePurchase(props.endpoint, {
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
  const check =
    status === 'unknown' || status === 'checking'
      ? ({ canConfirm: false, reason: words.incomplete } as const)
      : checkPurchase({ user, characters: knownCharacters(own), character, choice: option, words })

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
          check={check}
          missing={missingPart(props, { check, character, option })}
          onConfirm={() => setConfirming(true)}
        />
        {props.renderBeside?.(boughtAt_ms)}
      </div>
      {isConfirming && check.canConfirm && user && (
        <ConfirmPurchase
          // Mounted again with a new price: the focus is on the button that goes back, and a held Enter buys nothing.
          key={changed ? JSON.stringify(changed.to) : 'first'}
          words={words}
          characterName={check.character.name}
          figures={figuresOf(check.choice)}
          before={changed && figuresOf(changed.from)}
          balanceAfter={user.balance - check.choice.amount}
          isBusy={isSending}
          onConfirm={() =>
            void send({ body: props.bodyOf(check.character.id, check.choice) } as CallInput<E>)
          }
          onClose={() => (setConfirming(false), setChanged(null))}
        >
          {props.renderDetails?.(check.choice)}
          <Interrupted kind={props.kind} />
        </ConfirmPurchase>
      )}
    </div>
  )
}

type Wanted<Option extends { amount: number }> = {
  check: PurchaseCheck<Option>
  character: Character | undefined
  option: Option | undefined
}

/** What the page offers while the wallet lacks TCoin for a complete choice. */
const missingPart = <E extends Endpoint, Option extends { amount: number }>(
  { renderMissing }: Props<E, Option>,
  { check, character, option }: Wanted<Option>,
) => ('missing' in check && character && option ? renderMissing?.(character, option, check.missing) : null)

type BoughtOption<Option> = { kind: PurchaseKind; goodsOf: (option: Option) => Good[]; option: Option }

const boughtFor = <Option extends { amount: number }>(
  { name, info }: Character,
  { kind, goodsOf, option }: BoughtOption<Option>,
): Bought => ({
  kind,
  character_name: name,
  character_head: info.head,
  character_head_name: info.headName,
  goods: goodsOf(option),
  amount: option.amount,
})

type Reactions<E extends Endpoint> = {
  kind: RetriedKind
  /** What was bought, as far as the page knows it; the answer adds its id and state. */
  describe: () => Bought | null
  onBought: (answer: AnswerOf<E>) => void
  onRefused?: ((error: CallError) => void) | undefined
  onPriceChanged: (offer: ChangedOffer) => void
}

/** The confirmation of a purchase, the call itself, and what has to be read again after it. */
function usePurchase<E extends Endpoint>(
  endpoint: E,
  { kind, describe, onBought, onRefused, onPriceChanged }: Reactions<E>,
) {
  const client = useQueryClient()
  const { user } = useSession()
  const [isConfirming, setConfirming] = useState(false)
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { send, isSending } = useSend(endpoint, {
    call: retriedCall(kind),
    report: (answer) => reportBought(answer, describe()),
    onDone: (answer) => {
      setConfirming(false)
      setBoughtAt(serverNow())
      void client.invalidateQueries({ queryKey: recentDeliveriesQuery.queryKey })
      onBought(answer)
    },
    onFailed: (error) => {
      const refused = error instanceof CallError ? error : null
      // The game no longer knows the character, or the price has changed: read both again.
      if (refused?.status === 422) {
        void client.invalidateQueries({ queryKey: exchangeQuery(user?.id ?? null).queryKey })
      }
      if (refused?.body?.code === 'PRICE_CHANGED' && refused.body.offer) {
        return onPriceChanged(refused.body.offer)
      }
      setConfirming(false)
      reportFailure(error)
      if (refused) onRefused?.(refused)
    },
  })
  return { isConfirming, setConfirming, boughtAt_ms, send, isSending }
}
