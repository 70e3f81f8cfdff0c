import type { Locator, Page } from '@playwright/test'
import { answering, changing, gameLimits, type PageState, statesAt } from './page-state.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click()
const inFold = (name: string) => async (page: Page) => {
  await page.locator('summary', { hasText: 'Dữ liệu cá nhân' }).click()
  await press(name)(page)
}

const verified = answering('**/api/one-time-password/verify', 200, { verified: true })

/** Answers for a user with the given verified contacts, and for codes that are always correct. */
const contacts = (proved: object) => async (page: Page) => {
  await changing('**/api/auth/verify', (known) => ({
    ...known,
    email: 'h***@example.com',
    phone: '091****601',
    ...proved,
  }))(page)
  await verified(page)
  await answering('**/api/email/send-otp', 200, { message: 'Đã gửi mã OTP', notify: true })(page)
}

const allProved = contacts({ email_verified: true, phone_verified: true })
const nothingProved = contacts({ email_verified: false, phone_verified: false })

async function requestCode(within: Locator): Promise<void> {
  await within.getByRole('textbox', { name: /^Số điện thoại/ }).fill('0912345601')
  await within.getByRole('button', { name: 'Lấy mã qua SMS' }).click()
}

async function typeCode(within: Locator): Promise<void> {
  await within.getByLabel('Mã OTP').fill('123456')
}

const byPhone = async (page: Page) => page.getByRole('tab', { name: 'Điện thoại' }).click()

async function askInGame(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Trong game' }).click()
  await dialog(page).getByLabel('Tên đăng nhập').fill('hoangtuan')
  await press('Hiện mã trong game')(page)
}

const forgotten: PageState[] = [
  {
    name: 'login-throttled',
    route: '/login',
    modal: 'login',
    arrange: answering('**/api/auth/login', 429, {
      code: 'RATE_LIMITED',
      message:
        'Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút. Bạn có thể vào ngay bằng mục Quên mật khẩu, với mã OTP qua SMS hoặc email',
      requestId: 'thu-1',
    }),
    prepare: async (page) => {
      await dialog(page).getByLabel('Tên đăng nhập').fill('hoangtuan')
      await dialog(page).getByLabel('Mật khẩu', { exact: true }).fill('khong-phai')
      await dialog(page).getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    },
    sees: 'Vào bằng mã SMS',
  },
  ...statesAt({ route: '/forgot' })({
    forgot: { modal: 'forgot', sees: 'Gửi liên kết' },
    'forgot-phone-missing': {
      modal: 'forgot',
      prepare: async (page) => {
        await byPhone(page)
        await press('Lấy mã qua SMS')(page)
      },
      sees: 'Vui lòng nhập số điện thoại',
    },
    'forgot-phone-sent': {
      modal: 'forgot',
      prepare: async (page) => {
        await byPhone(page)
        await requestCode(dialog(page))
      },
      sees: 'Soạn tin',
    },
    'forgot-phone-proved': {
      modal: 'forgot',
      arrange: verified,
      prepare: async (page) => {
        await byPhone(page)
        await requestCode(dialog(page))
        await typeCode(dialog(page))
      },
      sees: 'Nhập lại mật khẩu mới',
    },
    'forgot-game': {
      modal: 'forgot',
      prepare: async (page) => page.getByRole('tab', { name: 'Trong game' }).click(),
      sees: 'Hiện mã trong game',
    },
    // The game of the demo shows no sentences.
    'forgot-game-none': { modal: 'forgot', prepare: askInGame, sees: 'Game chưa cho xem mã được lúc này' },
    'forgot-game-asked': {
      modal: 'forgot',
      arrange: answering('**/api/password/request-game-code', 200, { message: 'Mã sẽ hiện trong game.' }),
      prepare: askInGame,
      sees: 'Nhập lại mật khẩu mới',
    },
  }),
  ...statesAt({ route: '/password/:token?' })({
    'reset-password': {
      path: '/password/mot-ma',
      modal: 'reset-password',
      arrange: answering('**/api/password/check-link', 200, { is_valid: true }),
      sees: 'Nhập lại mật khẩu mới',
    },
    'reset-password-refused': { path: '/password', modal: 'reset-password', sees: 'Yêu cầu không hợp lệ' },
  }),
]

const atProfile = { route: '/user/profile', player: 'hoangtuan' }

