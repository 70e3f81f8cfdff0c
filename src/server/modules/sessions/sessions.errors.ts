import { banEnd } from '#contract/users.ts'
import { conflict, Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'

/** Every well-formed attempt counts, since a refused one reveals whether a name or phone is taken. */
export const REGISTRATIONS_PER_ADDRESS = sharedLimit('registrations', 30, 3_600)

// Wrong logins: those that turn out right are given back.
export const LOGINS_PER_ACCOUNT_AND_ADDRESS = sharedLimit('login-pair', 10, 300)
/** Over all addresses. */
export const LOGINS_PER_ACCOUNT = sharedLimit('login-account', 50, 3_600)
/** Over all accounts that there are: carriers put thousands of players behind one address. */
export const LOGINS_PER_ADDRESS = sharedLimit('login-address', 200, 600)
/**
 * Over all names that nobody has: these guess no password, so beyond them a right password still opens, and every wrong one,
 * of whatever name, is answered alike.
 */
export const UNKNOWN_NAMES_PER_ADDRESS = sharedLimit('login-address-unknown', 200, 600)
/** A device the account knows has this for itself, whatever goes on elsewhere. */
export const LOGINS_PER_KNOWN_DEVICE = sharedLimit('login-device', 10, 300)

// These refuse no login: at each multiple the log raises an alarm.
export const WRONG_LOGINS_OF_ONE_ADDRESS = sharedLimit('login-alarm-address', 100, 600)
export const WRONG_LOGINS_OF_ALL = sharedLimit('login-alarm-all', 500, 600)

/** The same for an unknown name and a wrong password, so that it does not reveal who has an account. */
export const invalidCredentials = () => new Refusal('INVALID_CREDENTIALS')

export const unauthenticated = () => new Refusal('UNAUTHENTICATED')

/** Others may have caused it: a reset proves the player by another way, and signs them in. */
export const tooManyLogins = (retryAfterSeconds: number | undefined) =>
  new Refusal('RATE_LIMITED', {
    message:
      'Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút. Bạn có thể vào ngay bằng mục Quên mật khẩu, với mã OTP qua SMS hoặc email',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

export const signInBanned = ({ until, reason }: { until: Date; reason: string | null }) =>
  new Refusal('BANNED', {
    message: `Tài khoản bị khóa đăng nhập ${banEnd(until.toISOString())}${reason ? `, lý do: ${reason}` : ''}`,
  })

export const operatorNotProved = () =>
  new Refusal('SECOND_FACTOR_REQUIRED', {
    message: 'Người vận hành cần xác thực hai lớp: hãy bật trong mục Hồ sơ ở trang người chơi',
  })

export const operatorPasswordShort = () =>
  conflict(
    'Mật khẩu của người vận hành phải có ít nhất 12 ký tự. Hãy đổi mật khẩu trong mục Hồ sơ ở trang người chơi',
  )

export const notAnOperator = () => conflict('Tài khoản này không có quyền vào trang vận hành')
