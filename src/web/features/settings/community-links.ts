import type { PublicSettings } from '#contract/settings.ts'

export type CommunityLink = { label: string; note: string; href: string }

const BOX_COUNT = 7

/** The meeting places that are set up: the fan page, the group, and the chat boxes in their order. */
export function communityLinks(settings: PublicSettings): CommunityLink[] {
  const links = [
    { label: 'Fanpage', note: 'Tin nhanh và quà tặng trên Facebook', href: settings.fanpage_link },
    { label: 'Nhóm Facebook', note: 'Hỏi đáp, khoe đồ, tìm đồng đội', href: settings.group_link },
    ...Array.from({ length: BOX_COUNT }, (_, index) => ({
      label: `Box Zalo ${index + 1}`,
      note: 'Trò chuyện cùng người chơi trong nhóm Zalo',
      href: settings[`zalo_box_link_${index + 1}`],
    })),
  ]
  return links.filter((link): link is CommunityLink => isWebAddress(link.href))
}

/** Settings are written by people: only a plain web address becomes a link. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[^\s]+$/i.test(text)
}
