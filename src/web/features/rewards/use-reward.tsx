import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Good } from '#contract/deliveries.ts'
import type { Character } from '#contract/exchange.ts'
import type { checkIn } from '#contract/rewards/check-in.ts'
import type { claimMilestone } from '#contract/rewards/milestones.ts'
import { Button } from '#ui/button.tsx'
import { CharacterChoice, knownCharacters } from '#web/parts/characters/character-choice.tsx'
import { useSend } from '#web/parts/forms/use-send.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import {
  recentDeliveriesQuery,
  rememberCharacter,
  useOwnCharacters,
} from '#web/parts/purchase/own-characters.ts'
import { checkPurchase } from '#web/parts/purchase/purchase-check.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { useCharacter } from '#web/parts/purchase/use-character.ts'
import { type Bought, reportBought } from '#web/parts/purchase/report-bought.ts'
import { useSession } from '#web/session/session-store.ts'
import { rewardsCopy as copy } from './rewards.copy.ts'

/** Who gets a reward, and whether they may. */
export function useReceiver() {
  const own = useOwnCharacters()
  const { user } = useSession()
  const { character, pick } = useCharacter(own)
  const characters = knownCharacters(own)
  const check = checkPurchase({ user, characters, character, choice: { amount: 0 }, words: copy })
  return { own, character, pick, check }
}

export type Receiver = ReturnType<typeof useReceiver>

export const ReceiverChoice = ({ receiver: { own, character, pick } }: { receiver: Receiver }) => (
  <CharacterChoice
    legend={copy.receiver}
    visitorText={copy.visitorText}
    own={own}
    chosenId={character?.id ?? null}
    onChoose={pick}
  />
)

/** Why nothing can be taken now, with what helps; nothing where something can. */
export function WhyNot({ receiver: { check }, id }: { receiver: Receiver; id: string }): ReactNode {
  if (check.canConfirm) return null
  return (
    <p id={id} className="flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-soft">
      {check.reason}
      {check.offer === 'activate' && (
        <Button kind="text" className="-ml-2 px-2" onClick={() => openModal('active')}>
          {purchaseCopy.activate}
        </Button>
      )}
    </p>
  )
}

type TakingOptions = { receiver: Receiver; goods: readonly Good[]; again: () => unknown }

/** Takes goods for the chosen character; the dialog follows their delivery. `again` reads anew what may be taken, also after a refusal. */
export function useTaking<E extends typeof checkIn | typeof claimMilestone>(
  endpoint: E,
  { receiver: { character }, goods, again }: TakingOptions,
) {
  const client = useQueryClient()
  const { send, isSending } = useSend<E>(endpoint, {
    report: (answer) => reportBought(answer, character ? rewardFor(character, goods) : null),
    onDone: () => {
      if (character) rememberCharacter(character)
      void client.invalidateQueries({ queryKey: recentDeliveriesQuery.queryKey })
      void again()
    },
    onFailed: (error) => {
      reportFailure(error)
      void again()
    },
  })
  return { send, isSending }
}

const rewardFor = ({ name, info }: Character, goods: readonly Good[]): Bought => ({
  kind: 'reward',
  character_name: name,
  character_head: info.head,
  character_head_name: info.headName,
  goods: [...goods],
  amount: 0,
})
