import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from '#game-server/faults.ts'
import { startGameServer } from '#game-server/game-server.ts'
import { World, type Character, type Newcomers } from '#game-server/world.ts'

export type TestGame = {
  url: string
  /** Calls that came in, as `PUT /v1/deliveries/…`. */
  calls: string[]
  addCharacter(wishes: Pick<Character, 'id' | 'account' | 'name'> & Partial<Character>): Character
  removeCharacter(character: Character): void
  /** The next `times` deliveries meet this fault. */
  failNext(fault: Fault, times?: number): void
  /** Delay of every answer. */
  slowDown(ms: number): void
  close(): Promise<void>
}

/** The reference game server in the test's own process; with an empty world and without default characters. */
export async function startTestGame({
  secret,
  newcomers,
}: {
  secret: string
  newcomers?: Newcomers
}): Promise<TestGame> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-game-'))
  const world = new World(newcomers)
  const calls: string[] = []
  const server = await startGameServer({
    secrets: [secret],
    dataDir,
    world,
    onCall: (call) => void calls.push(call),
  })
  return {
    url: server.url,
    calls,
    addCharacter(wishes) {
      const stranger = { serverId: '1', head: 5, classId: 1, level: 10, luong: 0, yen: 0, items: [] }
      const character = { ...stranger, ...wishes }
      world.add(character)
      return character
    },
    removeCharacter: (character) => world.remove(character),
    failNext: (fault, times) => server.faults.failNext(fault, times),
    slowDown(ms) {
      server.faults.delayMs = ms
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
