import type { DataRouter } from 'react-router'

let navigate: ((path: string) => Promise<void>) | undefined

/** Gives code outside React (the error catalogue, say) the running router. Called once, by the browser's entry. */
export function connectRouter(router: DataRouter): void {
  navigate = (path) => router.navigate(path)
}

export async function goTo(path: string): Promise<void> {
  await navigate?.(path)
}
