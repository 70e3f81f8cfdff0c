import type { FastifyInstance } from 'fastify'
import { isPixelPath, pages, patternOf, PIXEL_REPORT_ORIGIN, PIXEL_SCRIPT_ORIGIN } from '#contract/pages.ts'
import { CONTENT_KINDS, watchContent, type ContentKind } from '#server/domain/content.ts'
import { registerAccounts, registerStaff } from '#server/modules/accounts/index.ts'
import { registerOperatorAlarms } from '#server/modules/alarms/index.ts'
import { registerOperatorAudit } from '#server/modules/audit/index.ts'
import {
  decideTransfer,
  findOrderPayment,
  findUsualSeconds,
  registerBankTransfers,
  registerOperatorClaims,
  registerWebhooks,
} from '#server/modules/bank-inbox/index.ts'
import { registerOperatorBudgets } from '#server/modules/budgets/index.ts'
import { registerCases, registerOperatorCases } from '#server/modules/cases/index.ts'
import { registerClientErrors } from '#server/modules/client-errors/index.ts'
import { registerConsents } from '#server/modules/consents/index.ts'
import { registerOperatorDigests } from '#server/modules/digests/index.ts'
import { registerInvitations, registerOperatorInvitations } from '#server/modules/invitations/index.ts'
import { registerGiftCodes, registerOperatorGiftCodes } from '#server/modules/gift-codes/index.ts'
import { registerDownloads } from '#server/modules/downloads/index.ts'
import { isNameInGame } from '#server/modules/game-accounts/index.ts'
import { giveStarterCharacters, refreshCharacters } from '#server/modules/game-bridge/index.ts'
import { registerOwnHome } from '#server/modules/home/index.ts'
import { registerLegal, registerOperatorLegal } from '#server/modules/legal/index.ts'
import { maintenanceGate, registerMaintenance } from '#server/modules/maintenance/index.ts'
import { registerNotices } from '#server/modules/notices/index.ts'
import { registerOtp } from '#server/modules/otp/index.ts'
import { registerChangePassword, registerPasswordResets } from '#server/modules/passwords/index.ts'
import { registerOperatorDeletions, registerPersonalData } from '#server/modules/personal-data/index.ts'
import { registerOperatorPictures, registerUploads } from '#server/modules/pictures/index.ts'
import { registerPlannedPrices } from '#server/modules/planned-prices/index.ts'
import { registerOperatorUsers } from '#server/modules/players/index.ts'
import {
  closeViews,
  countView,
  isKnownMissing,
  listPictureUses,
  registerFeeds,
  registerOperatorPosts,
  registerPosts,
  registerSharePictures,
  watchPublishing,
} from '#server/modules/posts/index.ts'
import { registerOperatorPromotions } from '#server/modules/promotions/index.ts'
import { registerCheckIn } from '#server/modules/check-in/index.ts'
import { registerMilestones, registerOperatorMilestones } from '#server/modules/milestones/index.ts'
import { propose, registerProposals } from '#server/modules/proposals/index.ts'
import {
  getDelivery,
  registerOperatorComparison,
  registerOperatorDeliveries,
  registerPurchases,
} from '#server/modules/purchases/index.ts'
import { registerPush } from '#server/modules/push/index.ts'
import { registerOperatorGroups, registerRanking } from '#server/modules/ranking/index.ts'
import { registerRechargeClaims } from '#server/modules/recharge-claims/index.ts'
import {
  findOrderStatus,
  registerOperatorRechargeOrders,
  registerRecharge,
} from '#server/modules/recharge/index.ts'
import { registerOperatorReconciliation } from '#server/modules/reconciliation/index.ts'
import { registerSavedFilters } from '#server/modules/saved-filters/index.ts'
import { registerSecondFactor } from '#server/modules/second-factor/index.ts'
import { registerOperatorServers } from '#server/modules/servers/index.ts'
import {
  callerOf,
  createIdentify,
  endConsoleSessionsOf,
  isDeviceOfPhone,
  markSteppedUp,
  registerSessions,
  type SessionHooks,
} from '#server/modules/sessions/index.ts'
import { readSettings, registerOperatorSettings, registerSettings } from '#server/modules/settings/index.ts'
import {
  findTransaction,
  registerOperatorLedger,
  registerStatements,
} from '#server/modules/statements/index.ts'
import { registerSetupGuide } from '#server/modules/setup-guide/index.ts'
import { registerCampaignReports, registerOperatorStatistics } from '#server/modules/statistics/index.ts'
import {
  findTournamentName,
  listTournamentPaths,
  registerLiveTournaments,
  registerOperatorTournaments,
  registerTournamentCalendars,
  registerTournaments,
} from '#server/modules/tournaments/index.ts'
import { registerActivation } from '#server/modules/traders/index.ts'
import { registerTransfers } from '#server/modules/transfers/index.ts'
import { registerViewAs } from '#server/modules/view-as/index.ts'
import { Api } from '#server/platform/http/api.ts'
import type { Visitor } from '#server/platform/http/client-address.ts'
import { answerEarly, firstSegmentsOf } from '#server/platform/http/early-answers.ts'
import { openHttp, refuseUnknownCalls } from '#server/platform/http/server.ts'
import { restrictConsoleToHost, registerConsole } from '#server/platform/pages/console.ts'
import { withKeptFiles } from '#server/platform/pages/kept-files.ts'
import type { OutsideSources } from '#server/platform/pages/csp.ts'
import { PAGES_ROUTE, registerPages, type Pages } from '#server/platform/pages/pages.ts'
import { registerHealth } from '../health/readiness.ts'
import { turnAwayWhileStopping } from '../start/shutdown.ts'
import type { PortalDeps } from './deps.ts'
import { registerOpenApi } from './openapi.ts'

