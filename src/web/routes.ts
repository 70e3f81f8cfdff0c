import { categoryPage } from '#web/features/posts/category.page.tsx'
import { homePage } from '#web/features/posts/home.page.tsx'
import { postPage } from '#web/features/posts/post.page.tsx'
import type { RouteEntry } from '#web/router.tsx'
import { guestDoor } from '#web/session/guest-door.tsx'
import { notFoundPage } from '#web/shell/not-found.tsx'
import { unknownPathPage } from '#web/shell/unknown-path.tsx'

/**
 * Every page of the portal. What a first visit may open comes with the first load; the rest is fetched when
 * it is wanted.
 */
export const routeTable: readonly RouteEntry[] = [
  { path: '/home', access: 'open', title: 'Trang chủ', page: homePage },
  { path: '/post/:id', access: 'open', title: 'Bài viết', page: postPage },
  { path: '/category/:id', access: 'open', title: 'Chuyên mục', page: categoryPage },
  {
    path: '/community',
    access: 'open',
    title: 'Cộng đồng',
    load: () => import('#web/features/settings/community.page.tsx').then((part) => part.communityPage),
  },
  {
    path: '/download',
    access: 'open',
    title: 'Tải game',
    load: () => import('#web/features/settings/download.page.tsx').then((part) => part.downloadPage),
  },

  { path: '/login', access: 'guest', title: 'Đăng nhập', page: guestDoor('login') },
  { path: '/register', access: 'guest', title: 'Đăng ký', page: guestDoor('register') },

  { path: '/404', access: 'open', title: 'Không tìm thấy trang', status: 404, page: notFoundPage },
  { path: '*', access: 'open', title: 'Không tìm thấy trang', status: 404, page: unknownPathPage },
]
