import { sql } from 'kysely'
import { onOnePage, type Person, type PersonalPart } from '#server/domain/personal-part.ts'
import { contentChanges } from '#server/domain/content.ts'

const namesOf = ({ characters }: Person) => characters.map(({ name }) => name.toLowerCase())

/** Teams know their members by the characters' names alone. */
export const personalTeams: PersonalPart = {
  lists: {
    tournaments: onOnePage(async (db, person) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT t.name AS tournament, team.name AS team, m.character_name
          FROM team_members m
          JOIN teams team ON team.id = m.team_id
          JOIN tournaments t ON t.id = m.tournament_id
         WHERE lower(m.character_name) = ANY(${namesOf(person)}::text[]) ORDER BY m.tournament_id`.execute(db)
      return rows
    }),
  },
  /** A team that is named as the character, as in single duels, loses that name too. */
  async erase(tx, person) {
    const names = namesOf(person)
    if (names.length === 0) return
    await sql`
      UPDATE teams SET name = ${person.alias}::text || '-' || id
       WHERE lower(name) = ANY(${names}::text[]) AND id IN (
         SELECT team_id FROM team_members WHERE lower(character_name) = ANY(${names}::text[]))`.execute(tx)
    await sql`
      UPDATE team_members SET character_name = ${person.alias}::text || '-' || team_id || '-' || position
       WHERE lower(character_name) = ANY(${names}::text[])`.execute(tx)
    await contentChanges(tx, 'tournaments')
  },
}
