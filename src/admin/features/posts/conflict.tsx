import type { OperatorPost } from '#contract/operator/posts.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { postsCopy } from '#admin/features/posts/posts.copy.ts'
import type { Editing } from '#admin/features/posts/use-post-editing.ts'
import { momentText } from '#admin/kit/format.ts'

const copy = postsCopy.conflict

/** What somebody else made of the post meanwhile, and the choice between the two. */
export function Conflict({ present, editing }: { present: OperatorPost; editing: Editing }) {
  return (
    <Alert>
      <h2 className="text-lg">{copy.title}</h2>
      <p>{copy.about(momentText(present.updated_at))}</p>
      <details className="my-3">
        <summary className="min-h-11 font-bold">
          {copy.theirs}: {present.title}
        </summary>
        {/* Made safe by the server, as all HTML of posts. */}
        <div
          className="rich-text max-h-96 overflow-auto rounded-lg bg-raised p-4"
          dangerouslySetInnerHTML={{ __html: present.content }}
        />
      </details>
      <div className="flex flex-wrap gap-3">
        <Button kind="plain" onClick={() => void editing.dropDraft(present)}>
          {copy.takeTheirs}
        </Button>
        <Button isBusy={editing.isSaving} onClick={() => void editing.keepMine(present)}>
          {copy.keepMine}
        </Button>
      </div>
    </Alert>
  )
}
