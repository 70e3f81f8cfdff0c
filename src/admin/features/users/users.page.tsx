import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatNumber } from '#contract/format.ts'
import { operatorUsers, type OperatorUser } from '#contract/operator/users.ts'
import { listServers } from '#contract/settings.ts'
import { BanBadges } from '#admin/features/users/ban-badges.tsx'
import { BanMany } from '#admin/features/users/ban-dialog.tsx'
import { usersCopy as copy } from '#admin/features/users/users.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

const columns: readonly Column<OperatorUser>[] = [
  {
    name: 'username',
    label: copy.username,
    cell: ({ id, username }) => <Link to={`/users/${id}`}>{username}</Link>,
  },
  { name: 'server', label: copy.server, cell: ({ server }) => server.name },
  {
    name: 'balance',
    label: copy.balance,
    sort: 'balance',
    isNumber: true,
    cell: ({ balance }) => formatNumber(balance),
  },
  { name: 'debt', label: copy.debt, isNumber: true, cell: ({ debt }) => formatNumber(debt) },
  { name: 'state', label: copy.state, cell: (user) => <BanBadges user={user} /> },
  {
    name: 'created_at',
    label: copy.createdAt,
    sort: 'created_at',
    cell: ({ created_at }) => momentText(created_at),
  },
]

const YES = [{ value: 'true', label: copy.yes }]

const filtersOf = (servers: readonly { id: string; name: string }[]): readonly Filter[] => [
  { name: 'q', label: copy.search },
  { name: 'banned', label: copy.banned, type: 'flag', options: YES },
  { name: 'has_debt', label: copy.hasDebt, type: 'flag', options: YES },
  {
    name: 'server_id',
    label: copy.server,
    options: servers.map(({ id, name }) => ({ value: id, label: name })),
  },
  { name: 'created_from', label: copy.from, type: 'date' },
  { name: 'created_to', label: copy.to, type: 'date' },
]

const banChosen = (chosen: readonly OperatorUser[], clear: () => void) => (
  <BanMany chosen={chosen} onDone={clear} />
)

export function Component() {
  const mayBan = useMay()('users.ban')
  const { data: servers = [] } = useQuery(read(listServers))
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorUsers.list}
        label={copy.title}
        columns={columns}
        filters={filtersOf(servers)}
        usualSort={['created_at', 'DESC']}
        empty={copy.empty}
        isFile
        {...(mayBan && { bulk: banChosen })}
      />
    </ScreenFrame>
  )
}
