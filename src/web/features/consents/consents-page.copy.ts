import type { Consent } from '#contract/legal.ts'

export const consentsPageCopy = {
  lead: 'Bạn đã đồng ý với bản nào, lúc nào, ở đâu. Những dòng này không ai sửa được.',
  pixel: 'Đo quảng cáo (Meta Pixel)',
  agreed: (version: number, moment: string) => `Đã đồng ý bản ${version} lúc ${moment}.`,
  current: (version: number) => `Bản đang áp dụng: bản ${version}. Bạn chưa xác nhận bản này.`,
  never: 'Bạn chưa được hỏi khi đăng nhập.',
  granted: (moment: string) => `Bạn đồng ý từ ${moment}.`,
  denied: (moment: string) =>
    `Bạn không đồng ý từ ${moment}. Công cụ đo không được tải trên thiết bị nào bạn đăng nhập.`,
  read: 'Đọc',
  agree: 'Đồng ý',
  withdraw: 'Rút lại sự đồng ý',
  history: 'Lịch sử',
  given: 'Đồng ý',
  refused: 'Không đồng ý',
  version: (version: number) => `bản ${version}`,
  sources: {
    registration: 'lúc đăng ký',
    notice: 'thông báo có bản mới',
    'consents-page': 'trang này',
    'pixel-question': 'câu hỏi về quảng cáo',
  } satisfies Record<Consent['source'], string>,
  toProfile: 'Về hồ sơ',
} as const
