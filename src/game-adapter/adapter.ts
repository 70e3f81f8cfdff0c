import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSignedGameCall } from '#contract/game/signature.ts'
import { CONNECTIONS_MAX, readBody, send, TIMEOUTS, URL_LENGTH_MAX } from '#game-server/http-calls.ts'
import { wrong } from '#game-server/reading.ts'
import { Accounts } from './accounts.ts'
import { answer, type CallsOf } from './calls.ts'
import { Characters } from './characters.ts'
import { checkTables } from './checks.ts'
import type { Config } from './config.ts'
import { openDatabase, type Database } from './database.ts'
import { UnusableRows, type Log } from './log.ts'

export type Adapter = { url: string; close(): Promise<void> }

/** Below the ten seconds that the portal waits. */
const STATEMENT_MS = 8_000
/** What is under way at the end may take as long as the portal waits for it. */
const CLOSE_MS = 10_000

/** The contract over the game's database. Throws when a table, a column or the database is missing. */
export async function startAdapter(config: Config, log: Log): Promise<Adapter> {
  const database = openDatabase(config.database, {
    connections: config.connections,
    statementMs: STATEMENT_MS,
  })
  try {
    return await listen(config, database, log)
  } catch (error) {
    await database.close().catch(() => {})
    throw error
  }
}

async function listen(config: Config, database: Database, log: Log): Promise<Adapter> {
  const { isComparable, warnings } = await checkTables(database, config)
  for (const warning of warnings) log.warn(warning)
  const unusable = new UnusableRows(log)
  const accounts = new Accounts(config, unusable)
  await accounts.refresh(database)
  const characters = new Characters(config, { unusable, isComparable })
  const of: CallsOf = { config, database, accounts, characters, unusable, log }
  const server = createServer(TIMEOUTS, (request, response) => {
    serve(of, request, response).catch((error: unknown) => {
      log.error('a call failed', error)
      if (response.headersSent) response.destroy()
      else send(response, wrong(500, 'failed'))
    })
  })
  server.maxConnections = CONNECTIONS_MAX
  server.listen(config.port, config.host)
  await once(server, 'listening')
  const stopRefreshing = keepFresh(accounts, database, log)
  const { port } = server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  log.info('listening', { url, accounts: accounts.count })
  return {
    url,
    async close() {
      stopRefreshing()
      const closed = once(server, 'close')
      server.close()
      const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
      await closed
      clearTimeout(late)
      await database.close()
    },
  }
}

/** Reads the accounts again from time to time. Returns a function that ends it. */
function keepFresh(accounts: Accounts, database: Database, log: Log): () => void {
  let timer: NodeJS.Timeout | undefined
  const stopped = new AbortController()
  const plan = () => {
    if (stopped.signal.aborted) return
    timer = setTimeout(() => {
      accounts
        .refresh(database)
        .catch((error: unknown) => log.error('the accounts cannot be read', error))
        .finally(plan)
    }, accounts.pauseMs)
  }
  plan()
  return () => {
    stopped.abort()
    clearTimeout(timer)
  }
}

async function serve(of: CallsOf, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  if (url.length > URL_LENGTH_MAX) return send(response, wrong(414, 'address-too-long'))
  const body = await readBody(request)
  if (body === null) return send(response, wrong(413, 'body-too-large', 'body'))
  const header = request.headers['x-portal-signature']
  const signed = { method, path: url, body, header: typeof header === 'string' ? header : undefined }
  if (!isSignedGameCall(of.config.secrets, signed, Date.now())) {
    return send(response, wrong(401, 'bad-signature'))
  }
  send(response, await answer(of, { method, url, body }))
}
