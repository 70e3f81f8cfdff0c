import { Refusal } from '#server/platform/http/refusal.ts'

export const noListToRead = () =>
  new Refusal('CONFLICT', {
    message:
      'Chưa nối với sao kê của nhà cung cấp nào. Đặt SEPAY_API_TOKEN hoặc CASSO_API_TOKEN rồi thử lại.',
  })

export const bankIsSlow = () =>
  new Refusal('CONFLICT', {
    message:
      'Nhà cung cấp trả lời chậm. Sao kê vẫn đang được đọc, và ngày này được chốt lại trong ít phút nữa.',
  })
