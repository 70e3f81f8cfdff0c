import { Refusal } from '#server/platform/http/refusal.ts'

const WRONG = 'Mật khẩu hiện tại không chính xác'

export const wrongCurrentPassword = () =>
  new Refusal('INVALID_CREDENTIALS', { message: WRONG, errors: { current_password: [WRONG] } })
