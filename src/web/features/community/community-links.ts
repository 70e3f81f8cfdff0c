import type { PublicSettings } from '#contract/settings.ts'
import { communityCopy as copy } from '#web/features/community/community.copy.ts'
import { isWebAddress } from '#web/parts/settings/settings.ts'

export type CommunityLink = { label: string; note?: string; href: string }

const BOX_COUNT = 7

const onlySet = (links: { label: string; note?: string; href: string | undefined }[]) =>
  links.filter((link): link is CommunityLink => isWebAddress(link.href))

/** The links that are set: the fan page and the group, and the chat boxes in their order. */
export function communityLinks(settings: PublicSettings): {
  facebook: CommunityLink[]
  zalo: CommunityLink[]
} {
  return {
    facebook: onlySet([
      { label: copy.fanpage, note: copy.fanpageNote, href: settings.fanpage_link },
      { label: copy.group, note: copy.groupNote, href: settings.group_link },
    ]),
    zalo: onlySet(
      Array.from({ length: BOX_COUNT }, (_, index) => ({
        label: copy.box(index + 1),
        href: settings[`zalo_box_link_${index + 1}`],
      })),
    ),
  }
}
