import { randomBytes, timingSafeEqual } from 'node:crypto'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { registerAccounts, registerStaff } from '#server/modules/accounts/index.ts'
import { registerOperatorAlarms } from '#server/modules/alarms/index.ts'
import { registerOperatorAudit } from '#server/modules/audit/index.ts'
import {
  decideTransfer,
  registerBankTransfers,
  registerOperatorClaims,
  registerWebhooks,
} from '#server/modules/bank-inbox/index.ts'
import { registerConsents } from '#server/modules/consents/index.ts'
import { registerDownloads } from '#server/modules/downloads/index.ts'
import { registerLegal, registerOperatorLegal } from '#server/modules/legal/index.ts'
import { giveStarterCharacters, refreshCharacters } from '#server/modules/game-bridge/index.ts'
import { maintenanceGate, registerMaintenance } from '#server/modules/maintenance/index.ts'
import { registerOtp } from '#server/modules/otp/index.ts'
import { registerPasswordResets } from '#server/modules/passwords/index.ts'
import { registerOperatorDeletions, registerPersonalData } from '#server/modules/personal-data/index.ts'
import {
  closeViews,
  countView,
  listPictureUses,
  registerFeeds,
  registerOperatorPosts,
  registerPosts,
  registerSharePictures,
  watchPublishing,
} from '#server/modules/posts/index.ts'
import { registerOperatorPictures, registerUploads } from '#server/modules/pictures/index.ts'
import { registerOperatorRechargeOrders, registerRecharge } from '#server/modules/recharge/index.ts'
import { registerRechargeClaims } from '#server/modules/recharge-claims/index.ts'
import { registerOperatorReconciliation } from '#server/modules/reconciliation/index.ts'
import { registerOperatorDeliveries, registerPurchases } from '#server/modules/purchases/index.ts'
import { propose, registerProposals } from '#server/modules/proposals/index.ts'
import { registerOperatorGroups, registerRanking } from '#server/modules/ranking/index.ts'
import { registerChangePassword } from '#server/modules/passwords/index.ts'
import { registerSecondFactor } from '#server/modules/second-factor/index.ts'
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
import { registerOperatorUsers } from '#server/modules/players/index.ts'
import { registerOperatorStatistics } from '#server/modules/statistics/index.ts'
import { registerOperatorLedger, registerStatements } from '#server/modules/statements/index.ts'
import { registerOperatorServers } from '#server/modules/servers/index.ts'
import {
  listTournamentPaths,
  registerOperatorTournaments,
  registerTournaments,
} from '#server/modules/tournaments/index.ts'
import { registerActivation } from '#server/modules/traders/index.ts'
import { registerTransfers } from '#server/modules/transfers/index.ts'
import { isPixelPath, PIXEL_REPORT_ORIGIN, PIXEL_SCRIPT_ORIGIN } from '#contract/pixel.ts'
import type { Transport } from '#contract/rendered-page.ts'
import { pages, patternOf } from '#contract/pages.ts'
import { contentOfCall } from './content-of-calls.ts'
import type { PortalDeps } from './deps.ts'
import { registerHealth } from './health.ts'
import { registerOpenApi } from './openapi.ts'
import { watchContent } from './platform/content/content-versions.ts'
import { Api } from './platform/http/api.ts'
import { openHttp, refuseUnknownCalls } from './platform/http/server.ts'
import { keepConsoleOnHost, registerConsole } from './platform/pages/console.ts'
import type { OutsideSources } from './platform/pages/csp.ts'
import { registerPages } from './platform/pages/pages.ts'
import { turnAwayWhileStopping } from './stopping.ts'

const POST_PATH = new RegExp(`^${patternOf(pages.post)}$`)
const INTERNAL_HEADER = 'x-portal-internal'

const SECURITY_HEADERS = {
  // Pages set their own policy, by hash of their constant scripts; everything else gets the strictest there is.
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
  strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: true },
  referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  xFrameOptions: { action: 'deny' },
} satisfies FastifyHelmetOptions

/** The portal as one Fastify instance: the API, the webhooks, the feeds, and the pages that are rendered from them. */
export async function buildApp(portal: PortalDeps): Promise<FastifyInstance> {
  const app = await openEdge(portal)
  await portal.vault.prepare()
  const internal = internalCalls()
  const content = watchContent(portal)
  app.addHook('onClose', async () => content.close())
  const api = new Api(app, {
    identify: createIdentify(portal),
    limits: portal.limits,
    isInternal: internal.is,
    assertOpen: maintenanceGate(portal).assertOpen,
  })
  registerSettings(api, portal)
  registerAccounts(api, portal)
  registerSessions(api, { ...portal, ...gameHooks(portal) })
  await registerOtp(app, api, {
    ...portal,
    isDeviceOfPhone: (phone, request) => isDeviceOfPhone(portal.db, phone, callerOf(request)),
  })
  registerAccountCare(api, portal)
  await registerMoney(app, api, portal)
  registerRanking(api, portal)
  registerTournaments(api, portal)

  const posts = { ...portal, isInternal: internal.is }
  registerContent(app, api, posts)
  // Writes the views that were counted since the last time.
  app.addHook('onClose', () => closeViews(portal))
  registerOverview(app, api, portal)
  registerOperatorTournaments(api, portal)
  registerOperation(api, portal)
  registerHealth(app, portal)
  registerOpenApi(app, api.served)
  refuseUnknownCalls(app)

  if (portal.withPages) {
    const site = await portal.openSite(app)
    await registerConsole(app, site.console)
    const pages = await registerPages(
      app,
      {
        publicUrl: portal.config.publicUrl,
        isDemoPublic: portal.config.isDemo && portal.config.isDemoPublic,
        transport: internal.transport(app),
        limits: portal.limits,
        contentOf: contentOfCall,
        onViewed: (path, request) => viewed(posts, path, request),
        outsideSources: (path) => pixelSources(portal, path),
      },
      site,
    )
    const publishing = watchPublishing(portal, () => content.tell(['posts']))
    app.addHook('onClose', publishing.close)
    content.on((kinds) => {
      pages.drop(kinds)
      if (kinds.includes('posts')) publishing.plan()
    })
  }
  return app
}

