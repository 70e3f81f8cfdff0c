import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { RechargeClaim } from '#contract/recharge-claims.ts'
import { answering, main, silence, statesAt, type PageState } from './page-state.ts'

const claimPage = { route: '/recharge/claim', player: 'hoangtuan' } as const

const claim = (change: Partial<RechargeClaim>): RechargeClaim => ({
  id: '12',
  amount: 50_000,
  paid_at: '2026-11-20T08:10:00.000Z',
  bank_reference: 'FT26325123456',
  note: null,
  has_picture: true,
  status: 'open',
  message: null,
  case_id: '31',
  created_at: '2026-11-20T08:25:00.000Z',
  answered_at: null,
  ...change,
})

const answered = { answered_at: '2026-11-20T09:00:00.000Z' }

const claims = [
  claim({ id: '14' }),
  claim({
    ...answered,
    id: '13',
    amount: 200_000,
    status: 'settled',
    note: 'Chuyển từ MB Bank, nội dung bị ngân hàng cắt mất mã đơn',
    message: 'Đã tìm thấy khoản chuyển và cộng 200,000 TCoin vào ví của bạn.',
  }),
  claim({
    ...answered,
    status: 'rejected',
    bank_reference: null,
    has_picture: false,
    message:
      'Chưa thấy khoản này trong sao kê. Bạn kiểm tra lại số tài khoản nhận trên biên lai giúp mình nhé.',
  }),
]

async function fillIn(page: Page): Promise<void> {
  await main(page).getByLabel('Số tiền đã chuyển (VND)').fill('50000')
  await main(page)
    .getByLabel(/^Mã giao dịch/)
    .fill('FT26325123456')
  const buffer = await sharp({ create: { width: 360, height: 640, channels: 3, background: '#2e7d32' } })
    .png()
    .toBuffer()
  await main(page)
    .getByLabel(/^Ảnh biên lai/)
    .setInputFiles({ name: 'bien-lai-chuyen-khoan-2026-11-20.png', mimeType: 'image/png', buffer })
  await main(page).getByRole('img', { name: 'Ảnh bạn đã chọn' }).waitFor()
}

async function send(page: Page): Promise<void> {
  await fillIn(page)
  await main(page).getByRole('button', { name: 'Gửi yêu cầu' }).click()
}

const sending = /\/api\/recharge\/claims$/

export const claimStates: PageState[] = [
  ...statesAt(claimPage)({
    claim: { sees: 'Bạn chưa gửi yêu cầu nào.' },
    'claim-errors': {
      prepare: (page) => main(page).getByRole('button', { name: 'Gửi yêu cầu' }).click(),
      sees: 'Vui lòng nhập số tiền',
    },
    'claim-filled': { prepare: fillIn, sees: /^bien-lai-chuyen-khoan/ },
    'claim-field-errors': {
      arrange: answering(sending, 422, {
        code: 'VALIDATION',
        message: 'Thời gian chuyển khoản chưa tới',
        errors: {
          paid_at: ['Thời gian chuyển khoản chưa tới'],
          picture: ['Không đọc được ảnh này, vui lòng chụp lại hoặc chọn ảnh khác'],
        },
        requestId: 'thu-1',
      }),
      prepare: send,
      sees: 'Thời gian chuyển khoản chưa tới',
    },
    'claim-limit': {
      arrange: answering(sending, 422, {
        code: 'LIMIT_EXCEEDED',
        message: 'Bạn đang có 3 yêu cầu chờ kiểm tra, vui lòng đợi đội vận hành trả lời',
        report: true,
        requestId: 'thu-1',
      }),
      prepare: send,
      sees: /^Bạn đang có 3 yêu cầu chờ kiểm tra/,
    },
    'claim-sent': {
      arrange: async (page) => {
        await answering(/\/api\/recharge\/claims\?/, 200, listed(claims.slice(0, 1)))(page)
        await answering(sending, 201, { id: '14', status: 'open' })(page)
      },
      prepare: send,
      sees: 'Đã gửi yêu cầu số 14',
    },
    'claim-answers': {
      arrange: answering(/\/api\/recharge\/claims\?/, 200, listed(claims)),
      sees: /^Đội vận hành:/,
    },
    'claim-failed': { arrange: silence, sees: 'Thử lại' },
  }),
]

function listed(data: RechargeClaim[]): object {
  return { data, payload: { pagination: { page: 1, items_per_page: 10, total: 21, last_page: 3 } } }
}