const POST_PATH = new RegExp(`^${patternOf(pages.post)}$`)

/** The portal as one Fastify instance: the API, the webhooks, the feeds, and the pages that are rendered from them. */
export async function buildApp(portal: PortalDeps): Promise<FastifyInstance> {
  const app = openEdge(portal)
  const taken = firstSegmentsOf(app)
  await portal.vault.prepare()
  const content = watchContent(portal)
  app.addHook('onClose', async () => content.close())
  const api = new Api(app, {
    clock: portal.clock,
    identify: createIdentify(portal),
    limits: portal.limits,
    assertOpen: maintenanceGate(portal).assertOpen,
  })
  registerSettings(api, portal)
  registerAccounts(api, portal)
  await registerSessions(app, api, {
    ...portal,
    ...gameHooks(portal),
    isNameInGame: (username) => isNameInGame(portal, username),
    gameSecrets: portal.config.gameServer?.secrets ?? [],
  })
  await registerOtp(app, api, {
    ...portal,
    isDeviceOfPhone: (phone, request) => isDeviceOfPhone(portal.db, phone, callerOf(request)),
  })
  registerAccountCare(api, portal)
  registerNotices(app, api, portal)
  registerPush(api, portal)
  registerOwnHome(api, portal)
  await registerMoney(app, api, portal)
  registerHelp(api, portal)
  registerRanking(api, portal)
  registerTournaments(api, portal)
  registerLiveTournaments(app, api, portal)

  registerContent(app, api, portal)
  // Writes the views that were counted since the last time.
  app.addHook('onClose', () => closeViews(portal))
  registerOverview(app, api, portal)
  registerOperatorTournaments(api, portal)
  registerOperation(api, portal)
  registerHealth(app, portal)
  registerOpenApi(app, api.served)
  refuseUnknownCalls(app)

  if (portal.withPages) {
    const site = await withKeptFiles(app, portal, await portal.openSite(app))
    await registerConsole(app, site.console)
    const pages = await registerPages(
      app,
      {
        publicUrl: portal.config.publicUrl,
        isDemoPublic: portal.config.isDemo && portal.config.isDemoPublic,
        transport: api.inProcessReads.transport(portal.log),
        log: portal.log,
        limits: portal.limits,
        taken,
        isMissing: (path) => isMissing(portal, path),
        contentOf: contentOfCall,
        onViewed: (path, visitor) => viewed(portal, path, visitor),
        outsideSources: (path) => pixelSources(portal, path),
      },
      site,
    )
    answerEarlier(app, portal, pages)
    const publishing = watchPublishing(portal, () => content.announce(['posts']))
    app.addHook('onClose', publishing.close)
    content.on((kinds) => {
      pages.drop(kinds)
      if (kinds.includes('posts')) publishing.plan()
    })
  }
  return app
}

