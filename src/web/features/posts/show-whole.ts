import type { FocusEvent } from 'react'

/** What gets the focus by the Tab key in a row that scrolls is shown whole: browsers leave it half out of sight. */
export const showWhole = ({ target }: FocusEvent): void =>
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
