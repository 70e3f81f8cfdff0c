import type { ComponentProps } from 'react'
import { Boundary } from '#ui/failure.tsx'
import { usePathname } from '#web/navigation.tsx'

/** A part of the frame or of a page that may break alone. At another address it is tried again. */
export const Host = (props: Omit<ComponentProps<typeof Boundary>, 'of'>) => (
  <Boundary {...props} of={usePathname()} />
)
