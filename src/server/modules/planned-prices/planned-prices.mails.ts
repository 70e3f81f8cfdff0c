import { settingDefinitions, settingText } from '#contract/operator/settings.ts'
import { formatMoment } from '#contract/format.ts'
import type { Mail } from '#server/modules/mail/index.ts'
import type { StoredPlan } from './planned-prices.queries.ts'

type Receiver = { username: string; email: string }

/** To those who may change prices: a plan did not do what it was to do, and the price is as somebody left it. */
export function notDoneMail(
  { username, email }: Receiver,
  plan: StoredPlan,
  state: 'not-applied' | 'not-returned',
): Mail {
  const { label } = settingDefinitions[plan.setting]
  const [before, after] = [settingText(plan.setting, plan.before), settingText(plan.setting, plan.after)]
  return {
    kind: 'planned-price',
    to: email,
    subject: `Lịch đổi giá không thực hiện được: ${label}`,
    username,
    paragraphs: [
      state === 'not-applied'
        ? `Giá “${label}” không được đổi từ ${before} thành ${after} lúc ${formatMoment(plan.starts_at)}: trước giờ đó giá đã được đổi thành giá trị khác, hoặc thời gian đã hẹn đã qua hết.`
        : `Giá “${label}” không được đưa từ ${after} về ${before} lúc ${formatMoment(plan.ends_at ?? '')}: trong thời gian đã hẹn giá đã được đổi thành giá trị khác.`,
      'Giá hiện tại được giữ nguyên. Hãy xem lại mục Cài đặt, phần Giá và hạn mức.',
    ],
    closing: [],
  }
}
