import * as z from 'zod/mini'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import type { OperatorSetting, operatorSettings } from '#contract/operator/setting-calls.ts'
import {
  changeFactor,
  isGuardedSetting,
  settingDefinitions,
  type SettingKey,
} from '#contract/operator/settings.ts'
import { readCalendar } from '#contract/operator/rewards/goods.ts'
import { actAsOperator, whyAboveAct } from '#server/modules/audit/index.ts'
import { contentChanges } from '#server/domain/content.ts'
import {
  amountOf,
  codesOf,
  findCatalogue,
  whyNotPlanned,
  whyNotPromised,
} from '#server/domain/goods-catalogue.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertPermitted, type UserCall } from '#server/platform/http/api.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'
import { linkFault } from './links.service.ts'
import { lockSettings, selectSettings, upsertSetting } from './settings.queries.ts'
import { type Proposed, settingTerms } from './setting-terms.rules.ts'
import {
  describeSetting,
  isSettingKey,
  newestOf,
  settingText,
  settingValues,
  type SettingValues,
} from './settings.rules.ts'
import { readValues } from './settings.service.ts'

const mixedSections = () =>
  invalidField('values', 'Mỗi lần chỉ thay đổi cài đặt của một mục, hãy lưu từng mục')

const staleSettings = (settings: readonly OperatorSetting[]) =>
  conflict('Người khác vừa thay đổi cài đặt này. Hãy xem giá trị hiện tại rồi lưu lại', { settings })

type Change = { subject: string; before: string; after: string; factor?: number | undefined }

export type SettingsDeps = PlatformDeps & {
  publicUrl: string
  /** Stores a change for a second person, with those that are made together with it; null when the caller may make it alone. */
  proposeChange(
    tx: Tx,
    change: Change & { parts: readonly Change[]; reason: string },
    by: { operatorId: string; requestId: string },
  ): Promise<OperatorProposal | null>
}

type Call = UserCall<typeof operatorSettings.update>
type Answer = AnswerOf<typeof operatorSettings.update>

/**
 * Sets values of one section after their keys' own rules, all or none, or proposes those of the guarded sections to a
 * second person. A call of several sections is refused: one part of it could be done while another waits.
 */
export async function changeSettings(deps: SettingsDeps, call: Call): Promise<Answer> {
  const { body } = call
  const sections = new Set(
    Object.keys(body.values).flatMap((key) => (isSettingKey(key) ? [settingDefinitions[key].section] : [])),
  )
  for (const one of sections) assertPermitted(call, `settings.${one}`)
  const values = readValues(body.values)
  if (sections.size > 1) throw mixedSections()
  const isGuarded = Object.keys(body.values).some(isGuardedSetting)
  return actAsOperator<Answer>(deps, call, {
    action: 'settings.update',
    async work(tx) {
      const changes = await changesIn(tx, values, body.updated_at)
      await assertLinks(deps, tx, changes)
      for (const { key, after } of changes) {
        const why = await whyGoodsRefused(tx, key, after)
        if (why !== null) throw new Refusal('VALIDATION', { message: why, errors: { [key]: [why] } })
      }
      const proposals = isGuarded ? await proposeEach(deps, tx, { changes, call }) : []
      const waiting = new Set(proposals.flatMap((one) => [one, ...one.parts]).map(({ subject }) => subject))
      const done = changes.filter(({ key }) => !waiting.has(key))
      for (const { key, after } of done) await storeSetting(tx, key, after)
      return {
        answer: proposals.length > 0 ? { proposals } : { settings: await describe(tx, [...values.keys()]) },
        audit: done.map(({ key, before, after }) => ({
          subject: { type: 'setting', id: key },
          details: { before, after },
        })),
      }
    },
  })
}

/** Why the goods of the daily check-in may not be set, or promised to players; null of other settings. */
async function whyGoodsRefused(tx: Tx, key: SettingKey, after: string): Promise<string | null> {
  if (!CHECK_IN_KEYS.has(key) || (key === 'check_in_enabled' && after !== '1')) return null
  const present = settingValues(await selectSettings(tx))
  const calendar = (key === 'check_in_goods' ? readCalendar(after) : present.checkInGoods) ?? []
  const players = key === 'check_in_players' ? Number(after) : present.checkInPlayers
  const catalogue = await findCatalogue(tx, calendar.flatMap(codesOf))
  // What a day promises is one act.
  for (const goods of calendar) {
    const why = whyAboveAct(amountOf(catalogue, [{ goods, times: players }]), present.goodsLimits)
    if (why !== null) return why
  }
  return key === 'check_in_enabled' || present.isCheckInEnabled
    ? whyNotPromised(tx, calendar)
    : whyNotPlanned(tx, calendar)
}

