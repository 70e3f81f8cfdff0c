import { LEGAL_KINDS } from '#contract/legal.ts'
import {
  SETUP_STEPS,
  type SetupState,
  type SetupStep,
  setupGuideCall,
} from '#contract/operator/setup-guide.ts'
import { channelsNow } from '#server/modules/recharge/index.ts'
import type { Payments } from '#server/modules/payment-providers/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Api } from '#server/platform/http/api.ts'
import { readEvidence } from './setup-guide.queries.ts'

type SetupGuideDeps = Pick<PlatformDeps, 'db'> & { payments: Payments }

/** Rules that take two people need two owners: one of them may be the one who asks. */
const OWNERS_MIN = 2
const RUNS = ['backup', 'restore-test']

/** Of a step that has parts, each that is there and those of them that are done. */
type Parts = { there: readonly string[]; done: readonly string[] }

async function listSteps({ db, payments }: SetupGuideDeps): Promise<SetupState[]> {
  const { bankAccounts } = await readSettings(db)
  const channels = channelsNow(payments, bankAccounts)
  const providers = payments.webhooks.flatMap(({ provider, reader }) => (reader === null ? [] : [provider]))
  const seen = await readEvidence(db, {
    accountNumbers: channels.map(({ account }) => account.number),
    providers,
  })
  const tried = channels.filter(({ account }) => seen.credited_accounts.includes(account.number))
  const steps: Record<SetupStep, boolean | Parts> = {
    'second-owner': seen.owners >= OWNERS_MIN,
    mail: seen.is_mail_proved,
    'receiving-accounts': { there: channels.map(({ name }) => name), done: tried.map(({ name }) => name) },
    'payment-notices': { there: providers, done: seen.notified_providers },
    game: seen.is_game_read,
    'legal-texts': { there: LEGAL_KINDS, done: seen.published_texts },
    backup: { there: RUNS, done: seen.runs },
    'first-post': seen.has_post,
    'first-promotion': seen.has_promotion,
  }
  return SETUP_STEPS.map((name) => {
    const step = steps[name]
    if (typeof step === 'boolean') return { name, is_done: step, missing: [] }
    const missing = step.there.filter((part) => !step.done.includes(part))
    return { name, is_done: step.there.length > 0 && missing.length === 0, missing }
  })
}

export function registerSetupGuide(api: Api, deps: SetupGuideDeps): void {
  api.serve(setupGuideCall, () => listSteps(deps))
}
