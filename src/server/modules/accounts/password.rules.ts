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

/** libuv's default number of threads. */
const THREADS_BY_DEFAULT = 4
/** Left to files and compression, which share the threads with the hashes. */
const THREADS_FOR_OTHERS = 2

/** How many passwords may be hashed at once: one core and two threads are left to everything else. */
export function hashesAtOnce(cores: number, threads = THREADS_BY_DEFAULT): number {
  return Math.max(1, Math.min(cores - 1, threads - THREADS_FOR_OTHERS))
}
