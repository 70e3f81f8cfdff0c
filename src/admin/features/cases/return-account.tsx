import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActDialog, DialogButton } from '#admin/kit/act-dialog.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { PageSkeleton } from '#admin/kit/loaded.tsx'
import { messagesOf } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { formatNumber } from '#contract/format.ts'
import { operatorAccountReturns, type ReturnFacts } from '#contract/operator/help/account-returns.ts'
import type { OperatorCaseDetail } from '#contract/operator/help/cases.ts'
import { GAME_CONTACT_WORDS, UNPROVED_CONTACT_WORDS } from '#contract/operator/words.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { type Fact, Facts } from '#ui/facts.tsx'
import { Field } from '#ui/field.tsx'

const copy = {
  button: 'Trả lại tài khoản',
  submit: 'Đề xuất trả lại',
  text: 'Liên hệ khách đã xác minh trở thành liên hệ duy nhất của tài khoản, mọi phiên kết thúc, khách được hướng dẫn đặt mật khẩu mới. Cần một người thứ hai duyệt. Hãy hỏi khách những điều chỉ chủ tài khoản biết, rồi so với những gì hiện ở dưới.',
  username: 'Tên đăng nhập của tài khoản',
  look: 'Xem tài khoản',
  choose: (name: string) => `Xem ${name}`,
  account: 'Tài khoản',
  gameContact: 'Liên hệ game ghi',
  unprovedContact: 'Liên hệ chưa xác minh của tài khoản',
  characters: 'Nhân vật trong game',
  character: (name: string, of: readonly string[]) => `${name} (${of.join(', ')})`,
  level: (level: number) => `cấp ${formatNumber(level)}`,
  noCharacter: 'Không có',
  silent: 'Game chưa trả lời, hãy thử lại sau',
  toldAt: (moment: string) => `Game cho biết lúc ${moment}`,
  createdAt: 'Đăng ký lúc',
  importedAt: 'Chuyển sang từ game lúc',
  lastSignIn: 'Đăng nhập gần nhất',
  noSignIn: 'Không có trong 90 ngày qua',
  lastRecharge: 'Nạp gần nhất',
  noRecharge: 'Chưa nạp ở cổng',
  recharges: 'Số lần nạp trong 30 ngày qua',
  balance: 'Số dư (TCoin)',
  secondFactor: 'Xác thực hai lớp',
  on: 'Đang bật, vẫn giữ nguyên',
  off: 'Không bật',
} as const

type Props = { shown: OperatorCaseDetail }

/** An account that its player cannot enter any more is handed back to the visitor of a case. */
export const ReturnAccount = ({ shown }: Props) => (
  <DialogButton
    kind="plain"
    label={copy.button}
    renderDialog={(onClose) => <ReturnDialog shown={shown} onClose={onClose} />}
  />
)

function ReturnDialog({ shown: { id, guesses }, onClose }: Props & { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [looked, setLooked] = useState('')
  const { data, error, isFetching, refetch } = useQuery({
    ...read(operatorAccountReturns.facts, { params: { id }, query: { username: looked } }),
    enabled: looked !== '',
  })
  // What was typed since is another account.
  const known = typed.trim() === looked ? data : undefined
  const look = (username: string) => {
    setTyped(username)
    if (username === looked) void refetch()
    else setLooked(username)
  }
  return (
    <ActDialog
      title={copy.button}
      submitLabel={copy.submit}
      endpoint={operatorAccountReturns.propose}
      params={{ id: known?.account.id ?? '' }}
      toBody={({ reason }) => ({ case_id: id, reason })}
      isEmpty={known === undefined || known.refusal !== null}
      text={copy.text}
      onClose={onClose}
    >
      {() => (
        <>
          <Field
            label={copy.username}
            value={typed}
            maxLength={20}
            autoComplete="off"
            autoCapitalize="none"
            error={known === undefined && error !== null && messagesOf(error).join(' ')}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              look(typed.trim())
            }}
            beside={
              <Button kind="plain" isBusy={isFetching} onClick={() => look(typed.trim())}>
                {copy.look}
              </Button>
            }
          />
          {guesses.length > 0 && (
            <p className="flex flex-wrap gap-2">
              {guesses.map(({ id: userId, username }) => (
                <Button key={userId} kind="text" onClick={() => look(username)}>
                  {copy.choose(username)}
                </Button>
              ))}
            </p>
          )}
          {isFetching && known === undefined && <PageSkeleton />}
          {known?.refusal && <Alert>{known.refusal}</Alert>}
          {known && <Facts facts={factsOf(known)} />}
        </>
      )}
    </ActDialog>
  )
}

function factsOf(known: ReturnFacts): Fact[] {
  const { hint, imported_at: importedAt } = known
  const contacts = [hint?.phone, hint?.email].filter(Boolean).join(', ')
  return [
    { label: copy.account, value: <PersonLink person={known.account} /> },
    {
      label: copy.gameContact,
      value: [contacts, GAME_CONTACT_WORDS[known.game_contact]].filter(Boolean).join(': '),
    },
    { label: copy.unprovedContact, value: UNPROVED_CONTACT_WORDS[known.unproved_contact] },
    { label: copy.characters, value: <Characters known={known} /> },
    importedAt === null
      ? { label: copy.createdAt, value: momentText(known.created_at) }
      : { label: copy.importedAt, value: momentText(importedAt) },
    {
      label: copy.lastSignIn,
      value: known.last_sign_in_at === null ? copy.noSignIn : momentText(known.last_sign_in_at),
    },
    {
      label: copy.lastRecharge,
      value: known.last_recharge_at === null ? copy.noRecharge : momentText(known.last_recharge_at),
    },
    { label: copy.recharges, value: formatNumber(known.recharges_last_month) },
    { label: copy.balance, value: formatNumber(known.balance) },
    { label: copy.secondFactor, value: known.has_second_factor ? copy.on : copy.off },
  ]
}

function Characters({ known: { characters, characters_at: toldAt } }: { known: ReturnFacts }) {
  if (toldAt === null) return copy.silent
  return (
    <>
      {characters.length === 0 && copy.noCharacter}
      {characters.map(({ id, name, class_name, server_name, level }) => (
        <span key={id} className="block">
          {copy.character(
            name,
            [class_name, copy.level(level), server_name].filter((one) => one !== null),
          )}
        </span>
      ))}
      <span className="block text-sm font-normal text-soft">{copy.toldAt(momentText(toldAt))}</span>
    </>
  )
}
