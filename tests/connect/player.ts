import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const PORT = 7777
const START_MS_MAX = 30_000

/** A player's connection to the game, which stays open. */
export async function enterGame(name: string, password: string) {
  const socket = await connected()
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  async function say(message: string): Promise<string> {
    socket.write(`${message}\n`)
    const { value } = (await lines.next()) as { value?: string }
    return value ?? ''
  }
  return { welcome: await say(`login ${name} ${password}`), say }
}

/** Waits for a game that has just been started. */
async function connected() {
  for (const end = Date.now() + START_MS_MAX; ; await sleep(100)) {
    const socket = connect(PORT, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