/** Codes like the server's, which sometimes look like words. */
async function knownSecret(page: Page): Promise<void> {
  const secret = '7K2M5XQ4T6RF2Z5P7K2M5XQ4T6RF2Z5P'
  const json = { secret, uri: `otpauth://totp/Tinh%20Hoa%20Ninja:hoangtuan?secret=${secret}` }
  await page.route('**/api/user/second-factor', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ json }) : route.fallback(),
  )
}

const consent = (id: string, subject: string, source: string) => ({
  id,
  subject,
  version: 1,
  given: true,
  source,
  at: '2026-11-20T08:00:00.000Z',
})

const SIGN_INS = ['succeeded', 'wrong-password', 'wrong-second-factor'].map((outcome, index) => ({
  id: String(index + 1),
  at: '2026-11-20T08:00:00.000Z',
  device: 'Chrome trên Android',
  place: 'Việt Nam',
  outcome,
  is_new_device: index === 0,
}))

/** A request to erase the account, as it stands. */
function deletion(state: 'waiting' | 'approved' | 'refused', sees: string): PageState {
  const request = {
    id: '7',
    state,
    asked_at: '2026-11-20T08:00:00.000Z',
    due_at: '2026-12-10T08:00:00.000Z',
    given_up: 12_500,
    message: state === 'refused' ? 'Tài khoản đang có khiếu nại, bạn gửi lại sau nhé.' : null,
    ended_at: state === 'refused' ? '2026-11-21T08:00:00.000Z' : null,
  }
  const arrange = answering('**/api/user/deletion-request', 200, { days: 20, request })
  return { name: `deletion-${state}`, ...atProfile, arrange, sees }
}

