import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { type OperatorUser, operatorUsers } from '#contract/operator/users.ts'
import { listServers } from '#contract/settings.ts'
import { BanBadges, BanMany } from './bans.tsx'
import { usersCopy as copy } from './users.copy.ts'

const columns: readonly Column<OperatorUser>[] = [
  column('username', copy.username, ({ id, username }) => <Link to={`/users/${id}`}>{username}</Link>),
  column('server', labels.server, ({ server }) => server.name),
  numberColumn('balance', copy.balance, { sort: 'balance' }),
  numberColumn('debt', copy.debt),
  column('state', copy.state, (user) => <BanBadges user={user} />),
  momentColumn('created_at', copy.createdAt, { sort: 'created_at' }),
]

const YES = [{ value: 'true', label: copy.yes }]

const filtersOf = (servers: readonly { id: string; name: string }[]): readonly Filter[] => [
  { name: 'q', label: copy.search },
  { name: 'banned', label: copy.banned, type: 'flag', options: YES },
  { name: 'has_debt', label: copy.hasDebt, type: 'flag', options: YES },
  { name: 'server_id', label: labels.server, options: optionsOfRows(servers) },
  { name: 'created_from', label: copy.from, type: 'date' },
  { name: 'created_to', label: labels.to, type: 'date' },
]

export function Component() {
  const { data: servers = [] } = useQuery(read(listServers))
  return (
    <ListPage
      endpoint={operatorUsers.list}
      columns={columns}
      filters={filtersOf(servers)}
      usualSort={['created_at', 'DESC']}
      empty={copy.empty}
      isFile
      bulk={{ permission: 'users.ban', Acts: BanMany }}
    />
  )
}