/** What is the same for every call, whichever module answers it. */
function openEdge(portal: PortalDeps): FastifyInstance {
  const app = openHttp({ log: portal.log, ...portal.config })
  turnAwayWhileStopping(app, portal)
  if (portal.config.adminHost !== null) restrictConsoleToHost(app, portal.config.adminHost)
  return app
}

/** News, their pictures and feeds, downloads, the legal texts and who agreed to them. */
function registerContent(app: FastifyInstance, api: Api, deps: PortalDeps): void {
  registerPosts(api, deps)
  registerOperatorPosts(api, deps)
  registerOperatorPictures(api, { ...deps, listPictureUses })
  registerUploads(app, deps)
  registerFeeds(app, { ...deps, listMorePaths: () => listTournamentPaths(deps.db) })
  registerTournamentCalendars(app, deps)
  registerSharePictures(app, { ...deps, findTournamentName })
  registerDownloads(app, deps)
  registerLegal(api, deps)
  registerConsents(api, deps)
  registerOperatorLegal(api, deps)
}

/** What players do with their accounts besides signing in: second factor, passwords, their own data. */
function registerAccountCare(api: Api, portal: PortalDeps): void {
  registerSecondFactor(api, { ...portal, markSteppedUp, endConsoleSessionsOf })
  registerChangePassword(api, portal)
  registerPasswordResets(api, portal)
  registerPersonalData(api, portal)
}

/** The calls by which the portal itself is run: settings, maintenance, people, servers, and what was done. */
function registerOperation(api: Api, portal: PortalDeps): void {
  registerOperatorSettings(api, {
    ...portal,
    proposeChange: (tx, { parts, reason, ...change }, by) => {
      const asProposed = ({ subject, ...payload }: (typeof parts)[number]) => ({
        kind: 'setting' as const,
        subject,
        payload,
      })
      return propose(portal, tx, { ...asProposed(change), parts: parts.map(asProposed), reason, ...by })
    },
  })
  registerPlannedPrices(api, portal)
  registerMaintenance(api, portal)
  registerSavedFilters(api, portal)
  registerClientErrors(api, portal)
  registerProposals(api, {
    ...portal,
    decideTransfer: (act, proposal, call) => decideTransfer(portal, act, { proposal, call }),
  })
  registerOperatorAudit(api, portal)
  registerOperatorUsers(api, portal)
  registerViewAs(api, portal)
  registerOperatorDeletions(api, portal)
  registerStaff(api, {
    ...portal,
    proposeStaff: (tx, change, by) => propose(portal, tx, { ...change, ...by }),
  })
  registerOperatorServers(api, portal)
  registerOperatorGroups(api, portal)
}

/** What the console’s first screen shows. */
function registerOverview(app: FastifyInstance, api: Api, portal: PortalDeps): void {
  registerOperatorStatistics(api, portal)
  registerCampaignReports(api, portal)
  registerOperatorDigests(api, portal)
  registerOperatorAlarms(app, api, portal)
  registerSetupGuide(api, portal)
}