const safety: PageState[] = [
  ...statesAt(atProfile)({
    'profile-operator-without-factor': {
      arrange: contacts({ role_names: ['owner'], email: null }),
      sees: 'phải bật xác thực hai lớp',
    },
    'download-data': { prepare: inFold('Tải dữ liệu của tôi'), sees: 'năm lần' },
    'ask-deletion': { prepare: inFold('Yêu cầu xóa tài khoản'), sees: 'Được giữ lại' },
  }),
  deletion('waiting', 'trả lời chậm nhất'),
  deletion('approved', 'Tài khoản sắp được xóa'),
  deletion('refused', 'Từ chối lúc'),
  ...statesAt(atProfile)({
    'change-password-game-limits': {
      arrange: gameLimits,
      prepare: press('Đổi mật khẩu'),
      sees: 'Từ 8 đến 16 ký tự',
    },
    'change-password': { prepare: press('Đổi mật khẩu'), sees: 'Mật khẩu hiện tại' },
    'verify-email': {
      arrange: nothingProved,
      prepare: async (page) => {
        await press('Xác thực email')(page)
        await dialog(page).getByRole('button', { name: 'Gửi mã' }).click()
      },
      sees: 'Gửi lại (',
    },
    'change-email': {
      arrange: allProved,
      prepare: async (page) => {
        await press('Đổi email')(page)
        await typeCode(dialog(page))
      },
      sees: 'Bước 2: Email mới',
    },
    'change-phone': {
      arrange: allProved,
      prepare: async (page) => {
        await press('Đổi số')(page)
        await requestCode(dialog(page))
        await typeCode(dialog(page))
      },
      sees: 'Bước 2: Số điện thoại mới',
    },
    'second-factor': {
      arrange: knownSecret,
      prepare: async (page) => {
        await press('Bật xác thực hai lớp')(page)
        await page.getByRole('img', { name: /^Mã QR/ }).waitFor()
      },
      sees: 'Khóa để nhập vào ứng dụng',
    },
    'second-factor-off': {
      arrange: answering('**/api/user/second-factor', 200, { is_on: true, recovery_codes_left: 9 }),
      prepare: press('Tắt xác thực hai lớp'),
      sees: 'Mã trong ứng dụng hoặc mã khôi phục',
    },
    'recovery-codes': {
      arrange: answering('**/api/user/second-factor/confirm', 200, {
        recovery_codes: Array.from({ length: 10 }, (_, index) => `7K2M9-XQ4T${index}`),
      }),
      prepare: async (page) => {
        await press('Bật xác thực hai lớp')(page)
        await page.getByRole('img', { name: /^Mã QR/ }).waitFor()
        await dialog(page).getByLabel('Mã 6 số').fill('123456')
        await dialog(page).getByRole('button', { name: 'Bật xác thực' }).click()
      },
      sees: 'Tôi đã lưu mã',
    },
  }),
  ...statesAt({ route: '/user/invitations', player: 'hoangtuan' })({
    invitations: {
      arrange: answering('**/api/invitations', 200, {
        link: 'https://cong.example/register?referral_id=hoangtuan',
        invited: [
          { name: 'lin***', state: 'granted', reward: 5_000 },
          { name: 'bao***', state: 'waiting', reward: null },
          { name: 'kie***', state: 'activated', reward: null },
          { name: 'son***', state: 'registered', reward: null },
          { name: 'ngu***', state: 'refused', reward: null },
        ],
        rewards_left: 9,
        terms: { inviter_coins: 5_000, invited_coins: 5_000, recharge_min: 50_000, per_month: 10 },
      }),
      sees: 'Tháng này bạn còn 9 phần thưởng.',
    },
    'invitations-off': { sees: 'Lúc này lời mời không có phần thưởng.' },
  }),
  {
    name: 'consents',
    route: '/user/consents',
    player: 'hoangtuan',
    arrange: answering('**/api/user/consents', 200, {
      subjects: [
        { subject: 'terms', current_version: 2, latest: consent('1', 'terms', 'registration') },
        { subject: 'privacy', current_version: 1, latest: consent('2', 'privacy', 'registration') },
        { subject: 'pixel', current_version: 1, latest: consent('3', 'pixel', 'pixel-question') },
      ],
      records: [
        consent('3', 'pixel', 'pixel-question'),
        consent('2', 'privacy', 'registration'),
        consent('1', 'terms', 'registration'),
      ],
    }),
    sees: 'Bạn chưa xác nhận bản này.',
  },
  ...(['/home', '/community', '/user/profile'] as const).map((route) => ({
    name: `ask-contact-${route.split('/').at(-1)}`,
    route,
    player: 'hoangtuan',
    arrange: nothingProved,
    sees: /^Xác thực số điện thoại hoặc email/,
  })),
  ...(['phone', 'email'] as const).map((channel) => ({
    name: `prove-${channel}-of-game`,
    ...atProfile,
    path: `/user/profile?prove=${channel}`,
    arrange: async (page: Page) => {
      await contacts({ email: null, phone: null, phone_verified: false })(page)
      await answering('**/api/user/contact-hints', 200, {
        phone: '0912345601',
        email: 'nguoichoi.ngay.xua.rat.dai@truonglang.example',
      })(page)
    },
    sees: /lấy từ tài khoản game của bạn/,
  })),
  {
    name: 'ask-contact-newcomer',
    route: '/home',
    player: 'thuylinh',
    sees: /^Xác thực số điện thoại hoặc email/,
  },
  {
    name: 'text-notice',
    route: '/community',
    player: 'hoangtuan',
    arrange: changing('**/api/auth/verify', (known) => ({
      ...known,
      unread_texts: [
        { kind: 'terms', version: 2 },
        { kind: 'privacy', version: 3 },
      ],
    })),
    sees: 'Mời bạn đọc và xác nhận',
  },
  {
    name: 'sign-ins',
    route: '/user/sign-ins',
    player: 'hoangtuan',
    arrange: answering(/\/api\/auth\/sign-ins/, 200, {
      data: SIGN_INS,
      payload: { pagination: { page: 1, items_per_page: 20, total: 44, last_page: 3 } },
    }),
    sees: 'Sai mã hai lớp',
  },
]

async function sendMuch(page: Page): Promise<void> {
  await page.getByLabel('Tên đăng nhập người nhận').fill('minhchau')
  await page.getByLabel('Số TCoin').fill('3000000')
  await press('Tiếp tục')(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
}

const codeState = (proved: object) => async (page: Page) => {
  await contacts({ balance: 9_000_000, ...proved })(page)
  await answering('**/api/user/transfer', 422, { code: 'OTP_REQUIRED', message: '', requestId: 'thu-1' })(
    page,
  )
}

const largeTransfers: PageState[] = [
  ...statesAt({ route: '/user/transfer', player: 'hoangtuan' })({
    'transfer-code': {
      arrange: codeState({ phone_verified: true }),
      prepare: async (page) => {
        await sendMuch(page)
        await requestCode(page.getByRole('region', { name: 'Xác thực để chuyển' }))
      },
      sees: 'Soạn tin',
    },
    'transfer-no-phone': {
      arrange: codeState({ phone_verified: false }),
      prepare: sendMuch,
      sees: 'Bạn chưa xác thực số điện thoại',
    },
  }),
]

export const accountStates: PageState[] = [...forgotten, ...safety, ...largeTransfers]
