type Judged = { username: string; password: string }

/**
 * Why a new password is refused, as a sentence for the player; null when it is fine. Compared without case, since
 * guessers try `Password` right after `password`; what is stored and checked at login stays exact.
 */
export function passwordFault({ username, password }: Judged, common: ReadonlySet<string>): string | null {
  const folded = password.toLowerCase()
  if (folded === username.toLowerCase()) return 'Mật khẩu không được trùng với tên đăng nhập'
  if (common.has(folded)) return 'Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác'
  return null
}

const OPERATOR_PASSWORD_LENGTH_MIN = 12

export const isLongPassword = (password: string): boolean => password.length >= OPERATOR_PASSWORD_LENGTH_MIN

/** Why an operator's new password is refused, beyond what holds for every player's; null when it is fine. */
export function operatorPasswordFault(password: string): string | null {
  return isLongPassword(password)
    ? null
    : `Mật khẩu của người vận hành phải có ít nhất ${OPERATOR_PASSWORD_LENGTH_MIN} kí tự`
}