/** The calls about TCoin. */
async function registerMoney(app: FastifyInstance, api: Api, portal: PortalDeps): Promise<void> {
  registerActivation(api, portal)
  registerTransfers(api, portal)
  registerStatements(api, portal)
  registerPurchases(app, api, portal)
  registerOperatorDeliveries(api, portal)
  registerOperatorComparison(api, portal)
  registerRecharge(app, api, { ...portal, findOrderPayment, findUsualSeconds })
  await registerWebhooks(app, api, portal)
  registerRechargeClaims(api, portal)
  registerOperatorClaims(api, portal)
  registerOperatorRechargeOrders(api, portal)
  registerBankTransfers(api, portal)
  registerOperatorReconciliation(api, portal)
  registerOperatorLedger(api, portal)
  registerOperatorBudgets(api, portal)
  registerOperatorPromotions(api, portal)
  registerCheckIn(api, portal)
  registerMilestones(api, portal)
  registerOperatorMilestones(api, portal)
  registerGiftCodes(api, portal)
  registerInvitations(api, portal)
  registerOperatorInvitations(api, portal)
  registerOperatorGiftCodes(api, portal)
}

/** What players report, and its answers. */
function registerHelp(api: Api, portal: PortalDeps): void {
  const deps = { ...portal, findOrderStatus, getDelivery, findTransaction }
  registerCases(api, deps)
  registerOperatorCases(api, deps)
}

/** A new player gets characters in the embedded game; a player's characters are read again at each sign-in. */
function gameHooks(portal: PortalDeps): SessionHooks {
  return {
    async onRegistered(user) {
      await giveStarterCharacters(portal.game, user)
      await refreshCharacters(portal, user)
    },
    onLogin(user) {
      void refreshCharacters(portal, user)
    },
  }
}

/** Pages that are there are sent before the framework, until a stop begins. */
function answerEarlier(app: FastifyInstance, portal: PortalDeps, { answerEarly: answer }: Pages): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  answerEarly(app, {
    log: portal.log,
    trustProxy: portal.config.trustProxy,
    isOpen: () => !isClosing && !portal.isStopping(),
    route: PAGES_ROUTE,
    answer,
  })
}

/** Whether memory knows that nothing is at the path of a post or category. */
async function isMissing({ db }: PortalDeps, path: string): Promise<boolean> {
  const postId = POST_PATH.exec(path)?.[1]
  if (postId !== undefined) return isKnownMissing(db, postId)
  return false
}

function viewed(posts: Parameters<typeof countView>[0], path: string, visitor: Visitor): void {
  const postId = POST_PATH.exec(path)?.[1]
  if (postId === undefined) return
  countView(posts, { postId, ...visitor })
}

/** The policy of a document allows the advertiser's hosts only where its pixel may load, and only while one is set. */
async function pixelSources({ db }: PortalDeps, path: string): Promise<OutsideSources | undefined> {
  if (!isPixelPath(path)) return undefined
  const { pixelId } = await readSettings(db)
  if (pixelId === '') return undefined
  return { script: PIXEL_SCRIPT_ORIGIN, connect: PIXEL_REPORT_ORIGIN, img: PIXEL_REPORT_ORIGIN }
}

/** The calls that pages are rendered from, and the content their answers show. */
const CONTENT_OF: [call: RegExp, kinds: readonly ContentKind[]][] = [
  [/^\/settings$/, ['settings', 'maintenance']],
  [/^\/servers$/, ['servers']],
  [/^\/posts\b/, ['posts']],
  [/^\/categories$/, ['categories']],
  [/^\/categories\//, ['categories', 'posts']],
  [/^\/tournaments\b/, ['tournaments', 'game-names']],
  [/^\/legal\//, ['legal']],
  [/^\/exchange$/, ['settings', 'game-names']],
]

/** `url` is as a page requests it. A call that is not listed may show anything. */
export function contentOfCall(url: string): readonly ContentKind[] {
  const path = url.replace(/^\/api|\?.*$/g, '')
  return CONTENT_OF.find(([call]) => call.test(path))?.[1] ?? CONTENT_KINDS
}
