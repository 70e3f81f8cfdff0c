import type { DehydratedState } from '@tanstack/react-query'

/**
 * What the server and the built web application agree on: how a page is requested, how its calls reach the
 * API, and what comes back. The server loads the application by path, so this file is all they share.
 */
export type TransportRequest = {
  method: string
  /** Address within the site, from `/api` on, with its query string. */
  url: string
  headers: Record<string, string>
  body?: string
}

/** `answer` in place of a text that is JSON, where nothing has to be written as bytes. */
export type TransportReply = {
  status: number
  text: string
  answer?: unknown
  /** When the server read it. */
  moment?: number | undefined
}

/** One way for a call to travel: `fetch` in a browser, a function on the server. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>

/** The metadata of a page for search engines and link previews. */
export type PageHead = {
  title: string
  description?: string
  /** Address of the picture shown beside a shared link, relative to the site. */
  image?: string
  kind?: 'website' | 'article'
  publishedAt?: string
  modifiedAt?: string
  isIndexable?: boolean
}

/** What the browser needs to take a page over, as plain JSON. */
export type PageState = {
  /** What the page has read. */
  queries: DehydratedState['queries']
  /** The status in place of what could not be read. */
  failure?: number | undefined
}

export type RenderedPage = {
  status: number
  head: PageHead & { siteName: string; image: string }
  html: string
  /** Name of the built part that holds the browser's code for the page, when it is loaded apart from the entry. */
  part?: string | undefined
  /** Further parts that it needs soon. */
  more?: readonly string[]
  /** Those parts show the page that visitors see in place of this one: a player's browser does not fetch them. */
  isOfPlayers?: boolean
  /** The name of a page that needs scripts: without them its document shows a notice. */
  needsScripts?: string | undefined
  /** What the page is about, for search engines: objects in the words of schema.org. */
  structured?: readonly object[] | undefined
  state: PageState
}

/** `publicUrl` is the address of the portal as players know it. */
export type RenderPage = (input: {
  url: string
  transport: Transport
  publicUrl: string
}) => Promise<RenderedPage>
