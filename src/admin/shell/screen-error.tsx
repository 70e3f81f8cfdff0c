import { Link } from 'react-router'
import { Button } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { consoleCopy } from './console.copy.ts'

/** A screen broke, or its code did not load. */
export function ScreenError() {
  return (
    <PageState title={consoleCopy.broken.title} isTopTitle>
      <Button kind="plain" onClick={() => location.reload()}>
        {consoleCopy.broken.again}
      </Button>
    </PageState>
  )
}

export function NoScreen() {
  return (
    <PageState title={consoleCopy.missing.title} isTopTitle>
      <Link to="/">{consoleCopy.missing.back}</Link>
    </PageState>
  )
}
