import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { formatMoment } from '#contract/format.ts'
import type { Case, CaseMessage } from '#contract/help/cases.ts'
import { pages, paths } from '#contract/pages.ts'
import { isMissing } from '#client/call.ts'
import { Badge } from '#ui/badge.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { createCall } from '#client/call.ts'
import { ofPlayer } from '#web/browser-call.ts'
import { CaseForm } from '#web/features/help/case-form.tsx'
import { addressOfThing, caseQuery } from '#web/features/help/help.api.ts'
import { caseStates, helpCopy as copy } from '#web/features/help/help.copy.ts'
import { Picture } from '#web/features/help/picture.tsx'
import { useNoticesSeen } from '#web/parts/notices/notices.api.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink, TextLink } from '#web/parts/navigation/links.tsx'

/** Answers are read at once when the bell rings; so often for whoever has turned it off. */
const REFETCH_MS = 30_000

/** One case: what it is about, the messages of both sides, and the form to write on. */
export function OpenedCase({ id }: { id: string }) {
  const query = useQuery({ ...caseQuery(id), staleTime: 0, refetchInterval: REFETCH_MS })
  const { data, error, refetch } = query
  if (!data && error) return isMissing(error) ? <NotFound /> : <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.help()}>{pages.help.title}</BackLink>
      <h1 className="brush-title text-2xl sm:text-3xl">{copy.one}</h1>
      {data ? <Thread shown={data} /> : <Skeleton className="mt-4 h-96 w-full max-w-2xl" />}
    </div>
  )
}

function Thread({ shown }: { shown: Case }) {
  useNoticesSeen(paths.help(shown.id))
  const { id, about, state, messages, created_at } = shown
  const { label, tone } = caseStates[state]
  const client = useQueryClient()
  const to = addressOfThing(about)
  return (
    <div className="mt-3 max-w-2xl space-y-6">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
          {copy.number(id, formatMoment(created_at))}
          <Badge tone={tone}>{label}</Badge>
        </p>
        {to === undefined ? (
          <strong className="wrap-anywhere">{about.title}</strong>
        ) : (
          <TextLink to={to} className="wrap-anywhere">
            {about.title}
          </TextLink>
        )}
      </div>
      <ol aria-label={copy.thread} aria-live="polite" className="space-y-4">
        {messages.map((message) => (
          <li key={message.id} className={message.author === 'player' ? 'pl-6 sm:pl-16' : 'pr-6 sm:pr-16'}>
            <Message caseId={id} message={message} />
          </li>
        ))}
      </ol>
      {state === 'closed' ? (
        <p className="rounded-xl border-l-4 border-line-strong bg-sunken p-4">{copy.closed}</p>
      ) : (
        <CaseForm
          send="add"
          params={{ id }}
          label={copy.reply}
          draftKey={`case ${id}`}
          onRefused={() => void client.invalidateQueries({ queryKey: caseQuery(id).queryKey })}
          onSent={(sent) => client.setQueryData(caseQuery(id).queryKey, sent)}
        />
      )}
    </div>
  )
}

type MessageProps = { caseId: string; message: CaseMessage }

function Message({ caseId, message: { author, text, pictures, created_at } }: MessageProps) {
  const isOwn = author === 'player'
  return (
    <div className={`rounded-xl border border-line px-4 py-3 ${isOwn ? 'bg-raised' : 'bg-leaf-wash'}`}>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <strong>{isOwn ? copy.you : copy.staff}</strong>
        <time dateTime={created_at} className="text-soft">
          {formatMoment(created_at)}
        </time>
      </p>
      <p className="mt-1 wrap-anywhere whitespace-pre-line">{text}</p>
      {pictures.length > 0 && (
        <div className="mt-3 space-y-3">
          {pictures.map((picture, index) => (
            <SentPicture key={picture} caseId={caseId} picture={picture} alt={copy.sentPicture(index + 1)} />
          ))}
        </div>
      )}
    </div>
  )
}

type SentProps = { caseId: string; picture: string; alt: string }

/** The picture requires the player's session, so an `img` cannot load it by its address. */
function SentPicture({ caseId, picture, alt }: SentProps) {
  const { data, isError } = useQuery({
    queryKey: ['own', 'case picture', picture],
    queryFn: () => readPicture({ id: caseId, picture }),
    staleTime: Infinity,
  })
  if (isError) return <p className="text-sm text-soft">{copy.pictureFailed}</p>
  return data ? (
    <Picture bitmap={data} alt={alt} className="h-auto max-h-96 max-w-full" />
  ) : (
    <Skeleton className="h-40 w-full" />
  )
}

const readPicture = (params: { id: string; picture: string }): Promise<ImageBitmap> =>
  createCall(
    ofPlayer(async ({ url }, headers) => {
      const response = await fetch(url, { headers })
      const { ok, status } = response
      return { status, text: '', answer: ok ? await createImageBitmap(await response.blob()) : undefined }
    }),
  )({ method: 'GET', path: '/cases/{id}/pictures/{picture}' }, { params }) as Promise<ImageBitmap>
