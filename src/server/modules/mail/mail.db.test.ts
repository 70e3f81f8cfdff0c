import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useMailingApp } from '#tests/support/fixtures.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { ageMail, sendMailOnce, waitingMail } from '#tests/support/mail.ts'
import { setSetting } from '#tests/support/settings.ts'
import { freePort } from '#tests/support/network.ts'
import { eventually } from '#tests/support/purchases.ts'
import { openFileMailer, openSmtpMailer, queueMail, startMailJobs, type Mail } from './index.ts'
import { claimMail, sendClaimedMail, type MailDeps } from './sending.service.ts'

const { server, portal } = useMailingApp()
let deps: MailDeps
beforeAll(() => void ({ deps } = portal))
beforeEach(() => {
  server.letters.length = 0
})
afterEach(async () => {
  server.refuseRecipients(null)
  server.refuseContents(null)
  await portal.db.deleteFrom('mail_outbox').execute()
})

const letter: Mail = {
  kind: 'test',
  to: 'tuan@thu.test',
  subject: 'Đặt lại mật khẩu của bạn',
  username: 'hoangtuan',
  paragraphs: ['Mở đường dẫn dưới đây để đặt mật khẩu mới.'],
  code: '012345',
}
const queue = (mail: Partial<Mail> = {}) => queueMail(deps.vault, portal.db, { ...letter, ...mail })

