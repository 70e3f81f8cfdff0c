import { sql, type RawBuilder } from 'kysely'
import type { Permission } from '#contract/operator/roles.ts'
import { HITS_MAX, type Hit } from '#contract/operator/users.ts'
import type { Db } from '#server/platform/db/database.ts'
import { beginsWith, patternsOfWords, searchForm } from '#contract/search-form.ts'
import { eventsFound } from '#server/modules/bank-inbox/index.ts'
import type { Search } from './players.queries.ts'

/** What was typed, as each thing that may be meant by it. */
type Searched = Search & {
  /** The order codes in it. */
  codes: readonly string[]
  reference: string
  /** The first and the last id of a delivery that begins so. */
  deliveries: readonly [string, string] | null
}

type Source = {
  kind: Hit['kind']
  permission: Permission
  /** Rows of ref, title, detail, amount and rank; the lowest rank first. */
  rows: (searched: Searched) => RawBuilder<unknown> | null
}

const NONE = sql`NULL::text`

const sources: readonly Source[] = [
  {
    kind: 'user',
    permission: 'users.read',
    rows: ({ name, phone, email }) => sql`
      SELECT u.id::text AS ref, u.username AS title, s.name AS detail, NULL::bigint AS amount,
             length(u.username) AS rank
        FROM (
          (SELECT named.id FROM users named WHERE named.username_key LIKE ${beginsWith(name)}
            ORDER BY named.username_key USING ~<~ LIMIT ${HITS_MAX})
          UNION (SELECT called.user_id FROM user_contacts called WHERE called.phone = ${phone})
          UNION (SELECT mailed.user_id FROM user_contacts mailed WHERE lower(mailed.email) = lower(${email})
                  LIMIT ${HITS_MAX})) found
        JOIN users u ON u.id = found.id JOIN servers s ON s.id = u.server_id`,
  },
  {
    kind: 'character',
    permission: 'users.read',
    rows: ({ name }) => sql`
      SELECT u.id::text, found.name, u.username, NULL::bigint, length(found.name)
        FROM (SELECT g.user_id, g.name FROM game_character g WHERE search_form(g.name) LIKE ${beginsWith(name)}
               ORDER BY search_form(g.name) USING ~<~ LIMIT ${HITS_MAX}) found
        JOIN users u ON u.id = found.user_id`,
  },
  {
    kind: 'order',
    permission: 'recharge-orders.read',
    rows: ({ codes, name }) => sql`
      SELECT o.code, o.code, u.username, o.amount, 0
        FROM (
          (SELECT begun.id FROM payment_order begun WHERE begun.code LIKE upper(${beginsWith(name)})
            ORDER BY begun.code USING ~<~ LIMIT ${HITS_MAX})
          UNION (SELECT pasted.id FROM payment_order pasted WHERE pasted.code = ANY (${codes}::text[]))) found
        JOIN payment_order o ON o.id = found.id JOIN users u ON u.id = o.user_id`,
  },
  {
    kind: 'bank-transfer',
    permission: 'bank-transfers.read',
    rows: ({ reference }) => sql`
      SELECT b.id::text, b.bank_ref, b.state, b.amount, 0
        FROM bank_transaction b WHERE b.bank_ref = ANY (${[...new Set([reference, reference.toUpperCase(), searchForm(reference).toUpperCase()])]}::text[])`,
  },
  {
    kind: 'payment-event',
    permission: 'bank-transfers.read',
    rows: ({ reference }) => sql`
      SELECT e.id::text, coalesce(e.bank_ref, e.provider_event_id), e.provider, e.amount, -e.id
        FROM payment_event e WHERE e.id = ANY (ARRAY(${eventsFound(reference, HITS_MAX)}))`,
  },
  {
    kind: 'delivery',
    permission: 'deliveries.read',
    rows: ({ deliveries }) =>
      deliveries &&
      sql`
      SELECT d.id::text, d.character_name, d.state, d.amount, 0
        FROM delivery d WHERE d.id BETWEEN ${deliveries[0]}::uuid AND ${deliveries[1]}::uuid`,
  },
  {
    kind: 'post',
    permission: 'posts.read',
    // Of thousands at most, whose words lie apart.
    rows: ({ name }) => sql`
      SELECT p.id::text, p.title, ${NONE}, NULL::bigint, 0
        FROM posts p WHERE search_form(p.title) LIKE ALL (${patternsOfWords(name)}::text[]) ORDER BY p.id DESC`,
  },
]

/** At most ten of each kind, of what may be read. Each source reads an index. */
export async function selectHits(db: Db, searched: Searched, permissions: readonly string[]): Promise<Hit[]> {
  const selects = sources.flatMap(({ kind, permission, rows }, place) => {
    const found = permissions.includes(permission) ? rows(searched) : null
    if (found === null) return []
    return [
      sql`(SELECT ${place}::int AS place, ${kind}::text AS kind, hit.*
             FROM (${found}) AS hit(ref, title, detail, amount, rank) ORDER BY hit.rank LIMIT ${HITS_MAX})`,
    ]
  })
  if (selects.length === 0) return []
  const { rows } = await sql<Omit<Hit, 'amount'> & { amount: string | null }>`
    SELECT kind, ref, title, detail, amount FROM (${sql.join(selects, sql` UNION ALL `)}) AS hits
     ORDER BY place, rank, title, ref`.execute(db)
  return rows.map((row) => ({ ...row, amount: row.amount === null ? null : Number(row.amount) }))
}
