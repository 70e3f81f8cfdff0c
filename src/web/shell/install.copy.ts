export const installCopy = {
  text: 'Đưa cổng ra màn hình chính, lần sau mở chỉ một chạm.',
  onIos: 'Trên iPhone: bấm nút Chia sẻ của Safari rồi chọn “Thêm vào MH chính”.',
  install: 'Cài đặt',
  later: 'Để sau',
} as const
