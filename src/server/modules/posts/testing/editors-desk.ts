import { beforeAll } from 'vitest'
import { trailRows } from '#tests/support/trail-rows.ts'
import type { OperatorCategory, OperatorPost } from '#contract/operator/posts.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { type TestAnswer, type TestApp, useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import type { TestPlayer } from '#tests/support/players.ts'

/** The reason of acts for which a test gives no other. */
const REASON = 'Việc hằng ngày'

/** A portal with an editor at work in it. */
export type EditorsDesk = {
  portal: TestApp
  editor: TestPlayer
  /** One operator call of the editor; `path` is below `/api/operator`. */
  act(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<TestAnswer>
  aPost(fields?: Record<string, unknown>): Promise<OperatorPost>
  aCategory(title?: string): Promise<OperatorCategory>
  trailOf(type: 'post' | 'category', id: string): ReturnType<typeof trailRows>
}

/** The portal of a test file with its editor, as `useTestApp`. */
export function useEditorsDesk(): EditorsDesk {
  const portal = useTestApp()
  const editor = {} as TestPlayer
  beforeAll(async () => void Object.assign(editor, await anOperator(portal, 'editor')))
  const act: EditorsDesk['act'] = (method, path, body) =>
    portal.call(method, `/api/operator${path}`, {
      token: editor.token,
      ...(method === 'GET' ? {} : { body: { reason: REASON, ...(body as object) } }),
    })
  const made = async (path: string, body: unknown) => {
    const answer = await act('POST', path, body)
    invariant(answer.status === 201, `the editor's work is taken: ${JSON.stringify(answer.body)}`)
    return answer.body as never
  }
  return {
    portal,
    editor,
    act,
    aPost: (fields = {}) => made('/posts', { title: 'Chợ đêm', content: '<p>Chợ đã mở.</p>', ...fields }),
    aCategory: (title = 'Tin tức') => made('/categories', { title }),
    trailOf: (type, id) => trailRows(portal, { subject: { type, id } }),
  }
}

/** The query of a list as react-admin writes it. */
export function listQuery(parts: Record<string, unknown>): string {
  return `?${Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&')}`
}
