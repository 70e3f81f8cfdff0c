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
