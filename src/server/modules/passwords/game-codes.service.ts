import { randomUUID } from 'node:crypto'
import { hasProvedContact, type Contacts } from '#server/modules/accounts/index.ts'
import { showsNotices, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { CODE_AGE_MINUTES_MAX, makeCode } from '#server/modules/otp/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

type GameCodeDeps = Pick<PlatformDeps, 'db' | 'vault' | 'clock' | 'log'> & { game: GameBridge }

/**
 * Has the game show a new code to whoever plays an account that has no other way back. An account with a proved phone or
 * address gets none: entering the game must not be enough to take it. Throws when the game does not answer.
 */
export async function sendGameCode(
  { db, vault, clock, log, game }: GameCodeDeps,
  account: Contacts,
): Promise<void> {
  if (hasProvedContact(account) || game.showNotice === undefined || !(await showsNotices(db))) return
  const { userId, username } = account
  const code = await makeCode(vault, db, { channel: 'game', account: username })
  await game.showNotice({
    id: randomUUID(),
    account: username.toLowerCase(),
    text: `Mã đặt lại mật khẩu trên trang web: ${code}, dùng trong ${CODE_AGE_MINUTES_MAX} phút. Không đưa mã cho ai, kể cả người tự xưng là ban quản trị.`,
    expiresAt: new Date(clock.now().getTime() + CODE_AGE_MINUTES_MAX * 60_000),
  })
  log.info({ event: 'password.game-code-sent', userId }, 'a code was given to the game')
}
