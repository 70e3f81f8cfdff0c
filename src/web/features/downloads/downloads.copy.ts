import type { Device, DownloadKey } from '#contract/downloads.ts'

export const deviceNames: Record<Device, string> = {
  android: 'Android',
  ios: 'iPhone, iPad',
  pc: 'Máy tính',
  java: 'Điện thoại Java',
}

export const versionNames: Record<DownloadKey, string> = {
  android_auto: 'Android',
  ios: 'iOS',
  ios_auto: 'iOS có auto',
  pc: 'PC',
  pc_auto: 'PC có auto',
  java_148_x1: 'Java 1.4.8 (X1)',
  java_148_x3: 'Java 1.4.8 (X3)',
  java_148_x6: 'Java 1.4.8 (X6)',
  java_211_x1: 'Java 2.1.1 (X1)',
  java_e71: 'Java E71',
  java_e72: 'Java E72',
}

export const downloadsCopy = {
  title: 'Tải game',
  description: 'Tải game cho Android, iPhone, máy tính và điện thoại Java.',
  suited: 'Phiên bản phù hợp với thiết bị bạn đang dùng.',
  all: 'Tất cả phiên bản của game.',
  showAll: 'Xem tất cả phiên bản',
  showSuited: 'Chỉ xem phiên bản phù hợp',
  noneForDevice: 'Chưa có phiên bản cho thiết bị này.',
  noneForDeviceMore: 'Bạn có thể xem tất cả phiên bản ở nút phía trên.',
  none: 'Chưa có phiên bản nào để tải.',
  noneMore: 'Bạn quay lại sau nhé!',
  download: (version: string) => `Tải bản ${version}`,
  version: 'Phiên bản',
  size: 'Dung lượng',
  fingerprint: 'Mã kiểm tra SHA-256',
  scanTitle: 'Chơi trên điện thoại',
  scan: 'Mở máy ảnh của điện thoại và quét mã để tải về máy.',
  qrAlt: (version: string) => `Mã QR để tải bản ${version} bằng điện thoại`,
  iosGuide: 'Xem hướng dẫn cài trên iPhone',
} as const

export const iosGuideCopy = {
  title: 'Cài game trên iPhone, iPad',
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
