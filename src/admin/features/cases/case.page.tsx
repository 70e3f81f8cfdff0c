import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { ChoiceField } from '#admin/kit/fields.tsx'
import { ageText, momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { RowPage } from '#admin/kit/loaded.tsx'
import { PrivatePicture } from '#admin/kit/private-picture.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useRefresh, useSendForm } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay, useOperator } from '#admin/session/console-session.ts'
import { Form } from '#client/forms/form.tsx'
import { CASE_TEXT_MAX, type CaseKind, isTopic, type Topic } from '#contract/help/case-forms.ts'
import {
  ANSWER_TEMPLATES_MAX,
  OPERATOR_CASE_PICTURE_PATH,
  operatorAnswerTemplates,
  type OperatorCaseDetail,
  operatorCases,
} from '#contract/operator/help/cases.ts'
import { LIST_ROWS_MAX } from '#contract/operator/fields.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { casesCopy as copy, CaseStatus, playerOf } from './case-parts.tsx'
import { ClaimPart } from './claim-parts.tsx'
import { ReturnAccount } from './return-account.tsx'

export const Component = () => (
  <RowPage endpoint={operatorCases.get}>{(shown) => <Case shown={shown} />}</RowPage>
)

type Props = { shown: OperatorCaseDetail }

function Case({ shown }: Props) {
  const may = useMay()
  const mayAnswer = may('cases.answer')
  const isMoney = shown.about.kind === 'claim' && may(SCREENS.claim.permission)
  return (
    <ScreenFrame title={`${copy.one} ${shown.id}`} acts={mayAnswer && <Acts shown={shown} />}>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="space-y-4">
          {isMoney && <ClaimPart id={shown.about.id} />}
          <Thread shown={shown} />
          {mayAnswer &&
            (shown.state === 'closed' ? <p>{copy.closed}</p> : <Answer key={shown.messages} id={shown.id} />)}
        </div>
        <CaseFacts shown={shown} />
      </div>
    </ScreenFrame>
  )
}

function Acts({ shown }: Props) {
  const { id, state, assigned_to, visitor } = shown
  const { username } = useOperator()
  const mayReturn = useMay()('users.return')
  const assign = { kind: 'plain', endpoint: operatorCases.assign, params: { id } } as const
  return (
    <>
      {visitor !== null && state !== 'closed' && mayReturn && <ReturnAccount shown={shown} />}
      {assigned_to?.username !== username && (
        <ActButton {...assign} label={copy.take} toBody={({ reason }) => ({ username, reason })} />
      )}
      <ActButton {...assign} label={copy.assign} start={{ username: '' }}>
        {(form) => <Field {...form.field('username')} label={copy.username} autoComplete="off" />}
      </ActButton>
      {assigned_to !== null && (
        <ActButton {...assign} label={copy.release} toBody={({ reason }) => ({ username: null, reason })} />
      )}
      {state === 'closed' ? (
        <ActButton label={copy.reopen} endpoint={operatorCases.reopen} params={{ id }} />
      ) : (
        <ActButton
          kind="plain"
          label={copy.close}
          endpoint={operatorCases.close}
          params={{ id }}
          text={copy.closeText}
        />
      )}
    </>
  )
}

const SCREENS: Record<
  Exclude<CaseKind, Topic>,
  { permission: Parameters<ReturnType<typeof useMay>>[0]; to: (id: string) => string }
> = {
  transaction: { permission: 'ledger.read', to: (id) => `/ledger-transfers/${id}` },
  order: { permission: 'recharge-orders.read', to: (id) => `/recharge-orders/${id}` },
  delivery: { permission: 'deliveries.read', to: (id) => `/deliveries/${id}` },
  claim: { permission: 'bank-transfers.read', to: (id) => `/recharge-claims/${id}` },
}

/** What it is about, with a link to its screen for those who may open that. */
function About({ about }: Pick<OperatorCaseDetail, 'about'>) {
  const may = useMay()
  if (isTopic(about.kind)) return about.title
  const { permission, to } = SCREENS[about.kind]
  // A claim is shown beside it.
  return may(permission) && about.kind !== 'claim' ? (
    <Link to={to(about.id)}>{about.title}</Link>
  ) : (
    about.title
  )
}

function CaseFacts({ shown }: Props) {
  return (
    <Panel title={copy.facts}>
      <Facts
        facts={[
          { label: labels.state, value: <CaseStatus state={shown.state} /> },
          {
            label: labels.player,
            value: <PersonLink person={playerOf(shown)} />,
          },
          ...visitorFacts(shown),
          { label: copy.kind, value: copy.kinds[shown.about.kind] },
          { label: copy.about, value: <About about={shown.about} /> },
          { label: copy.assigned, value: shown.assigned_to?.username ?? copy.nobody },
          { label: copy.createdAt, value: momentText(shown.created_at) },
          {
            label: copy.firstAnswer,
            value: shown.first_answer_seconds === null ? '—' : ageText(shown.first_answer_seconds),
          },
          ...(shown.closed_at === null ? [] : [{ label: copy.closedAt, value: momentText(shown.closed_at) }]),
        ]}
      />
    </Panel>
  )
}

function visitorFacts({ visitor, guesses }: OperatorCaseDetail) {
  if (visitor === null) return []
  return [
    { label: copy.visitorContact[visitor.channel], value: visitor.contact },
    {
      label: copy.guess,
      value:
        guesses.length === 0
          ? copy.noGuess
          : guesses.map((guess) => (
              <span key={guess.id} className="block">
                <PersonLink person={guess} /> {guess.is_proved ? copy.proved : copy.unproved}
              </span>
            )),
    },
  ]
}

function Thread({ shown: { id, thread } }: Props) {
  return (
    <Panel title={copy.thread}>
      <ol className="space-y-3">
        {thread.map((message) => (
          <li
            key={message.id}
            className={`rounded-lg border border-line p-3 ${message.is_staff ? 'ml-6 bg-leaf-wash' : 'mr-6'}`}
          >
            <p className="text-sm text-soft">
              {message.author?.username ?? copy.visitor} · {momentText(message.created_at)}
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{message.text}</p>
            {message.pictures.map((picture) => (
              <div key={picture} className="mt-3">
                <PrivatePicture
                  path={OPERATOR_CASE_PICTURE_PATH.replace('{id}', id).replace('{picture}', picture)}
                  alt={copy.pictureAlt}
                />
              </div>
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const PAGES = Array.from({ length: ANSWER_TEMPLATES_MAX / LIST_ROWS_MAX }, (_, page) => page)

/** All templates, by title. */
function useTemplates() {
  const { data = [] } = useQuery({
    queryKey: ['templates'],
    queryFn: async () => {
      const pages = await Promise.all(
        PAGES.map((page) => {
          const range = JSON.stringify([page * LIST_ROWS_MAX, (page + 1) * LIST_ROWS_MAX - 1])
          return read(operatorAnswerTemplates.list, { query: { range } }).queryFn()
        }),
      )
      return pages.flat()
    },
  })
  return data
}

function Answer({ id }: { id: string }) {
  const templates = useTemplates()
  const refresh = useRefresh()
  const form = useSendForm(operatorCases.answer, {
    start: { text: '', template: '' },
    toBody: ({ text }) => ({ text }),
    call: (endpoint, input) => consoleCall(endpoint, { ...input, params: { id } }),
    onDone: (_answer, edit) => {
      edit.reset()
      refresh()
    },
  })
  return (
    <Panel title={copy.answer}>
      <Form form={form}>
        {templates.length > 0 && (
          <ChoiceField
            {...form.field('template')}
            label={copy.template}
            blank={copy.noTemplate}
            options={templates.map(({ id: value, title }) => ({ value, label: title }))}
            onChange={({ target }) => {
              form.set('template', target.value)
              const chosen = templates.find((one) => one.id === target.value)
              if (chosen) form.set('text', chosen.text)
            }}
          />
        )}
        <TextArea {...form.field('text')} label={copy.answer} maxLength={CASE_TEXT_MAX} rows={5} />
        <Button type="submit" isBusy={form.isSending}>
          {copy.send}
        </Button>
      </Form>
    </Panel>
  )
}
