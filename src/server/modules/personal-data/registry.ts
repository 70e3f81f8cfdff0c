import { personalImport } from '#server/modules/account-import/index.ts'
import { personalAccount } from '#server/modules/accounts/index.ts'
import { personalTrail } from '#server/modules/audit/index.ts'
import { personalTransfers } from '#server/modules/bank-inbox/index.ts'
import { personalCases } from '#server/modules/cases/index.ts'
import { personalConsents } from '#server/modules/consents/index.ts'
import { personalCharacters } from '#server/modules/game-bridge/index.ts'
import { personalGameAccount } from '#server/modules/game-accounts/index.ts'
import { personalMail } from '#server/modules/mail/index.ts'
import { personalNotices } from '#server/modules/notices/index.ts'
import { personalOrderPurchases } from '#server/modules/order-purchases/index.ts'
import { personalCodes } from '#server/modules/otp/index.ts'
import { personalPasswords } from '#server/modules/passwords/index.ts'
import { personalNotes } from '#server/modules/players/index.ts'
import { personalCheckIns } from '#server/modules/check-in/index.ts'
import { personalMilestones } from '#server/modules/milestones/index.ts'
import { personalInvitations } from '#server/modules/invitations/index.ts'
import { personalGiftCodes } from '#server/modules/gift-codes/index.ts'
import { personalBonuses } from '#server/modules/promotions/index.ts'
import { personalProposals } from '#server/modules/proposals/index.ts'
import { personalDeliveries } from '#server/modules/purchases/index.ts'
import { personalPush } from '#server/modules/push/index.ts'
import { personalRanking } from '#server/modules/ranking/index.ts'
import { personalClaims } from '#server/modules/recharge-claims/index.ts'
import { personalOrders } from '#server/modules/recharge/index.ts'
import { personalFilters } from '#server/modules/saved-filters/index.ts'
import { personalSecondFactor } from '#server/modules/second-factor/index.ts'
import { personalSessions } from '#server/modules/sessions/index.ts'
import { personalTeams } from '#server/modules/tournaments/index.ts'
import { personalTrade } from '#server/modules/traders/index.ts'
import { personalLedger } from '#server/modules/wallet/index.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { personalDeletions } from './deletions.queries.ts'

/**
 * Everything that is stored about a person, in the order of the export and of the erasure. The account comes early: deliveries
 * give up who they were for only when it is erased. What the game has to be told comes before it: nothing is written about an
 * erased account.
 */
export const personalParts: readonly PersonalPart[] = [
  personalGameAccount,
  personalAccount,
  personalImport,
  personalConsents,
  personalSessions,
  personalSecondFactor,
  personalPasswords,
  personalCodes,
  personalMail,
  personalNotices,
  personalPush,
  personalTrade,
  personalLedger,
  personalOrders,
  personalBonuses,
  personalGiftCodes,
  personalInvitations,
  personalOrderPurchases,
  personalTransfers,
  personalClaims,
  personalCases,
  personalCharacters,
  personalDeliveries,
  personalCheckIns,
  personalMilestones,
  personalRanking,
  personalTeams,
  personalNotes,
  personalFilters,
  personalProposals,
  personalDeletions,
  personalTrail,
]
