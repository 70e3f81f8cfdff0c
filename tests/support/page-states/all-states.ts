import { accountStates } from './account-states.ts'
import { claimStates } from './claim-states.ts'
import { helpStates } from './help-states.ts'
import type { PageState } from './page-state.ts'
import { playerStates } from './player-states.ts'
import { purchaseStates } from './purchase-states.ts'
import { rewardStates } from './reward-states.ts'
import { tournamentStates } from './tournament-states.ts'
import { visitorStates } from './visitor-states.ts'

/** Every state of every page of the player site. */
export const allStates: readonly PageState[] = [
  ...visitorStates,
  ...playerStates,
  ...accountStates,
  ...purchaseStates,
  ...claimStates,
  ...rewardStates,
  ...helpStates,
  ...tournamentStates,
]

export function stateOf(name: string): PageState {
  const state = allStates.find((one) => one.name === name)
  if (!state) throw new Error(`There is no state ${name}`)
  return state
}
