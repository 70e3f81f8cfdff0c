import { formatNumber } from '#contract/format.ts'
import { COSTS_NOTHING, type ProposalTerms } from '#contract/operator/proposal-terms.ts'
import { readCalendar } from '#contract/operator/rewards/goods.ts'
import {
  coinsWorth,
  type GoodsPrices,
  goodsWorth,
  luongWorth,
  pricesInWords,
  sumOfGoods,
} from '#contract/operator/rewards/goods-worth.ts'
import { settingDefinitions, type SettingKey, settingText as textOf } from '#contract/operator/settings.ts'
import { goodsPrices, isSettingKey, type SettingValues } from './settings.rules.ts'

export type Proposed = { subject: string; payload: { before: string; after: string } }

/** What a change of a setting does, and the most that it can cost. */
export function settingTerms({ subject, payload }: Proposed, settings: SettingValues): ProposalTerms {
  const { before, after } = payload
  if (!isSettingKey(subject)) return { lines: [{ label: subject, before, after }], worst: COSTS_NOTHING }
  const { label } = settingDefinitions[subject]
  return {
    lines: [{ label, before: textOf(subject, before), after: textOf(subject, after) }],
    worst: worstOf(subject, after, settings),
  }
}

/** What a million TCoin or đ would bring: a price has no other bound than what players pay. */
const SAMPLE = 1_000_000

/** `after` is the text of the setting that would be in force. */
function worstOf(key: SettingKey, after: string, settings: SettingValues): string {
  const prices = goodsPrices(settings)
  const number = Number(after)
  if (settingDefinitions[key].kind === 'on-off' && after === '0') return COSTS_NOTHING
  switch (key) {
    case 'exchange_rate':
      return perSample(number, settings.exchangeBonusPercent)
    case 'exchange_bonus':
      return perSample(settings.exchangeRate, number)
    case 'recharge_rate':
      return `Không có mức trần: mỗi ${formatNumber(SAMPLE)} đ nạp vào thành ${formatNumber(SAMPLE * number)} TCoin`
    case 'active_fee':
      return `Không có mức trần: mỗi người chơi kích hoạt chỉ trả ${coinsWorth(number, prices)}`
    case 'manual_credit_limit':
      return `Một người vận hành một mình cộng được ${coinsWorth(number, prices)} mỗi 24 giờ`
    case 'agreed_adjustment_limit':
      return `Hai người cùng duyệt cộng được ${coinsWorth(number, prices)} mỗi 24 giờ`
    case 'goods_act_luong':
    case 'goods_alone_luong':
    case 'goods_operator_luong':
    case 'goods_day_luong':
    case 'goods_budget_luong':
      return `${settingDefinitions[key].label}: ${luongWorth(BigInt(number), prices)}`
    case 'goods_act_loads':
    case 'goods_alone_loads':
    case 'goods_operator_loads':
    case 'goods_day_loads':
    case 'goods_budget_loads':
      return `${settingDefinitions[key].label}: ${formatNumber(number)} lần mức tối đa mà game nhận của mỗi món`
    case 'check_in_goods':
    case 'check_in_enabled':
    case 'check_in_players':
      return checkInWorst({
        calendar: key === 'check_in_goods' ? readCalendar(after) : settings.checkInGoods,
        players: key === 'check_in_players' ? number : settings.checkInPlayers,
        prices,
      })
    case 'invitation_enabled':
    case 'invitation_inviter':
    case 'invitation_invited':
    case 'invitation_per_month':
    case 'invitation_recharge':
    case 'invitation_budget':
      return invitationWorst(key, number, settings)
    default:
      return settingDefinitions[key].kind === 'bank-account'
        ? 'Mọi khoản nạp qua kênh này được chuyển tới tài khoản mới'
        : COSTS_NOTHING
  }
}

const perSample = (rate: number, bonusPercent: number): string => {
  const luong = Math.floor(((SAMPLE / 100) * rate * (100 + bonusPercent)) / 100)
  return `Không có mức trần: mỗi ${formatNumber(SAMPLE)} TCoin đổi được ${formatNumber(luong)} lượng, kể cả khuyến mãi ${bonusPercent}%`
}

type CheckIns = { calendar: SettingValues['checkInGoods']; players: number; prices: GoodsPrices }

/** A month of 31 days on which as many players as may check in. */
function checkInWorst({ calendar, players, prices }: CheckIns): string {
  if (calendar === null) return COSTS_NOTHING
  const month = sumOfGoods(calendar.map((goods) => ({ goods, times: players })))
  return `Mỗi tháng: ${goodsWorth(month, prices)} (${pricesInWords(prices)})`
}

function invitationWorst(key: SettingKey, number: number, settings: SettingValues): string {
  const { invitation } = settings
  const inviter = key === 'invitation_inviter' ? number : invitation.inviterCoins
  const invited = key === 'invitation_invited' ? number : invitation.invitedCoins
  const perMonth = key === 'invitation_per_month' ? number : invitation.perMonth
  const worth = coinsWorth(BigInt(inviter + invited) * BigInt(perMonth), goodsPrices(settings))
  return `Mỗi người mời và bạn của họ: ${worth} mỗi tháng; tất cả cộng lại không quá số còn trong ngân sách của lời mời`
}