/** What is the same for every call, whichever module answers it. */
async function openEdge(portal: PortalDeps): Promise<FastifyInstance> {
  const app = openHttp({ log: portal.log, trustProxy: portal.config.trustProxy })
  turnAwayWhileStopping(app, portal)
  await app.register(helmet, SECURITY_HEADERS)
  if (portal.config.adminHost !== null) keepConsoleOnHost(app, portal.config.adminHost)
  return app
}

type ContentDeps = PortalDeps & Parameters<typeof registerPosts>[1]

/** News, their pictures and feeds, downloads, the legal texts and who agreed to them. */
function registerContent(app: FastifyInstance, api: Api, deps: ContentDeps): void {
  registerPosts(api, deps)
  registerOperatorPosts(api, deps)
  registerOperatorPictures(api, { ...deps, listPictureUses })
  registerUploads(app, deps)
  registerFeeds(app, { ...deps, listMorePaths: () => listTournamentPaths(deps.db) })
  registerSharePictures(app, deps)
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
    proposeChange: (tx, { before, after, ...asked }, by) =>
      propose(portal, tx, { kind: 'setting', payload: { before, after }, ...asked, ...by }),
  })
  registerMaintenance(api, portal)
  registerProposals(api, {
    ...portal,
    decideTransfer: (act, proposal, call) => decideTransfer(portal, act, { proposal, call }),
  })
  registerOperatorAudit(api, portal)
  registerOperatorUsers(api, portal)
  registerOperatorDeletions(api, portal)
  registerStaff(api, portal)
  registerOperatorServers(api, portal)
  registerOperatorGroups(api, portal)
}

/** What the console’s first screen shows. */
function registerOverview(app: FastifyInstance, api: Api, portal: PortalDeps): void {
  registerOperatorStatistics(api, portal)
  registerOperatorAlarms(app, api, portal)
}

/** The calls about TCoin. */
async function registerMoney(app: FastifyInstance, api: Api, portal: PortalDeps): Promise<void> {
  registerActivation(api, portal)
  registerTransfers(api, portal)
  registerStatements(app, api, portal)
  registerPurchases(app, api, portal)
  registerOperatorDeliveries(api, portal)
  registerRecharge(app, api, portal)
  await registerWebhooks(app, portal)
  registerRechargeClaims(api, portal)
  registerOperatorClaims(app, api, portal)
  registerOperatorRechargeOrders(api, portal)
  registerBankTransfers(api, portal)
  registerOperatorReconciliation(api, portal)
  registerOperatorLedger(api, portal)
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

function viewed(posts: Parameters<typeof countView>[0], path: string, request: FastifyRequest): void {
  const postId = POST_PATH.exec(path)?.[1]
  if (postId === undefined) return
  countView(posts, { postId, address: request.ip, userAgent: request.headers['user-agent'] ?? '' })
}

/** The policy of a document allows the advertiser's hosts only where its pixel may load, and only while one is set. */
async function pixelSources({ db }: PortalDeps, path: string): Promise<OutsideSources | undefined> {
  if (!isPixelPath(path)) return undefined
  const { pixelId } = await readSettings(db)
  if (pixelId === '') return undefined
  return { script: PIXEL_SCRIPT_ORIGIN, connect: PIXEL_REPORT_ORIGIN, img: PIXEL_REPORT_ORIGIN }
}

/** The server's own rendering calls the API like a browser; a secret of this process marks those calls. */
function internalCalls() {
  const secret = randomBytes(24).toString('base64url')
  return {
    is(request: FastifyRequest): boolean {
      const given = Buffer.from(String(request.headers[INTERNAL_HEADER] ?? ''))
      return given.length === secret.length && timingSafeEqual(given, Buffer.from(secret))
    },
    transport:
      (app: FastifyInstance): Transport =>
      async ({ method, url, headers, body }) => {
        const answer = await app.inject({
          method,
          url,
          headers: { ...headers, [INTERNAL_HEADER]: secret },
          ...(body === undefined ? {} : { payload: body }),
        })
        return { status: answer.statusCode, text: answer.body }
      },
  }
}
