import type { ComponentType } from 'react'
import type { WaitingKind } from '#contract/operator/alarms.ts'
import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'

export type Screen = {
  path: string
  title: string
  /** Without one of these the screen is not offered, and every call it makes is refused. */
  permission: Permission | readonly Permission[] | null
  /** In which group of the menu it is listed; none: it is reached from another screen. */
  group?: keyof typeof groups
  /** Of what it lists, how much waits is shown in the menu. */
  waits?: WaitingKind
  /** `g`, then this letter, opens it. */
  letter?: string
  load: () => Promise<{ Component: ComponentType }>
}

export const groups = {
  work: 'Hằng ngày',
  money: 'Tiền',
  players: 'Người chơi',
  content: 'Nội dung',
  operation: 'Vận hành',
} as const

/** Every screen of the console: routes, menu and keyboard follow from it. */
export const screens = {
  overview: {
    path: '/',
    title: 'Tổng quan',
    permission: null,
    group: 'work',
    letter: 'o',
    load: () => import('#admin/features/overview/overview.page.tsx'),
  },
  users: {
    path: '/users',
    title: 'Người chơi',
    permission: 'users.read',
    group: 'players',
    letter: 'u',
    load: () => import('#admin/features/users/users.page.tsx'),
  },
  user: {
    path: '/users/:id',
    title: 'Người chơi',
    permission: 'users.read',
    load: () => import('#admin/features/users/user.page.tsx'),
  },
  rechargeOrders: {
    path: '/recharge-orders',
    title: 'Đơn nạp',
    permission: 'recharge-orders.read',
    group: 'money',
    letter: 'd',
    load: () => import('#admin/features/recharge-orders/orders.page.tsx'),
  },
  rechargeOrder: {
    path: '/recharge-orders/:code',
    title: 'Đơn nạp',
    permission: 'recharge-orders.read',
    load: () => import('#admin/features/recharge-orders/order.page.tsx'),
  },
  bankTransfers: {
    path: '/bank-transfers',
    title: 'Hộp tiền vào',
    permission: 'bank-transfers.read',
    group: 'money',
    letter: 'h',
    waits: 'bank-transfers',
    load: () => import('#admin/features/bank-inbox/inbox.page.tsx'),
  },
  bankTransfer: {
    path: '/bank-transfers/:id',
    title: 'Khoản chuyển',
    permission: 'bank-transfers.read',
    load: () => import('#admin/features/bank-inbox/transfer.page.tsx'),
  },
  paymentEvents: {
    path: '/payment-events',
    title: 'Thông báo treo',
    permission: 'bank-transfers.read',
    group: 'money',
    letter: 't',
    load: () => import('#admin/features/payment-events/events.page.tsx'),
  },
  paymentEvent: {
    path: '/payment-events/:id',
    title: 'Thông báo',
    permission: 'bank-transfers.read',
    load: () => import('#admin/features/payment-events/event.page.tsx'),
  },
  gatewayRefunds: {
    path: '/gateway-refunds',
    title: 'Hoàn qua MoMo',
    permission: 'bank-transfers.read',
    group: 'money',
    letter: 'f',
    load: () => import('#admin/features/gateway-refunds/refunds.page.tsx'),
  },
  rechargeClaims: {
    path: '/recharge-claims',
    title: 'Yêu cầu kiểm tra',
    permission: 'bank-transfers.read',
    group: 'money',
    letter: 'y',
    load: () => import('#admin/features/recharge-claims/claims.page.tsx'),
  },
  rechargeClaim: {
    path: '/recharge-claims/:id',
    title: 'Yêu cầu kiểm tra',
    permission: 'bank-transfers.read',
    load: () => import('#admin/features/recharge-claims/claim.page.tsx'),
  },
  deliveries: {
    path: '/deliveries',
    title: 'Giao hàng',
    permission: 'deliveries.read',
    group: 'money',
    letter: 'g',
    waits: 'deliveries',
    load: () => import('#admin/features/deliveries/deliveries.page.tsx'),
  },
  delivery: {
    path: '/deliveries/:id',
    title: 'Lượt giao',
    permission: 'deliveries.read',
    load: () => import('#admin/features/deliveries/delivery.page.tsx'),
  },
  ledgerTransfers: {
    path: '/ledger-transfers',
    title: 'Sổ cái',
    permission: 'ledger.read',
    group: 'money',
    letter: 'l',
    load: () => import('#admin/features/ledger/ledger.page.tsx'),
  },
  ledgerTransfer: {
    path: '/ledger-transfers/:id',
    title: 'Dòng sổ cái',
    permission: 'ledger.read',
    load: () => import('#admin/features/ledger/transfer.page.tsx'),
  },
  dailyCloses: {
    path: '/daily-closes',
    title: 'Chốt ngày',
    permission: 'bank-transfers.read',
    group: 'money',
    letter: 'c',
    load: () => import('#admin/features/daily-closes/closes.page.tsx'),
  },
  downloads: {
    path: '/downloads',
    title: 'Tải game',
    permission: 'settings.content',
    group: 'content',
    load: () => import('#admin/features/settings/downloads.page.tsx'),
  },
  dailyClose: {
    path: '/daily-closes/:id',
    title: 'Chốt ngày',
    permission: 'bank-transfers.read',
    load: () => import('#admin/features/daily-closes/close.page.tsx'),
  },
  reconciliation: {
    path: '/reconciliation',
    title: 'Đối soát sổ sách',
    permission: 'ledger.read',
    group: 'money',
    letter: 'q',
    load: () => import('#admin/features/reconciliation/reconciliation.page.tsx'),
  },
  settings: {
    path: '/settings',
    title: 'Cài đặt',
    permission: 'settings.read',
    group: 'operation',
    letter: 's',
    load: () => import('#admin/features/settings/settings.page.tsx'),
  },
  settingsOfSection: {
    path: '/settings/:section',
    title: 'Cài đặt',
    permission: 'settings.read',
    load: () => import('#admin/features/settings/settings.page.tsx'),
  },
  proposals: {
    path: '/proposals',
    title: 'Đề xuất',
    permission: Object.values(PROPOSAL_PERMISSIONS),
    group: 'work',
    letter: 'x',
    waits: 'proposals',
    load: () => import('#admin/features/proposals/proposals.page.tsx'),
  },
  maintenance: {
    path: '/maintenance',
    title: 'Bảo trì',
    permission: 'maintenance.write',
    group: 'operation',
    letter: 'b',
    load: () => import('#admin/features/maintenance/maintenance.page.tsx'),
  },
  staff: {
    path: '/staff',
    title: 'Ban vận hành',
    permission: 'staff.manage',
    group: 'operation',
    letter: 'v',
    load: () => import('#admin/features/staff/staff.page.tsx'),
  },
  servers: {
    path: '/servers',
    title: 'Máy chủ',
    permission: 'servers.write',
    group: 'operation',
    letter: 'm',
    load: () => import('#admin/features/servers/servers.page.tsx'),
  },
  groups: {
    path: '/groups',
    title: 'Nhóm xếp hạng',
    permission: 'groups.write',
    group: 'content',
    letter: 'r',
    load: () => import('#admin/features/groups/groups.page.tsx'),
  },
  audit: {
    path: '/audit',
    title: 'Nhật ký vận hành',
    permission: 'audit.read',
    group: 'operation',
    letter: 'n',
    load: () => import('#admin/features/audit/audit.page.tsx'),
  },
  tournaments: {
    path: '/tournaments',
    title: 'Giải đấu',
    permission: 'tournaments.read',
    group: 'content',
    letter: 'i',
    load: () => import('#admin/features/tournaments/tournaments.page.tsx'),
  },
  tournament: {
    path: '/tournaments/:id',
    title: 'Giải đấu',
    permission: 'tournaments.read',
    load: () => import('#admin/features/tournaments/tournament.page.tsx'),
  },
  posts: {
    path: '/posts',
    title: 'Bài viết',
    permission: 'posts.read',
    group: 'content',
    letter: 'p',
    load: () => import('#admin/features/posts/posts.page.tsx'),
  },
  post: {
    path: '/posts/:id',
    title: 'Bài viết',
    permission: 'posts.write',
    load: () => import('#admin/features/posts/post.page.tsx'),
  },
  legalTexts: {
    path: '/legal',
    title: 'Văn bản pháp lý',
    permission: 'legal.write',
    group: 'content',
    letter: 'k',
    load: () => import('#admin/features/posts/legal/legal-texts.page.tsx'),
  },
  legalText: {
    path: '/legal/:kind',
    title: 'Văn bản pháp lý',
    permission: 'legal.write',
    load: () => import('#admin/features/posts/legal/legal-text.page.tsx'),
  },
  pictures: {
    path: '/pictures',
    title: 'Ảnh',
    permission: 'posts.read',
    group: 'content',
    letter: 'a',
    load: () => import('#admin/features/posts/pictures/pictures.page.tsx'),
  },
  categories: {
    path: '/categories',
    title: 'Chuyên mục',
    permission: 'categories.read',
    group: 'content',
    letter: 'e',
    load: () => import('#admin/features/categories/categories.page.tsx'),
  },
} satisfies Record<string, Screen>
