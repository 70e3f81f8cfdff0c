import { Link } from 'react-router'
import { PageState } from '#ui/page-state.tsx'
import { consoleCopy } from '#admin/shell/console.copy.ts'

export function NoScreen() {
  return (
    <PageState title={consoleCopy.missing.title} isTopTitle>
      <Link to="/">{consoleCopy.missing.back}</Link>
    </PageState>
  )
}
