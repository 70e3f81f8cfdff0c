import { serverNow } from '#client/server-clock.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'
import { fieldOfMoment, momentOfField } from '#contract/format.ts'
import type { OperatorPost, OperatorPostDraft, operatorPosts } from '#contract/operator/posts.ts'
import { postsCopy } from './posts.copy.ts'

export type Show = 'hidden' | 'now' | 'scheduled'

/** A post's fields beside its text, as the screen holds them. */
export type PostValues = {
  title: string
  excerpt: string
  cover: string | null
  isNew: boolean
  isPinned: boolean
  categoryIds: readonly string[]
  show: Show
  /** Of a date field. */
  showAt: string
}

export function stateOf({ published, publish_at }: OperatorPost): 'hidden' | 'scheduled' | 'shown' {
  if (!published) return 'hidden'
  return Date.parse(publish_at) > serverNow() ? 'scheduled' : 'shown'
}

const SHOW = { hidden: 'hidden', scheduled: 'scheduled', shown: 'now' } as const

export function valuesOf(post: OperatorPost, draft: OperatorPostDraft | null): PostValues {
  const { title, excerpt, cover, pinned, category_ids } = draft ?? post
  const show = SHOW[stateOf(post)]
  const isScheduled = show === 'scheduled' || typeof draft?.publish_at === 'string'
  return {
    title,
    excerpt: excerpt ?? '',
    cover,
    isNew: (draft ?? post).new,
    isPinned: pinned,
    categoryIds: category_ids,
    show: isScheduled ? 'scheduled' : show,
    showAt: isScheduled ? fieldOfMoment(draft?.publish_at ?? post.publish_at) : '',
  }
}

function fieldsOf(values: PostValues) {
  const { title, excerpt, cover, isNew, isPinned, categoryIds, show, showAt } = values
  return {
    title,
    excerpt: excerpt.trim() === '' ? null : excerpt,
    cover,
    new: isNew,
    pinned: isPinned,
    category_ids: [...categoryIds],
    publish_at: show === 'scheduled' && showAt !== '' ? momentOfField(showAt) : null,
  }
}

/** The default reason: what saving means for players. */
export function usualReason(post: OperatorPost, { show }: PostValues): string {
  const { reasons } = postsCopy
  if (show === SHOW[stateOf(post)]) return reasons.change
  return reasons[show]
}

export type Written = { values: PostValues; content: string; updated_at: string }

export const draftBody = ({
  values,
  content,
  updated_at,
}: Written): BodyInputOf<typeof operatorPosts.saveDraft> => ({ ...fieldsOf(values), content, updated_at })

export const postBody = (
  { values, content, updated_at }: Written,
  reason: string,
): BodyInputOf<typeof operatorPosts.update> => ({
  ...fieldsOf(values),
  content,
  updated_at,
  reason,
  published: values.show !== 'hidden',
})
