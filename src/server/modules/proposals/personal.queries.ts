import { sql } from 'kysely'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'

/** Proposals name a player by id, and stay with the trail. */
export const personalProposals: PersonalPart = {
  lists: {},
  erase: eraseNothing,
  open: {
    async proposal(tx, { id }) {
      const { rows } = await sql`
        SELECT FROM proposal
         WHERE state = 'waiting' AND kind IN ('adjustment', 'second-factor', 'roles') AND subject = ${id}`.execute(
        tx,
      )
      return rows.length
    },
  },
}
