import type { ComponentProps } from 'react'
import { Button } from '#ui/button.tsx'

type Props = Omit<ComponentProps<typeof Button>, 'kind' | 'className' | 'aria-pressed'> & {
  isPressed: boolean
}

/** One of some choices that are shown as buttons. */
export const ToggleButton = ({ isPressed, ...button }: Props) => (
  <Button
    {...button}
    kind="plain"
    className="aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:text-vermilion"
    aria-pressed={isPressed}
  />
)
