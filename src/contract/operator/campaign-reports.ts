import * as z from 'zod/mini'
import { goodSchema } from '../deliveries.ts'
import { endpoint } from '../endpoint.ts'
import { moment } from '../fields.ts'
import { shownName } from '../shown-name.ts'
import { permitted } from './roles.ts'
import { STATISTICS_PERIODS } from './statistics.ts'

/** What campaigns there are reports of, by the address of their list. */
export const CAMPAIGN_KINDS = [
  'promotions',
  'gift-codes',
  'milestones',
  'invitations',
  'tournaments',
] as const

export type CampaignKind = (typeof CAMPAIGN_KINDS)[number]

/** A recharge counts for a code that its player used within so many days before. */
export const CODE_DAYS = 7
/** And for an invitation when the invited player registered within so many days before. */
export const INVITED_DAYS = 30
/** Who had recharged before a campaign but not in so many days has come back; and for so many days after it players are followed. */
export const RETURN_DAYS = 30

const params = z.object({
  kind: z.enum(CAMPAIGN_KINDS, 'Loại chiến dịch không hợp lệ'),
  id: z.string().check(z.regex(/^(?:[1-9]\d{0,17}|20\d\d-(?:0[1-9]|1[0-2]))$/, 'Mã không hợp lệ')),
})

const reportSchema = z.object({
  /** Everything until this moment is counted. */
  counted_until: moment,
  /** When it ran, as far as it is counted; the time before is as long and ends where this begins. */
  starts_at: moment,
  ends_at: moment,
  /** TCoin that players were given, that were taken back from them, and that are held for them. */
  given: z.number(),
  taken_back: z.number(),
  held: z.number(),
  /** Goods that the game has taken in, and those on their way there. */
  goods: z.array(goodSchema),
  goods_waiting: z.array(goodSchema),
  /** Luong taken from characters as fees, and given back. */
  fees: z.number(),
  fees_back: z.number(),
  /** VND that the TCoin and luong given are worth at today's prices; other goods have no price. */
  cost_vnd: z.number(),
  /** VND of the recharges that it brought, and what of those was reversed. */
  brought: z.number(),
  brought_back: z.number(),
  /** VND that its players recharged while it ran and in the time before, without what was reversed. */
  recharged: z.number(),
  recharged_before: z.number(),
  /** The same of all players; null where the portal was not there for all of the time before. */
  all_recharged: z.number(),
  all_recharged_before: z.nullable(z.number()),
  /** Who took part. Of these: */
  players: z.number(),
  /** who registered while it ran, */
  new_players: z.number(),
  /** who recharged for the first time while it ran, */
  first_payers: z.number(),
  /** who had recharged before it, but not in the 30 days before it, */
  returned: z.number(),
  /** who made the recharges that it brought, who had recharged in the time before, and who recharged in the 30 days after it. */
  payers: z.number(),
  payers_before: z.number(),
  payers_after: z.number(),
  /** How many took part for the first time, VND brought without what was reversed, and TCoin given, by days, weeks or months. */
  by: z.enum(STATISTICS_PERIODS),
  rows: z.array(z.object({ start: moment, players: z.number(), brought: z.number(), given: z.number() })),
})

export type CampaignReport = z.output<typeof reportSchema>

export const campaignReportSchema = z.object({
  kind: z.enum(CAMPAIGN_KINDS),
  id: z.string(),
  /** Null for invitations, whose campaign is a month. */
  title: z.nullable(shownName),
  /** When it was to run. */
  starts_at: moment,
  ends_at: z.nullable(moment),
  /** Null where it never ran, has not begun, or was not counted yet. */
  report: z.nullable(reportSchema),
})

export const operatorCampaignReports = {
  read: endpoint('GET', '/operator/campaign-reports/{kind}/{id}', permitted('statistics.read'), {
    summary:
      'What a promotion, a batch of gift codes, a programme of milestones, the invitations of a month (`2026-11`) or a tournament cost and brought, beside as long a time before it. It is counted each hour until 31 days after its end.',
    params,
    answer: campaignReportSchema,
    errors: ['NOT_FOUND'],
  }),
}
