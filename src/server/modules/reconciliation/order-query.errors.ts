import { Refusal } from '#server/platform/http/refusal.ts'

export const nobodyToAsk = () =>
  new Refusal('CONFLICT', {
    message:
      'Không nhà cung cấp nào giữ đơn này: tiền đến thẳng tài khoản ngân hàng. Xem Hộp tiền vào, hoặc đọc lại sao kê ở Chốt ngày.',
  })

export const askedJustNow = () =>
  new Refusal('CONFLICT', { message: 'Nhà cung cấp vừa được hỏi về đơn này. Vui lòng thử lại sau 5 giây.' })
