import { Refusal } from '#server/platform/http/refusal.ts'

export const lastOwner = () =>
  new Refusal('CONFLICT', {
    message: 'Đây là chủ sở hữu duy nhất. Hãy giao vai trò này cho người khác trước',
  })

export const inviteOver = () =>
  new Refusal('CONFLICT', { message: 'Lời mời này đã được dùng, đã thu hồi hoặc đã hết hạn' })

export const inviteInvalid = () =>
  new Refusal('TOKEN_INVALID', {
    message: 'Lời mời không đúng, đã được dùng hoặc đã quá 48 giờ. Hãy xin một lời mời mới',
  })
