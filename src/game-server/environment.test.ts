import { expect, test } from 'vitest'
import { readGameServerConfig } from './environment.ts'

const GAME_SERVER_SECRET = 'the-new-secret-123,the-old-secret-123'

test('reads secrets, place and faults from the environment and the options', () => {
  const options = '--faults slow,reset --rate 0.3 --seed 9 --control 4101'.split(' ')
  const config = readGameServerConfig({ GAME_SERVER_SECRET, GAME_PORT: '4100' }, options)
  expect(config).toEqual({
    secrets: ['the-new-secret-123', 'the-old-secret-123'],
    host: '127.0.0.1',
    port: 4100,
    dataDir: './data/game-server',
    faults: { kinds: ['slow', 'reset-before', 'reset-after'], rate: 0.3, seed: 9, slowMs: 2_000 },
    controlPort: 4101,
  })
  expect(readGameServerConfig({ GAME_SERVER_SECRET }, []).controlPort).toBeNull()
})

test('lists every problem at once', () => {
  const wrong = () =>
    readGameServerConfig({ GAME_SERVER_SECRET: 'short', GAME_PORT: 'x' }, ['--faults', 'mưa', '--rate', '2'])
  expect(wrong).toThrow(/GAME_SERVER_SECRET[^]*--faults[^]*GAME_PORT[^]*--rate/)
})
