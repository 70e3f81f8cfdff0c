import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { isTopic, REPORTED_KINDS, type ReportedKind, TOPIC_WORDS, TOPICS } from '#contract/help/case-forms.ts'
import type { PreparedCase } from '#contract/help/cases.ts'
import { pages, paths } from '#contract/pages.ts'
import { isMissing } from '#client/call.ts'
import { buttonClass } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { foldTitle } from '#ui/fold.ts'
import { Link, useNavigate, useSearchParams } from '#web/navigation.tsx'
import { CaseForm } from '#web/features/help/case-form.tsx'
import { caseQuery, casesQuery, preparedQuery } from '#web/features/help/help.api.ts'
import { helpCopy as copy } from '#web/features/help/help.copy.ts'
import { LoadFailure, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink, TextLink } from '#web/parts/navigation/links.tsx'
import { REPORT, reportAddress } from '#web/parts/navigation/report-link.tsx'

const isKind = (kind: string | null): kind is ReportedKind => REPORTED_KINDS.some((one) => one === kind)

/** Reports a problem with what the address names: first the answers that are known, then the form. */
export function ReportForm() {
  const [address] = useSearchParams()
  const kind = address.get('kind')
  const id = address.get('id')
  if (kind === null) return <Topics />
  if (!isKind(kind) || (id === null) !== isTopic(kind)) return <NotFound />
  return <Report key={`${kind} ${id}`} kind={kind} id={id} />
}

/** What help can be asked about that is no thing of the player. */
function Topics() {
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.help()}>{pages.help.title}</BackLink>
      <h1 className="brush-title text-2xl sm:text-3xl">{copy.ask}</h1>
      <p className="mt-3 mb-4 max-w-text text-soft">{copy.askLead}</p>
      <ul className="max-w-2xl divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
        {TOPICS.map((topic) => (
          <li key={topic}>
            <Link to={reportAddress(topic)} className="block px-4 py-3 hover:bg-sunken">
              <strong>{TOPIC_WORDS[topic]}</strong>
              <span className="block text-sm text-soft">{copy.topics[topic]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Props = { kind: ReportedKind; id: string | null }

function Report({ kind, id }: Props) {
  const { data, error, refetch } = useQuery({ ...preparedQuery(kind, id), staleTime: 0 })
  if (!data && error) return isMissing(error) ? <NotFound /> : <LoadFailure onRetry={refetch} />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.help()}>{pages.help.title}</BackLink>
      <h1 className="brush-title text-2xl sm:text-3xl">{REPORT}</h1>
      {data ? (
        <div className="mt-4 max-w-2xl space-y-8">
          <p className="wrap-anywhere">
            {copy.about}: <strong>{data.title}</strong>
          </p>
          <Answers answers={data.answers} />
          {data.case_id === null ? (
            <NewCase kind={kind} id={id} onRefused={refetch} />
          ) : (
            <OpenCase id={data.case_id} />
          )}
        </div>
      ) : (
        <Skeleton className="mt-4 h-96 w-full max-w-2xl" />
      )}
    </div>
  )
}

/** The first one is open: it is the likeliest. */
function Answers({ answers }: Pick<PreparedCase, 'answers'>) {
  if (answers.length === 0) return null
  return (
    <section aria-labelledby="answers-title">
      <h2 id="answers-title" className="mb-3 text-xl">
        {copy.questions}
      </h2>
      <div className="divide-y divide-line rounded-xl border border-line bg-raised">
        {answers.map(({ question, answer, link }, index) => (
          <details key={question} open={index === 0} className="px-4">
            <summary className={foldTitle}>{question}</summary>
            <p className="pb-2 text-[0.9375rem]">{answer}</p>
            {link && <TextLink to={link.href}>{link.label}</TextLink>}
          </details>
        ))}
      </div>
    </section>
  )
}

const OpenCase = ({ id }: { id: string }) => (
  <div className="rounded-xl border-l-4 border-line-strong bg-sunken p-4">
    <p className="mb-3">{copy.open}</p>
    <Link to={paths.help(id)} className={buttonClass('main')}>
      {copy.toOpen}
    </Link>
  </div>
)

function NewCase({ kind, id, onRefused }: Props & { onRefused: () => unknown }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <section aria-labelledby="write-title">
      <h2 id="write-title" className="mb-3 text-xl">
        {copy.write}
      </h2>
      <CaseForm
        send="create"
        about={{ about_kind: kind, ...(id !== null && { about_id: id }) }}
        label={copy.text}
        draftKey={`case ${kind} ${id}`}
        onRefused={() => void onRefused()}
        onSent={(sent) => {
          client.setQueryData(caseQuery(sent.id).queryKey, sent)
          void client.invalidateQueries({ queryKey: casesQuery(1).queryKey.slice(0, 2) })
          void navigate(paths.help(sent.id), { replace: true })
        }}
      />
    </section>
  )
}
