import { useParams } from 'react-router'
import { operatorLegal } from '#contract/operator/legal.ts'
import { LegalEditing } from '#admin/features/posts/legal/legal-editing.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

export function Component() {
  const { kind = '' } = useParams()
  // What is edited begins with what is there now, never with what was read a while ago.
  const query = { ...read(operatorLegal.get, { params: { kind } }), gcTime: 0 }
  return (
    <Loaded key={kind} query={query}>
      {(text) => <LegalEditing stored={text} />}
    </Loaded>
  )
}
