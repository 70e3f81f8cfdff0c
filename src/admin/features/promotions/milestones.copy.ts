export const milestonesCopy = {
  intro:
    'Quà theo tổng tiền nạp của mỗi người trong một thời gian. Mỗi lúc chỉ một chương trình chạy. Khoản nạp bị thu hồi làm tiến độ lùi lại, quà đã nhận thì không bị lấy lại.',
  empty: 'Chưa có chương trình nào.',
  title: 'Tên chương trình',
  time: 'Thời gian nạp',
  claimsUntil: 'Nhận quà đến',
  steps: 'Các mốc',
  step: ({ at, goods, claims }: { at: string; goods: string; claims: string }) =>
    `${at} VND: ${goods} (${claims} lượt nhận)`,
  stepsHint:
    'Mỗi dòng một mốc, tăng dần, ví dụ “100,000: 500 lượng + 2,000 yên + 1 thu-cung 7 ngày” (vật phẩm viết bằng mã của game).',
  stepsWrong: 'Mỗi dòng cần dạng “100,000: 500 lượng”, ít nhất một dòng',
  plan: 'Lập mốc nạp',
  planText: 'Chương trình chưa tặng gì cho đến khi được chạy. Điều khoản đã lập thì không sửa được.',
  claimsUntilField: 'Nhận quà đến (giờ Việt Nam)',
  claimsUntilHint: 'Bỏ trống thì bằng giờ kết thúc.',
  startOf: (title: string) => `Chạy mốc nạp: ${title}`,
  startText: 'Chương trình chạy sau khi người thứ hai duyệt, trong thời gian đã định.',
  stopOf: (title: string) => `Dừng mốc nạp: ${title}`,
  stopText: 'Không ai nhận được quà nữa, kể cả mốc đã đạt. Quà đã nhận thì vẫn được giao.',
} as const