const CHECK_IN_KEYS: ReadonlySet<SettingKey> = new Set([
  'check_in_goods',
  'check_in_enabled',
  'check_in_players',
])

type KeyChange = { key: SettingKey; before: string; after: string }

/** Refuses what was changed by others since it was read; a value that is set already is no change. */
async function changesIn(
  tx: Tx,
  values: ReadonlyMap<SettingKey, string>,
  updatedAt: string | null,
): Promise<KeyChange[]> {
  await lockSettings(tx)
  const stored = await selectSettings(tx)
  const keys = [...values.keys()]
  if (newestOf(stored, keys) !== (updatedAt === null ? null : Date.parse(updatedAt)))
    throw staleSettings(keys.map((key) => describeSetting(key, stored)))
  return keys
    .map((key) => ({ key, before: settingText(stored, key), after: values.get(key) as string }))
    .filter(({ before, after }) => before !== after)
}

/** Links lead to hosts that are allowed now, whatever else is proposed in the same call. */
async function assertLinks(
  { publicUrl }: SettingsDeps,
  tx: Tx,
  changes: readonly KeyChange[],
): Promise<void> {
  const stored = await selectSettings(tx)
  for (const { key, after: value } of changes) {
    const fault = linkFault(stored, { key, value }, publicUrl)
    if (fault !== null) throw invalidField(key, fault)
  }
}

async function proposeEach(
  { proposeChange }: SettingsDeps,
  tx: Tx,
  { changes, call: { body, identity, request } }: { changes: readonly KeyChange[]; call: Call },
): Promise<OperatorProposal[]> {
  const by = { operatorId: identity.userId, requestId: request.id }
  const proposals: OperatorProposal[] = []
  for (const together of Map.groupBy(changes, ({ key }) => settingGroup(key)).values()) {
    const [change, ...parts] = together.map(({ key, before, after }): Change => {
      const factor = changeFactor(key, before, after) ?? undefined
      return { subject: key, before, after, factor }
    }) as [Change, ...Change[]]
    const proposal = await proposeChange(tx, { ...change, parts, reason: body.reason }, by)
    if (proposal !== null) proposals.push(proposal)
  }
  return proposals
}

/** What means nothing alone is proposed as one: the terms of the reward for invitations. */
const settingGroup = (key: SettingKey): string => (key.startsWith('invitation_') ? 'invitation' : key)

async function describe(tx: Tx, keys: readonly SettingKey[]): Promise<OperatorSetting[]> {
  const stored = await selectSettings(tx)
  return keys.map((key) => describeSetting(key, stored))
}

async function storeSetting(tx: Tx, key: SettingKey, value: string): Promise<void> {
  await upsertSetting(tx, key, value)
  await contentChanges(tx, 'settings')
}

/** The present text of a setting; until the transaction ends no setting changes. */
export async function lockSettingText(tx: Tx, key: SettingKey): Promise<string> {
  await lockSettings(tx)
  return settingText(await selectSettings(tx), key)
}

export const titleOfSetting = (key: string): string =>
  isSettingKey(key) ? settingDefinitions[key].label : key

/** The current values. */
export async function readSettingTexts(db: Db, keys: readonly string[]): Promise<Map<string, string | null>> {
  const stored = await selectSettings(db)
  return new Map(keys.map((key) => [key, isSettingKey(key) ? settingText(stored, key) : null]))
}

/** Sets a value that was agreed to; false when it has changed since then, or its rule no longer takes the new one. */
export async function applySetting(tx: Tx, { subject, before, after }: Change): Promise<boolean> {
  if (!isSettingKey(subject)) return false
  const present = await lockSettingText(tx, subject)
  if (present !== before || !z.safeParse(settingDefinitions[subject].schema, after).success) return false
  const why = await whyGoodsRefused(tx, subject, after)
  if (why !== null) throw conflict(why)
  await storeSetting(tx, subject, after)
  return true
}

/** What a proposal of another value is decided by, and how it is done. */
export const settingProposals = (publicUrl: string) => ({
  titleOf: titleOfSetting,
  readMany: readSettingTexts,
  termsOf: (_db: Db | Tx, changes: readonly Proposed[], settings: SettingValues) =>
    Promise.resolve(changes.map((change) => settingTerms(change, settings))),
  /** False also when a link leads to a host that is not allowed any more. */
  async apply(tx: Tx, change: Omit<Change, 'reason'>): Promise<boolean> {
    const { subject: key, after: value } = change
    if (!isSettingKey(key)) return false
    await lockSettings(tx)
    if (linkFault(await selectSettings(tx), { key, value }, publicUrl) !== null) return false
    return applySetting(tx, change)
  },
})
