import { startAdapter, type Adapter } from '#game-adapter/adapter.ts'
import { readConfig } from '#game-adapter/config.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import type { GameDatabase } from './database.ts'
import { SECRET } from './game.ts'

/** The contract over the database of the rehearsal game, with its tables installed. */
export async function startRehearsalAdapter(database: GameDatabase): Promise<Adapter> {
  const config = readConfig(
    {
      preset: 'by-key',
      database: database.url,
      secret: SECRET,
      port: 0,
      luong: 'account',
      accounts: { table: 'game_account', luong: 'luong' },
      characters: {
        table: 'game_character',
        account: 'account_id',
        server: null,
        class: 'class_id',
        luong: null,
      },
      servers: [{ id: '1', name: 'Một' }],
    },
    {},
  )
  await install(config, { isCarriedOut: true, print: () => {} })
  return startAdapter(
    config,
    openLog(() => {}),
  )
}
