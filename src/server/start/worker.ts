import { startAlarmJobs } from '#server/modules/alarms/index.ts'
import { startAuditJobs } from '#server/modules/audit/index.ts'
import { startBankInboxJobs } from '#server/modules/bank-inbox/index.ts'
import { startCaseJobs } from '#server/modules/cases/index.ts'
import { findAccountsSentUntil, startGameAccountJobs } from '#server/modules/game-accounts/index.ts'
import { startGameJobs } from '#server/modules/game-bridge/index.ts'
import { startComparer, startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { startPurchaseJobs } from '#server/modules/order-purchases/index.ts'
import { startOtpJobs } from '#server/modules/otp/index.ts'
import { startMailJobs } from '#server/modules/mail/index.ts'
import { startClientErrorJobs } from '#server/modules/client-errors/index.ts'
import { startNoticeJobs } from '#server/modules/notices/index.ts'
import { startPasswordJobs } from '#server/modules/passwords/index.ts'
import { startPersonalDataJobs } from '#server/modules/personal-data/index.ts'
import { startPlayerJobs } from '#server/modules/players/index.ts'
import { startPlannedPriceJobs } from '#server/modules/planned-prices/index.ts'
import { startPostJobs } from '#server/modules/posts/index.ts'
import { startDigestJobs } from '#server/modules/digests/index.ts'
import { startInvitationJobs } from '#server/modules/invitations/index.ts'
import { startGiftCodeJobs } from '#server/modules/gift-codes/index.ts'
import { startBonusJobs } from '#server/modules/promotions/index.ts'
import { startProposalJobs } from '#server/modules/proposals/index.ts'
import { startPushJobs } from '#server/modules/push/index.ts'
import { startRankingJobs } from '#server/modules/ranking/index.ts'
import { startClaimJobs } from '#server/modules/recharge-claims/index.ts'
import { startRechargeJobs } from '#server/modules/recharge/index.ts'
import { startReconciliationJobs } from '#server/modules/reconciliation/index.ts'
import { startSessionJobs } from '#server/modules/sessions/index.ts'
import { startCampaignJobs, startFigureJobs, startStatisticsJobs } from '#server/modules/statistics/index.ts'
import { startChargeWorker, startTournamentJobs } from '#server/modules/tournaments/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { startCertificateJobs } from '../health/certificates.ts'
import type { Loop } from '../platform/jobs/loop.ts'
import { startQueueJobs } from '#server/platform/queues/queue-jobs.ts'
import { startLimitJobs } from '#server/platform/limits/shared-limiter.ts'
import { startAnswerJobs } from '#server/platform/idempotency/stored-responses.ts'

/** Everything that runs without a request: deliveries, the recharge sweeper, mail, rankings, clean-up. */
export function startWorker(portal: PortalDeps): Loop[] {
  return [
    ...startDeliveryWorker(portal),
    ...startComparer(portal),
    ...startGameJobs(portal, () => findAccountsSentUntil(portal.db)),
    ...startGameAccountJobs(portal),
    ...startChargeWorker(portal),
    ...startTournamentJobs(portal),
    ...startRechargeJobs(portal),
    ...startBonusJobs(portal),
    ...startGiftCodeJobs(portal),
    ...startInvitationJobs(portal),
    ...startPurchaseJobs(portal),
    ...startBankInboxJobs(portal),
    ...startClaimJobs(portal),
    ...startCaseJobs(portal),
    ...startClientErrorJobs(portal),
    ...startReconciliationJobs(portal),
    ...startSessionJobs(portal),
    ...startOtpJobs(portal),
    ...startPasswordJobs(portal),
    ...startPersonalDataJobs(portal),
    ...startPlayerJobs(portal),
    ...startProposalJobs(portal),
    ...startPlannedPriceJobs(portal),
    ...startDigestJobs(portal),
    ...startMailJobs(portal),
    ...startNoticeJobs(portal),
    ...startPushJobs(portal),
    ...startPostJobs(portal),
    ...startRankingJobs(portal),
    ...startAuditJobs(portal),
    ...startStatisticsJobs(portal),
    ...startCampaignJobs(portal),
    ...startLimitJobs(portal),
    ...startQueueJobs(portal),
    ...startAnswerJobs(portal),
    ...startCertificateJobs(portal),
    ...startWatching(portal),
  ]
}

/** For those who watch from outside, when there are any. */
function startWatching(portal: PortalDeps): Loop[] {
  const isScraped = portal.config.metrics !== null
  return [
    ...(isScraped ? startFigureJobs(portal) : []),
    ...(isScraped || portal.alarmWebhook !== null ? startAlarmJobs(portal) : []),
  ]
}
