export const attemptCopy = {
  interrupted:
    'Mất kết nối. Đơn của bạn an toàn: trang đang hỏi lại máy chủ, và dù gửi lại mấy lần cũng chỉ tính một lần.',
  resuming: 'Đang hỏi lại máy chủ về giao dịch vừa bị ngắt…',
  notDone: 'Giao dịch vừa bị ngắt chưa được thực hiện.',
} as const
