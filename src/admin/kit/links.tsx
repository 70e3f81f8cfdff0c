import { Link } from 'react-router'
import { kitCopy } from '#admin/kit/kit.copy.ts'

/** A player or an operator, by name; leads to what is known about them. */
export const PersonLink = ({ person }: { person: { id: string; username: string } | null }) =>
  person === null ? kitCopy.time.none : <Link to={`/users/${person.id}`}>{person.username}</Link>

/** A file of docs/runbooks; `label` names it for those who hear the link alone. */
export const RunbookLink = ({ file, label, children }: { file: string; label: string; children: string }) => (
  <Link to={`/runbooks/${file.replace(/\.md$/, '')}`} aria-label={label}>
    {children}
  </Link>
)

export const OrderLink = ({ code }: { code: string | null }) =>
  code === null ? kitCopy.time.none : <Link to={`/recharge-orders/${code}`}>{code}</Link>
