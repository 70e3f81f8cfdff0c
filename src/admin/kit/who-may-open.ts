import { createContext } from 'react'
import type { Permission } from '#contract/operator/roles.ts'

type Opened = { path: string; permission: Permission | readonly Permission[] | null }

/** Of each screen its address and who may open it, for features: `screens.ts` loads them, and they do not import it. */
export const WhoMayOpen = createContext<readonly Opened[]>([])
