export const iosGuideCopy = {
  description: 'Bốn bước cài game trên iPhone và iPad: mở Safari, tải game, tin cậy nhà phát triển, mở game.',
  intro: 'Chỉ cần bốn bước, khoảng ba phút. Hãy kết nối Wi-Fi trước khi tải.',
  steps: [
    {
      picture: 'safari',
      title: 'Mở trang này bằng Safari',
      text: 'iPhone chỉ cho cài game từ Safari. Nếu bạn đang xem trong Zalo hoặc Facebook, hãy chạm vào nút chia sẻ rồi chọn mở bằng Safari.',
    },
    {
      picture: 'install',
      title: 'Tải và cài đặt',
      text: 'Chạm vào nút tải bên dưới, chọn “Cài đặt” khi máy hỏi rồi về màn hình chính chờ biểu tượng game hiện đủ màu.',
    },
    {
      picture: 'trust',
      title: 'Tin cậy nhà phát triển',
      text: 'Vào Cài đặt › Cài đặt chung › VPN & Quản lý thiết bị, chọn nhà phát triển của game rồi chạm “Tin cậy”.',
    },
    {
      picture: 'play',
      title: 'Mở game và đăng nhập',
      text: 'Mở game từ màn hình chính, đăng nhập bằng tài khoản của bạn trên trang này và vào làng.',
    },
  ],
  step: (number: number) => `Bước ${number}`,
  back: 'Tất cả phiên bản',
  notReady: 'Bản iOS chưa có đường dẫn tải. Bạn quay lại sau nhé!',
} as const
