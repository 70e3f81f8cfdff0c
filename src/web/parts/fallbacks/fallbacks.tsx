import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { pages, paths, type PageEntry } from '#contract/pages.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Failure } from '#ui/failure.tsx'
import { outcomeCopy } from '#web/parts/outcomes/announce.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Link, usePathname } from '#web/navigation.tsx'
import { PageState } from '#ui/page-state.tsx'
import type { Page } from '#web/page.ts'

const removed = (what: string) => `${what} này không có, hoặc đã được gỡ xuống.`
const NOT_OWN = 'Tài khoản của bạn không có gì mang mã này.'

const copy = {
  notFound: pages.notFound.title,
  notFoundWhy: 'Có thể đường dẫn đã cũ hoặc bị gõ sai.',
  toHome: 'Về trang chủ',
  /** By the first part of the address. */
  missing: {
    post: removed('Bài viết'),
    category: removed('Chuyên mục'),
    tournament: removed('Giải đấu'),
    recharge: NOT_OWN,
    user: NOT_OWN,
  } as Record<string, string | undefined>,
  stillOpen: 'Vẫn xem được: ',
  loading: 'Đang tải…',
  unfinished: 'Trang chưa tải xong, một số nút chưa dùng được.',
  reload: 'Tải lại trang',
  serverSilent: 'Máy chủ chưa trả lời, đang thử lại…',
} as const

type FailureProps = { message?: string; onRetry: () => unknown }

/** Something did not load: what happened, and the button to try again. */
export const LoadFailure = ({ message = outcomeCopy.defaultFailure, onRetry }: FailureProps) => (
  <Failure text={message} onRetry={onRetry} />
)

type LoadedProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'>
  skeleton: ReactNode
  children: (data: NonNullable<T>) => ReactNode
}

/** What a query has read: its skeleton until then, a failure when it could not be read. */
export function Loaded<T>({ query: { data, isError, refetch }, skeleton, children }: LoadedProps<T>) {
  if (data) return children(data)
  return isError ? <LoadFailure onRetry={refetch} /> : skeleton
}

type EmptyProps = { title: string; text: string; to: string; linkText: string }

/** A list without anything in it, and where to go instead. */
export function EmptyList({ title, text, to, linkText }: EmptyProps) {
  return (
    <PageState picture="empty" title={title} text={text}>
      <Link to={to} className={buttonClass()}>
        {linkText}
      </Link>
    </PageState>
  )
}

/** Shown while a page's code or data is loaded or the session is verified. */
export function PageSkeleton({ isServerSilent = false }: { isServerSilent?: boolean }) {
  return (
    <div className="shell-width min-h-[70vh] py-8" aria-busy="true">
      <output className={isServerSilent ? 'mb-6 block' : 'sr-only'}>
        {isServerSilent ? copy.serverSilent : copy.loading}
      </output>
      <Skeleton className="h-8 w-56 max-w-full" />
      <Skeleton className="mt-6 h-4 w-full" />
      <Skeleton className="mt-3 h-4 w-11/12" />
      <Skeleton className="mt-3 h-4 w-3/4" />
      <Skeleton className="mt-8 h-48 w-full" />
    </div>
  )
}

/** Where things of that kind are listed, by the first part of the address. */
const LISTS: Record<string, PageEntry | undefined> = {
  tournament: pages.tournaments,
  recharge: pages.recharge,
  user: pages.deliveries,
}

/** For a page about one thing it names what is missing, and links to the list of the others. */
export function NotFound() {
  const [, first = ''] = usePathname().split('/')
  const list = LISTS[first]
  return (
    <PageState isTopTitle picture="lost" title={copy.notFound} text={copy.missing[first] ?? copy.notFoundWhy}>
      <Link to={list ? list.path.replace(/\/:.*/, '') : paths.home} className={buttonClass()}>
        {list ? list.title : copy.toHome}
      </Link>
    </PageState>
  )
}

export const notFoundPage: Page = { Component: NotFound }

const { home, download, tournaments, gemCalculator } = pages

/** Links to public pages, which still open when something else fails. */
export function PublicLinks() {
  return (
    <p>
      {copy.stillOpen}
      {[home, download, tournaments, gemCalculator].map(({ path, title }) => (
        <Link key={path} to={path} className="inline-block px-1.5 py-2.5 font-bold underline">
          {title}
        </Link>
      ))}
    </p>
  )
}

/** Above a page whose code did not arrive, once React has taken over the rest. */
export function UnfinishedStrip() {
  const isHydrated = useHydrated()
  return (
    isHydrated && (
      <div
        role="alert"
        className="flex flex-wrap items-center justify-center gap-x-3 bg-sunken px-4 py-1 text-sm"
      >
        {copy.unfinished}
        <Button kind="text" onClick={() => location.reload()}>
          {copy.reload}
        </Button>
      </div>
    )
  )
}

/** Shown instead of a page that failed. */
export function RouteError({ status }: { status: number }) {
  if (status === 404) return <NotFound />
  return (
    <div className="grid min-h-[50vh] place-content-center px-4 text-center">
      {/* A reload also repairs a page whose scripts were replaced by a newer release. */}
      <LoadFailure onRetry={() => location.reload()} />
      <PublicLinks />
    </div>
  )
}
