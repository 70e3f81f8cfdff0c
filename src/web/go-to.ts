import type { DataRouter } from 'react-router'

let navigate: ((path: string) => void) | undefined

/** Gives code outside React (the error catalogue, say) the running router. Called once, by the browser's entry. */
export function connectRouter(router: DataRouter): void {
  navigate = (path) => void router.navigate(path)
}

export function goTo(path: string): void {
  navigate?.(path)
}
