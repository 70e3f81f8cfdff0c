import { useParams } from 'react-router'
import { operatorPosts } from '#contract/operator/posts.ts'
import { PostEditing } from '#admin/features/posts/post-editing.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  // What is edited begins with what is there now, never with what was read a while ago.
  const post = { ...read(operatorPosts.get, { params: { id } }), gcTime: 0 }
  const draft = { ...read(operatorPosts.draft, { params: { id } }), gcTime: 0 }
  return (
    <Loaded key={id} query={post}>
      {(stored) => (
        <Loaded query={draft}>{(own) => <PostEditing stored={stored} draft={own.draft} />}</Loaded>
      )}
    </Loaded>
  )
}
