import { showToast } from '#client/toasts.tsx'
import { announce } from '#web/parts/outcomes/announce.ts'
import type { Keeping } from '#web/session/token.ts'

const texts: Record<Exclude<Keeping, 'browser'>, string> = {
  tab: 'Bộ nhớ của trình duyệt đã đầy nên phiên đăng nhập chỉ giữ được trong thẻ này: đóng thẻ là bạn phải đăng nhập lại.',
  document:
    'Trình duyệt không cho lưu dữ liệu của trang. Bạn dùng được ngay bây giờ, nhưng tải lại hoặc đóng trang là phải đăng nhập lại, và trang không nhớ nhân vật hay cách nạp bạn chọn.',
}

const LOST = 'Trình duyệt không cho lưu phiên đăng nhập, nên tải lại trang là bạn phải đăng nhập lại'

/** After the reload. A page of players opens the login over everything but this. */
export const tellLost = (): void => showToast(LOST, { isFailure: true })

/** Tells a player what the browser does not keep of their session. */
export const tellKeeping = (what: keyof typeof texts): void =>
  announce({ kind: 'warning', lines: [texts[what]] })
