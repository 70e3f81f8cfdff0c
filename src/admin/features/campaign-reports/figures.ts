import { comparisonText } from '#admin/kit/comparison.ts'
import { vnd } from '#admin/kit/format.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { formatNumber, vietnamDayOf } from '#contract/format.ts'
import type { CampaignKind, CampaignReport } from '#contract/operator/campaign-reports.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { reportCopy as copy } from './report.copy.ts'

/** A list that a figure counts, and who may see it. */
type List = readonly [permission: Permission, path: string]

export type Figure = { label: string; value: string; note?: string; list?: List }

export type Shown = { kind: CampaignKind; id: string; report: CampaignReport }

/** The campaign on the screen where it is planned. */
export function campaignOf({ kind, id }: Pick<Shown, 'kind' | 'id'>): List {
  if (kind === 'tournaments') return ['tournaments.read', `/tournaments/${id}`]
  if (kind === 'invitations') return ['ledger.read', '/invitations']
  return ['settings.prices', `/${kind}?id=${id}`]
}

const daysOf = ({ starts_at, ends_at }: CampaignReport) => ({
  from: vietnamDayOf(Date.parse(starts_at)),
  to: vietnamDayOf(Date.parse(ends_at)),
})

const ledger = (report: CampaignReport, kind: string): List => {
  const { from } = daysOf(report)
  const to = vietnamDayOf(Date.parse(report.counted_until))
  return ['ledger.read', `/ledger-transfers?kind=${kind}&from=${from}&to=${to}`]
}

const GIVEN: Partial<Record<CampaignKind, string>> = {
  promotions: 'bonus',
  'gift-codes': 'gift_code',
  invitations: 'invitation',
}

const HELD: Partial<Record<CampaignKind, string>> = {
  promotions: 'bonus_hold',
  'gift-codes': 'gift_code_hold',
}

/** Who took part, where there is a list of those. */
function takenPart({ kind, id, report }: Shown): List {
  const { from, to } = daysOf(report)
  return {
    promotions: ['recharge-orders.read', `/recharge-orders?promotion_id=${id}&status=paid`] as const,
    'gift-codes': ['settings.prices', `/gift-code-uses?batch_id=${id}`] as const,
    milestones: ['bank-transfers.read', `/bank-transfers?state=credited&from=${from}&to=${to}`] as const,
    invitations: ['users.read', `/users?created_from=${from}&created_to=${to}`] as const,
    tournaments: campaignOf({ kind, id }),
  }[kind]
}

/** What it cost. Figures that a kind cannot have are left out. */
export function costFigures({ kind, id, report }: Shown): Figure[] {
  const { given, taken_back, held, goods, goods_waiting, fees, fees_back, cost_vnd } = report
  const figures: Figure[] = []
  const givenBy = GIVEN[kind]
  const heldBy = HELD[kind]
  if (givenBy !== undefined) {
    figures.push({ label: copy.given, value: formatNumber(given), list: ledger(report, givenBy) })
    if (taken_back > 0)
      figures.push({
        label: copy.takenBack,
        value: formatNumber(taken_back),
        list: ledger(report, 'reversal'),
      })
  }
  if (heldBy !== undefined)
    figures.push({ label: copy.held, value: formatNumber(held), list: ledger(report, heldBy) })
  if (kind === 'gift-codes' || kind === 'milestones') {
    const { from, to } = daysOf(report)
    figures.push({
      label: copy.goods,
      value: goodsInWords(goods) || copy.none,
      list:
        kind === 'gift-codes'
          ? ['settings.prices', `/gift-code-uses?batch_id=${id}`]
          : ['deliveries.read', `/deliveries?state=delivered&from=${from}&to=${to}`],
    })
    if (goods_waiting.length > 0)
      figures.push({
        label: copy.goodsWaiting,
        value: goodsInWords(goods_waiting),
        list: ['deliveries.read', '/deliveries?open=true'],
      })
  }
  if (kind === 'tournaments') {
    const list = campaignOf({ kind, id })
    figures.push({ label: copy.fees, value: copy.luong(formatNumber(fees)), list })
    figures.push({ label: copy.feesBack, value: copy.luong(formatNumber(fees_back)), list })
  } else {
    figures.push({ label: copy.worth, value: vnd(cost_vnd), note: copy.worthNote })
  }
  return figures
}

/** What was recharged, beside the time before. */
export function moneyFigures(shown: Shown): Figure[] {
  const { report } = shown
  const { from, to } = daysOf(report)
  const recharges: List = ['bank-transfers.read', `/bank-transfers?state=credited&from=${from}&to=${to}`]
  const { brought, brought_back, recharged, recharged_before, all_recharged, all_recharged_before } = report
  return [
    {
      label: copy.brought,
      value: vnd(brought - brought_back),
      note: copy.broughtNote,
      list: shown.kind === 'promotions' ? takenPart(shown) : recharges,
    },
    { label: copy.broughtBack, value: vnd(brought_back), list: ledger(report, 'reversal') },
    {
      label: copy.recharged,
      value: vnd(recharged),
      note: comparisonText(recharged, recharged_before),
      list: ledger(report, 'recharge'),
    },
    {
      label: copy.allRecharged,
      value: vnd(all_recharged),
      note: comparisonText(all_recharged, all_recharged_before),
      list: recharges,
    },
  ]
}

/** Who came. */
export function peopleFigures(shown: Shown): Figure[] {
  const { report } = shown
  const { from, to } = daysOf(report)
  const recharges = ledger(report, 'recharge')
  return [
    { label: copy.players, value: formatNumber(report.players), list: takenPart(shown) },
    {
      label: copy.newPlayers,
      value: formatNumber(report.new_players),
      note: copy.newPlayersNote,
      list: ['users.read', `/users?created_from=${from}&created_to=${to}`],
    },
    {
      label: copy.firstPayers,
      value: formatNumber(report.first_payers),
      note: copy.firstPayersNote,
      list: recharges,
    },
    {
      label: copy.returned,
      value: formatNumber(report.returned),
      note: copy.returnedNote,
      list: recharges,
    },
    {
      label: copy.payers,
      value: formatNumber(report.payers),
      note: copy.payersNote,
      list: recharges,
    },
    {
      label: copy.payersBefore,
      value: formatNumber(report.payers_before),
      note: copy.payersBeforeNote,
    },
    {
      label: copy.payersAfter,
      value: formatNumber(report.payers_after),
      note: copy.payersAfterNote,
      list: recharges,
    },
  ]
}
