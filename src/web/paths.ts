/** Every address of the portal. Links and redirects take theirs from here. */
export const paths = {
  root: '/',
  home: '/home',
  notFound: '/404',
  login: '/login',
  register: '/register',
  community: '/community',
  download: '/download',
  recharge: '/recharge',
  order: (code: string) => `/recharge/${code}`,
  sandbox: '/sandbox',
  exchange: '/exchange',
  profile: '/user/profile',
  transactions: '/user/transactions',
  transfer: '/user/transfer',
  post: (id: string) => `/post/${id}`,
  category: (id: string) => `/category/${id}`,
} as const
