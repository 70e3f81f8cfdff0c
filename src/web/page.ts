import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { PageHead } from '#contract/rendered-page.ts'
import type { AnyQuery } from '#web/query-client.ts'

export type PageParams = Readonly<Record<string, string | undefined>>

export type HeadInput = { client: QueryClient; params: PageParams }

/** A page of the portal: the data it reads, its head and its component. */
export type Page = {
  Component: ComponentType
  /** The reads the server waits for before it renders the page; a browser starts them and does not wait. */
  queries?: (params: PageParams) => readonly AnyQuery[]
  /** Values that are absent here come from the table of pages. */
  head?: (input: HeadInput) => Partial<PageHead> | undefined
  /** Structured data (schema.org). With `import.meta.env.SSR &&` before it, the build for browsers drops it. */
  structured?: false | ((input: HeadInput & { publicUrl: string }) => readonly object[] | undefined)
}

/** A page, or how it is loaded when it is first needed. */
export type PageSource =
  | { page: Page }
  | {
      load: () => Promise<Page>
      /** The name that the build gives to what `load` imports: the document names its files, so that they come with the entry's. */
      part?: string | undefined
      /** The part with the modal that it opens over the home page. */
      opens?: string
      isFocused?: boolean
      /** Only the page itself, for software that shows it over a picture. */
      isFrameless?: boolean
    }

/** What each route carries as its handle. */
export type PageHandle = {
  head: (input: HeadInput) => PageHead
  /** Answer status of the page when it is not 200. */
  status?: number
  /** Name of the built part that holds the page, when its code is loaded apart from the entry. */
  part?: string | undefined
  opens?: string | undefined
  /** A page for one task: the frame's bars are left out. */
  isFocused?: boolean | undefined
  /** Nothing but the page is shown: no bars, no questions, no notices. */
  isFrameless?: boolean | undefined
}
