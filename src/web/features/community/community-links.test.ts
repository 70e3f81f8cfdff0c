import { expect, test } from 'vitest'
import { communityLinks } from '#web/features/community/community-links.ts'

test('only the meeting places that are set are shown, the chat boxes in their order', () => {
  const { facebook, zalo } = communityLinks({
    zalo_box_link_3: 'https://zalo.example.com/3',
    group_link: 'https://facebook.example.com/g',
    zalo_box_link_7: 'https://zalo.example.com/7',
    zalo_box_link_1: 'https://zalo.example.com/1',
    zalo_box_link_8: 'https://zalo.example.com/8',
    fanpage_link: '',
  })
  expect(facebook.map(({ label }) => label)).toEqual(['Nhóm Facebook'])
  expect(zalo.map(({ label }) => label)).toEqual(['Box Zalo 1', 'Box Zalo 3', 'Box Zalo 7'])
})

test('no two meeting places read alike', () => {
  const boxes = Array.from({ length: 5 }, (_, index) => [
    `zalo_box_link_${index + 1}`,
    `https://zalo.example.com/${index}`,
  ])
  const { zalo } = communityLinks(Object.fromEntries(boxes))
  expect(new Set(zalo.map(({ label }) => label)).size).toBe(5)
  expect(zalo.filter(({ note }) => note !== undefined)).toEqual([])
})

test('a setting that is no web address never becomes a link', () => {
  expect(communityLinks({ fanpage_link: 'javascript:alert(1)', group_link: 'facebook' })).toEqual({
    facebook: [],
    zalo: [],
  })
})
