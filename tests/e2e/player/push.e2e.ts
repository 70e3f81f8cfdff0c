import type { CDPSession, Page, Worker } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { expect, registerPlayer, signIn, test } from './fixtures.ts'
import { clickHydrated } from './measures.ts'

test.use({ serviceWorkers: 'allow' })

type Shown = { title: string; options: { body: string; tag: string; data: object } }

/** What the test uses of a service worker; TypeScript knows either pages or workers. */
type WorkerScope = {
  WindowClient: { prototype: { focus: (this: object) => Promise<object> } }
  ServiceWorkerRegistration: {
    prototype: { showNotification: (title: string, options: Shown['options']) => Promise<void> }
  }
  ExtendableEvent: new (type: string) => Event
  dispatchEvent: (event: Event) => boolean
  shown: Shown[]
}

const SUBSCRIPTION = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/browser',
  // Any point of the curve, such as its generator.
  keys: {
    p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
    auth: 'A'.repeat(22),
  },
}

/** A headless Chromium shows no notifications and reaches no push service: the page asks these in their place. */
async function withPushService(page: Page): Promise<void> {
  await page.addInitScript((given) => {
    const subscription = {
      toJSON: () => given,
      unsubscribe: async () => (localStorage.removeItem('subscribed'), true),
    }
    Object.defineProperty(Notification, 'permission', {
      get: () => localStorage.getItem('permission') ?? 'default',
    })
    Notification.requestPermission = async () => {
      localStorage.setItem('permission', 'granted')
      return 'granted'
    }
    PushManager.prototype.getSubscription = async () =>
      (localStorage.getItem('subscribed') === null ? null : subscription) as PushSubscription | null
    PushManager.prototype.subscribe = async (options) => {
      localStorage.setItem('subscribed', String(options?.applicationServerKey))
      return subscription as unknown as PushSubscription
    }
  }, SUBSCRIPTION)
}

/** What the browser does when its push service has sent something. */
async function deliver(session: CDPSession, origin: string, content: object): Promise<void> {
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (found) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId,
    data: JSON.stringify(content),
  })
}

/** Notes what the worker would show; a real tap alone may bring a window to the front. */
const noteShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    scope.shown = []
    scope.ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
      scope.shown.push({ title, options })
    }
    scope.WindowClient.prototype.focus = async function focus(this: object) {
      return this
    }
  })

const shown = (worker: Worker) => worker.evaluate(() => (self as unknown as WorkerScope).shown)

/** A tap on the notification that is shown. */
const tap = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    const notification = { data: scope.shown[0]?.options.data, close: () => scope.shown.pop() }
    const event = new scope.ExtendableEvent('notificationclick')
    scope.dispatchEvent(Object.assign(event, { notification }))
  })

test('a player turns notices on for the browser by one tap, reads one that it shows, and turns them off', async ({
  page,
  context,
  request,
}) => {
  const { token } = await registerPlayer(request)
  const headers = { authorization: `Bearer ${token}` }
  await withPushService(page)
  await signIn(page, token)
  await page.goto('/user/notices')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  const choice = page.getByRole('checkbox', { name: 'Nhận thông báo trên máy này' })
  await expect(choice).toBeEnabled()
  await expect(choice).not.toBeChecked()
  await expectAccessibleInBothSchemes(page)

  await choice.check()
  await expect(choice).toBeEnabled()
  await expect(choice).toBeChecked()
  const key = await (await request.get('/api/push/key', { headers })).json()
  expect(key.subscription_id).toMatch(/^\d+$/)
  expect(await page.evaluate(() => localStorage.getItem('subscribed'))).toBe(key.public_key)
  await page.reload()
  await expect(choice).toBeChecked()

  const { origin } = new URL(page.url())
  const content = {
    tag: '7',
    title: 'Đã cộng 50,000 TCoin',
    text: 'Đơn nạp đã được thanh toán.',
    href: '/community',
  }
  const worker = context.serviceWorkers()[0]!
  await noteShown(worker)
  await deliver(await context.newCDPSession(page), origin, content)
  await expect
    .poll(() => shown(worker))
    .toMatchObject([{ title: content.title, options: { body: content.text, tag: '7' } }])
  await tap(worker)
  await expect(page).toHaveURL(/\/community$/)
  expect(await shown(worker)).toEqual([])

  await page.goto('/user/notices')
  await expect(choice).toBeChecked()
  await choice.uncheck()
  await expect(choice).toBeEnabled()
  await expect(choice).not.toBeChecked()
  expect((await (await request.get('/api/push/key', { headers })).json()).subscription_id).toBeNull()
})

test(
  'where the browser forbids notices the choice says so; the daily mail needs a proved address',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
    const { token } = await registerPlayer(request)
    await signIn(page, token)
    await page.goto('/user/notices')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'Nhận thông báo trên máy này' })).toBeDisabled()
    await expect(page.getByText('Trình duyệt đang chặn thông báo của cổng.')).toBeVisible()
    const mail = page.getByRole('checkbox', { name: 'Thư mỗi ngày về thông báo chưa đọc' })
    await mail.click()
    await expect(page.getByText('Hãy xác thực email ở hồ sơ trước khi nhận thư')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(mail).not.toBeChecked()
  },
)

test(
  'a spectator asks to be told when a tournament begins, and changes their mind',
  { tag: '@long' },
  async ({ page, request }) => {
    const { token } = await registerPlayer(request)
    const list = (await (await request.get('/api/tournaments')).json()) as { id: string; name: string }[]
    const { id } = list.find(({ name }) => name === 'Đại Hội Bang Hội Mùa Đông')!
    await signIn(page, token)
    await page.goto(`/tournament/${id}`)
    await clickHydrated(page.getByRole('button', { name: 'Nhắc tôi' }))
    await expect(page.getByText('Cổng sẽ báo cho bạn khi giải bắt đầu.')).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Thôi nhắc' }).click()
    await expect(page.getByRole('button', { name: 'Nhắc tôi' })).toBeVisible()
  },
)
