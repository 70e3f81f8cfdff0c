/** The texts about one-time codes. */
export const otpCopy = {
  label: 'Mã OTP',
  placeholder: '6 chữ số',
  send: 'Gửi mã',
  /** Nothing is sent to the player: they send a message themselves. */
  getBySms: 'Lấy mã qua SMS',
  sendAgain: 'Gửi lại mã',
  sendAgainIn: (seconds: number) => `Gửi lại (${seconds}s)`,
  checking: 'Đang xác thực...',
  verified: 'Đã xác thực!',
  phone: 'Số điện thoại',
  phoneMissing: 'Vui lòng nhập số điện thoại',
  phoneDiffers: (masked: string) => `Số này không khớp với số ${masked} của bạn`,
  otherPhone: 'Đổi số',
  smsWrite: 'Soạn tin',
  smsTo: 'gửi đến',
  smsFrom: (phone: string) => `từ số ${phone}. Mã OTP sẽ đến trong tin nhắn trả lời.`,
  smsPrice: (price: string) => `Cước ${price}đ một tin với Viettel; nhà mạng khác có thể tính khác.`,
  smsAge: 'Nhập mã trong 5 phút kể từ lúc nhận.',
  smsOpen: 'Mở tin nhắn soạn sẵn',
  emailMissing: 'Vui lòng nhập email',
  emailSent: (email: string) => `Mã đã gửi đến ${email}. Không thấy thư? Xem cả mục thư rác.`,
} as const