describe('a letter in line', () => {
  test('reaches the mail server as text and HTML, with its Vietnamese subject', async () => {
    await queue()
    expect(await sendMailOnce(deps)).toBe(1)
    const [received] = server.letters
    expect(received).toMatchObject({
      recipients: ['tuan@thu.test'],
      subject: 'Đặt lại mật khẩu của bạn',
      from: { name: 'Tinh Hoa Ninja', address: 'khong-tra-loi@thn.test' },
      to: [{ name: '', address: 'tuan@thu.test' }],
    })
    expect(received?.text).toContain('Mã OTP: 012345')
    expect(received?.html).toContain('Mở đường dẫn dưới đây để đặt mật khẩu mới.')
    expect(received?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
    expect(await waitingMail(portal)).toEqual([])
  })

  test('ends with the age class and who runs the portal, as they are set when it is sent', async () => {
    const values = { age_class: '16+', seller_name: 'Công ty Trúc Lâm', seller_hotline: '1900 1234' }
    for (const [key, value] of Object.entries(values)) await setSetting(portal, key, value)
    await queue()
    await sendMailOnce(deps)
    const [received] = server.letters
    for (const words of ['người chơi từ 16 tuổi trở lên', 'Công ty Trúc Lâm', 'Hotline: 1900 1234']) {
      expect(received?.text).toContain(words)
      expect(received?.html).toContain(words)
    }
  })

  test('lies sealed: address, name and code cannot be read in the table', async () => {
    await queue()
    const [row] = await waitingMail(portal)
    for (const secret of ['tuan@thu.test', 'hoangtuan', '012345']) {
      expect(row?.sealed.toString('latin1')).not.toContain(secret)
    }
  })

  test('of a transaction that fails is never sent', async () => {
    await inTransaction(portal.db, async (tx) => {
      await queueMail(deps.vault, tx, letter)
      throw new Error('undone')
    }).catch(() => {})
    expect(await sendMailOnce(deps)).toBe(0)
  })

  test('is sent by a running worker soon after it was queued', async () => {
    const loops = startMailJobs(deps)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const queued = performance.now()
    await queue()
    await eventually(async () => expect(server.letters).toHaveLength(1))
    expect(performance.now() - queued).toBeLessThan(1_500)
    await Promise.all(loops.map((loop) => loop.stop()))
  })

  test('taken by one worker is not taken by another', async () => {
    for (let count = 0; count < 20; count++) await queue({ to: `nguoi${count}@thu.test` })
    const loops = [...startMailJobs(deps), ...startMailJobs(deps), ...startMailJobs(deps)]
    await eventually(async () => expect(await waitingMail(portal)).toEqual([]), 10_000)
    await Promise.all(loops.map((loop) => loop.stop()))
    expect(server.letters).toHaveLength(20)
    expect(new Set(server.letters.map(({ recipients }) => recipients[0])).size).toBe(20)
  })
})

describe('a letter that does not go at once', () => {
  test('waits while the mail server is away, and goes when it is back', async () => {
    const port = await freePort()
    const mailer = openSmtpMailer({ host: '127.0.0.1', port, isSecure: false, login: null })
    await queue()
    expect(await sendMailOnce({ ...deps, mailer })).toBe(1)
    const [waiting] = await waitingMail(portal)
    expect(waiting).toMatchObject({ attempt: 1, last_error: expect.stringContaining('ECONN') })
    expect(waiting?.dueInSeconds).toBeGreaterThan(55)
    expect(waiting?.dueInSeconds).toBeLessThan(70)
    expect(await sendMailOnce({ ...deps, mailer })).toBe(0)

    const back = await startMailServer(port)
    await ageMail(portal, 1)
    await sendMailOnce({ ...deps, mailer })
    expect(back.to('tuan@thu.test')).toHaveLength(1)
    expect(await waitingMail(portal)).toEqual([])
    await back.close()
  })

  test.each([
    ['recipient', () => server.refuseRecipients(451)],
    ['contents', () => server.refuseContents(452)],
  ])('is tried again after a passing refusal of its %s (4xx)', async (_, refuse) => {
    refuse()
    await queue()
    await sendMailOnce(deps)
    expect((await waitingMail(portal))[0]).toMatchObject({ attempt: 1 })
    server.refuseRecipients(null)
    server.refuseContents(null)
    await ageMail(portal, 2)
    await sendMailOnce(deps)
    expect(server.letters).toHaveLength(1)
  })

  test.each([
    ['recipient', () => server.refuseRecipients(550)],
    ['contents', () => server.refuseContents(554)],
  ])(
    'is given up at once when its %s is refused for good (5xx), with a line that names nobody',
    async (_, refuse) => {
      refuse()
      await queue({ kind: 'refused-for-good' })
      const before = portal.logged().length
      await sendMailOnce(deps)
      expect(await waitingMail(portal)).toEqual([])
      const line = portal.logged().slice(before)
      expect(line).toContain('"event":"mail.given-up"')
      expect(line).toContain('"kind":"refused-for-good"')
      expect(line).toMatch(/"mailId":"\d+"/)
      expect(line).not.toContain('thu.test')
    },
  )

  test('is given up after a day, and a code after its ten minutes', async () => {
    server.refuseRecipients(451)
    await queue({ kind: 'old' })
    await sendMailOnce(deps)
    await ageMail(portal, 24 * 60)
    server.refuseRecipients(null)
    await queue({ kind: 'code', usefulMinutes: 10 })
    await portal.db.updateTable('mail_outbox').set({ attempt: 0 }).execute()
    await ageMail(portal, 10)
    expect(await sendMailOnce(deps)).toBe(2)
    expect(await waitingMail(portal)).toEqual([])
    expect(server.letters).toEqual([])
    expect(portal.logged()).toContain('"kind":"old","attempt":1')
    expect(portal.logged()).toContain('"note":"of no use any more"')
  })

  test('is sent again, under the same Message-ID, when its worker died between sending and writing', async () => {
    await queue()
    const { promise: sent, resolve } = Promise.withResolvers<void>()
    const dying: MailDeps = {
      ...deps,
      mailLeaseSeconds: 0.2,
      async mailPausePoint(point) {
        if (point !== 'sent') return
        resolve()
        await new Promise(() => {})
      },
    }
    const [claimed] = await claimMail(dying, 1)
    void sendClaimedMail(dying, claimed!)
    await sent
    await eventually(async () => expect(await sendMailOnce(deps)).toBe(1))
    expect(server.letters).toHaveLength(2)
    expect(new Set(server.letters.map(({ messageId }) => messageId)).size).toBe(1)
    expect(await waitingMail(portal)).toEqual([])
  })

  test('and whose lease ran out is not put back or taken away by the worker that comes late', async () => {
    await queue()
    const [late] = await claimMail({ ...deps, mailLeaseSeconds: 0.05 }, 1)
    let successor: typeof late
    await eventually(async () => {
      ;[successor] = await claimMail(deps, 1)
      expect(successor).toBeDefined()
    })
    await sendClaimedMail(deps, late!)
    expect(await waitingMail(portal)).toHaveLength(1)
    await sendClaimedMail(deps, successor!)
    expect(await waitingMail(portal)).toEqual([])
  })
})

describe('nothing in a letter becomes a header or another recipient', () => {
  test('line breaks in subject and name stay text', async () => {
    await queue({
      subject: 'Mã OTP\r\nBcc: kexau@thu.test\r\n\r\n<h1>chào</h1>',
      username: 'tuan\r\nBcc: kexau@thu.test',
    })
    await sendMailOnce(deps)
    const [received] = server.letters
    expect(received?.recipients).toEqual(['tuan@thu.test'])
    expect(received?.subject).toBe('Mã OTP Bcc: kexau@thu.test <h1>chào</h1>')
    expect(received?.bcc).toBeUndefined()
    expect(received?.headers.map(({ key }) => key)).not.toContain('bcc')
  })

  test.each(['tuan@thu.test\r\nBcc: kexau@thu.test', 'tuan@thu.test, kexau@thu.test', 'A <tuan@thu.test>'])(
    'an address that is more than one (%j) gets no letter at all',
    async (to) => {
      await queue({ to })
      await sendMailOnce(deps)
      expect(server.letters).toEqual([])
      expect(await waitingMail(portal)).toEqual([])
    },
  )
})

describe('a mail server that cannot be trusted', () => {
  test('gets no letter: its certificate is checked, by smtps and by STARTTLS', async () => {
    for (const options of [{ secure: true }, { disabledCommands: ['AUTH'] }]) {
      const impostor = await startMailServer(0, options)
      const isSecure = 'secure' in options
      const mailer = openSmtpMailer({ host: '127.0.0.1', port: impostor.port, isSecure, login: null })
      await queue()
      await sendMailOnce({ ...deps, mailer })
      expect(impostor.letters).toEqual([])
      expect((await waitingMail(portal))[0]?.attempt).toBe(1)
      await portal.db.deleteFrom('mail_outbox').execute()
      await impostor.close()
    }
  })
})

describe('without a mail server', () => {
  test('each mail becomes a file whose name sorts by time and contains no address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-mail-'))
    try {
      const files: MailDeps = { ...deps, mailer: openFileMailer(join(folder, 'mail')), mailFrom: null }
      for (const to of ['mot@thu.test', 'hai@thu.test', 'ba@thu.test']) {
        await queue({ to })
        await sendMailOnce(files)
      }
      const names = await readdir(join(folder, 'mail'))
      expect(names).toHaveLength(3)
      for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT[\d.-]+Z-\d{10}-test\.eml$/)
      const read = await Promise.all(
        names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, 'mail', name)))),
      )
      expect(read.map(({ to }) => to?.[0]?.address)).toEqual(['mot@thu.test', 'hai@thu.test', 'ba@thu.test'])
      expect(read[0]?.from).toEqual({ name: 'Tinh Hoa Ninja', address: 'khong-tra-loi@127.0.0.1' })
      expect((await stat(join(folder, 'mail', names[0]!))).mode & 0o077).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
