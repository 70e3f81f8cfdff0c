import { inviteProposals, roleProposals } from '#server/modules/accounts/index.ts'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { transferTermsOf } from '#server/modules/bank-inbox/index.ts'
import { budgetProposals } from '#server/modules/budgets/index.ts'
import { giftCodeProposals } from '#server/modules/gift-codes/index.ts'
import { openGameBridge, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { openFileMailer, openSmtpMailer, type Mailer } from '#server/modules/mail/index.ts'
import { plannedPriceProposals } from '#server/modules/planned-prices/index.ts'
import { openPayments, type Payments } from '#server/modules/payment-providers/index.ts'
import { adjustmentProposals, returnProposals, secondFactorProposals } from '#server/modules/players/index.ts'
import { milestoneProposals } from '#server/modules/milestones/index.ts'
import { promotionProposals } from '#server/modules/promotions/index.ts'
import type { ProposalKinds } from '#server/modules/proposals/index.ts'
import { giveAgainProposals } from '#server/modules/purchases/index.ts'
import { settingProposals } from '#server/modules/settings/index.ts'
import { type Beacon, openDemoBeacon, openDrand } from '#server/modules/tournaments/index.ts'
import type { Config } from '../config/config.ts'
import type { OpenedDatabase } from '../start/database.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { startCounting } from '#server/domain/metrics.ts'
import { openLimits } from '../platform/limits/limits.ts'
import { PUSH_SERVICES } from '../modules/push/index.ts'
import { openPublicOutbound, type PublicOutbound } from '../platform/http/outbound.ts'
import type { Log } from '../platform/log/log.ts'
import { keptFoldersIn } from '../platform/pages/kept-files.ts'
import { BUILT_MAPS, openSourceMaps, type SourceMaps } from '../platform/pages/source-maps.ts'
import { loadSite, type Site } from '../platform/pages/site-files.ts'
import { openVault } from '#server/platform/db/vault.ts'

type SharedDeps = PlatformDeps &
  Pick<Config, 'publicUrl' | 'mailFrom' | 'sms' | 'isSecondPersonNeeded' | 'alarmWebhook'>

/** Everything the portal's parts are handed. Wired here and nowhere else; tests pass overrides. */
export type PortalDeps = SharedDeps & {
  config: Config
  game: GameBridge
  mailer: Mailer
  payments: Payments
  /** What tournaments are drawn by. */
  beacon: Beacon
  /** Calls the push services that browsers name. */
  pushOutbound: PublicOutbound
  proposalKinds: ProposalKinds
  /** Of the builds that are kept. */
  sourceMaps: SourceMaps
  /** Not null only in a demo: its calls go through the public webhook at this address. */
  sandbox: { portalUrl: string } | null
  /** False leaves pages out (worker processes and most tests). */
  withPages: boolean
  /** The built site; the development loop gives one that is compiled while it runs. */
  openSite(app: FastifyInstance): Promise<Site>
  isStopping(): boolean
}

export type WireOptions = {
  config: Config
  log: Log
  database: Pick<OpenedDatabase, 'db' | 'listener'>
  overrides?: Partial<PortalDeps>
}

export function wireDeps({ config, log, database, overrides = {} }: WireOptions): PortalDeps {
  const vault = openVault(database.db)
  startCounting('portal_notifications_total', { provider: config.payments.map(({ vendor }) => vendor.name) })
  return {
    config,
    log,
    clock: systemClock,
    db: database.db,
    listener: database.listener,
    vault,
    limits: openLimits(database.db, vault),
    game: openGameBridge({ db: database.db, log, http: config.gameServer }),
    publicUrl: config.publicUrl,
    mailer: config.smtp === null ? openFileMailer(join(config.dataDir, 'mail')) : openSmtpMailer(config.smtp),
    mailFrom: config.mailFrom,
    payments: openPayments(config.payments),
    beacon: config.demoBeaconSecret === null ? openDrand() : openDemoBeacon(config.demoBeaconSecret),
    pushOutbound: openPublicOutbound({ hosts: PUSH_SERVICES }),
    sms: config.sms,
    isSecondPersonNeeded: config.isSecondPersonNeeded,
    alarmWebhook: config.alarmWebhook,
    proposalKinds: {
      setting: settingProposals(config.publicUrl),
      'planned-price': plannedPriceProposals,
      adjustment: adjustmentProposals,
      'second-factor': secondFactorProposals(vault),
      'account-return': returnProposals({ vault, publicUrl: config.publicUrl }),
      roles: roleProposals,
      invite: inviteProposals,
      'bank-transfer': { termsOf: transferTermsOf },
      'give-again': giveAgainProposals,
      budget: budgetProposals,
      promotion: promotionProposals,
      milestones: milestoneProposals,
      'gift-codes': giftCodeProposals,
    },
    sourceMaps: openSourceMaps([BUILT_MAPS, keptFoldersIn(config.dataDir).maps]),
    sandbox: config.isDemo ? { portalUrl: ownUrl(config) } : null,
    withPages: true,
    openSite: loadSite,
    isStopping: () => false,
    ...overrides,
  }
}

/** Where this process answers on its own machine, whatever the public address is. */
function ownUrl(config: Pick<Config, 'host' | 'port'>): string {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
}
