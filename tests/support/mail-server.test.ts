import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startMailServer } from './mail-server.ts'

test('a connection that is cut in the middle of a mail disturbs nothing', async () => {
  const server = await startMailServer()
  const client = connect(server.port, '127.0.0.1')
  client.setEncoding('utf8')
  const answered = async (code: string) => expect(String(await once(client, 'data'))).toMatch(code)
  await answered('220')
  for (const [command, code] of [
    ['HELO tests', '250'],
    ['MAIL FROM:<a@thn.test>', '250'],
    ['RCPT TO:<b@thn.test>', '250'],
    ['DATA', '354'],
  ] as const) {
    client.write(`${command}\r\n`)
    await answered(code)
  }
  await new Promise((resolve) => client.write('Subject: half a m', resolve))
  client.resetAndDestroy()
  await once(client, 'close')
  await server.close()
  expect(server.letters).toEqual([])
})
