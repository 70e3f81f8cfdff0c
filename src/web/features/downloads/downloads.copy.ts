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
  description: 'Tải game cho Android, iPhone, máy tính và điện thoại Java.',
  suited: 'Phiên bản phù hợp với thiết bị bạn đang dùng.',
  all: 'Tất cả phiên bản của game.',
  showAll: 'Xem tất cả phiên bản',
  showSuited: 'Chỉ xem phiên bản phù hợp',
  noneForDevice: 'Chưa có phiên bản cho thiết bị này.',
  noneForDeviceMore: 'Bạn có thể xem tất cả phiên bản ở nút phía trên.',
  inApp: (at: string) => `Bạn đang xem ${at}, nơi tệp tải về thường không mở được.`,
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
