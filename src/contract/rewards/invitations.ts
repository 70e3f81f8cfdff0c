import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownName } from '../shown-name.ts'

/** How long a first recharge has to stand before an invitation is rewarded. */
export const INVITATION_HOURS = 72

/** So many are listed, the newest. */
export const INVITED_LISTED_MAX = 100

export const INVITED_STATES = ['registered', 'activated', 'waiting', 'granted', 'refused'] as const

export const getInvitations = endpoint('GET', '/invitations', 'user', {
  summary: `The link by which the player invites others, what that is worth, and the newest ${INVITED_LISTED_MAX} who registered by it, their names masked.`,
  answer: z.object({
    link: z.string(),
    invited: z.array(
      z.object({
        name: shownName,
        state: z.enum(INVITED_STATES),
        /** TCoin that the inviter was given; null before. */
        reward: z.nullable(z.number()),
      }),
    ),
    /** How many more are rewarded this month; 0 where invitations are not. */
    rewards_left: z.number(),
    /** Null while invitations are not rewarded. */
    terms: z.nullable(
      z.object({
        inviter_coins: z.number(),
        invited_coins: z.number(),
        /** VND. */
        recharge_min: z.number(),
        per_month: z.number(),
      }),
    ),
  }),
})

type Terms = { inviter_coins: number; invited_coins: number; recharge_min: number; per_month: number }

const grouped = (value: number) => value.toLocaleString('en')

/** What inviting is worth, with every condition. */
export const invitationSentence = ({
  inviter_coins,
  invited_coins,
  recharge_min,
  per_month,
}: Terms): string =>
  `Bạn được ${grouped(inviter_coins)} TCoin và bạn của bạn được ${grouped(invited_coins)} TCoin khi người đó kích hoạt tài khoản, ` +
  `nạp lần đầu từ ${grouped(recharge_min)} VND và khoản nạp đã qua ${INVITATION_HOURS} giờ mà không bị thu hồi. ` +
  `Tối đa ${grouped(per_month)} người mỗi tháng. Tài khoản dùng chung thiết bị, mạng, tài khoản ngân hàng hoặc nhân vật không được tính ngay mà chờ đội vận hành xem lại.`
