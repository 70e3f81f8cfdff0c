import { expect, test } from 'vitest'
import { type PageName, pages } from './pages.ts'
import { shareNameOf, shareSubjectOf } from './share-pictures.ts'

const PORTAL = { kind: 'site' }
const titled = (page: PageName) => ({ kind: 'page', title: pages[page].title })

test.each<[PageName, object]>([
  ['home', PORTAL],
  ['post', { kind: 'post', id: '7' }],
  ['category', { kind: 'category', id: '7' }],
  ['olderPosts', { kind: 'page', title: 'Bài cũ hơn' }],
  ['olderInCategory', { kind: 'older', id: '7' }],
  ['search', PORTAL],
  ['community', { kind: 'page', title: 'Box Zalo' }],
  ['download', { kind: 'page', title: 'Tải game' }],
  ['iosGuide', { kind: 'page', title: 'Cài game trên iPhone, iPad' }],
  ['tournaments', { kind: 'page', title: 'Giải đấu' }],
  ['tournament', { kind: 'tournament', id: '7' }],
  ['gemCalculator', { kind: 'page', title: 'Tính nâng ngọc' }],
  ['terms', titled('terms')],
  ['privacy', titled('privacy')],
  ['refunds', titled('refunds')],
  ['exchange', titled('exchange')],
  ['sandbox', PORTAL],
  ['ranking', PORTAL],
  ['password', PORTAL],
  ['notFound', PORTAL],
])('the share picture of the page “%s” shows %o', (page, subject) => {
  expect(shareSubjectOf(shareNameOf(page, { id: '7', before: '9' }))).toEqual(subject)
})

test('names that no page has name no picture', () => {
  const others = [
    'page-home',
    'page-sandbox',
    'page-ranking',
    'page-search',
    'page-notFound',
    'page-toString',
  ]
  const rows = ['post-0', 'post-x', 'category-', 'tournament-07', 'player-7', `post-${'9'.repeat(19)}`]
  for (const name of [
    ...others,
    ...rows,
    '',
    'site-1',
    'page-',
    'page-Tải game',
    'page-terms-2',
    'post-1.jpg',
  ])
    expect(shareSubjectOf(name), name).toBeUndefined()
})
