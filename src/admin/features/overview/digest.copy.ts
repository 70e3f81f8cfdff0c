export const digestCopy = {
  title: 'Việc của ban vận hành',
  days: ['Hôm nay', 'Hôm qua'],
  nothing: 'Không ai cộng, điều chỉnh, hoàn tiền, đổi giá, tài khoản nhận, hạn mức hay vai trò.',
  system: 'Hệ thống',
} as const
