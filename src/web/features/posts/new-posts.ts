import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { PostSummary } from '#contract/posts.ts'
import { newPostsQuery } from '#web/features/posts/posts.api.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'

const KEY = 'last-home'

/** The newest post, and how many are newer than the last one that this browser has shown at an earlier visit. */
export function useNewPosts(): { newest: PostSummary | undefined; count: number } {
  const { data: posts = [] } = useQuery({ ...newPostsQuery, refetchOnMount: false })
  const [seen] = useState(() => readStored<{ at: string }>(KEY).at)
  const newest = posts[0]
  const at = newest?.created_at
  useEffect(() => {
    if (at !== undefined) writeStored(KEY, JSON.stringify({ at }))
  }, [at])
  return { newest, count: seen === undefined ? 0 : posts.filter((post) => post.created_at > seen).length }
}
