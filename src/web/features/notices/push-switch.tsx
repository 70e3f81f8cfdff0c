import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { addPushSubscription, getPushKey, removePushSubscription } from '#contract/notices.ts'
import { InAppHint } from '#web/parts/in-app/in-app-hint.tsx'
import { browserCall } from '#web/browser-call.ts'
import { noticesCopy as copy } from '#web/parts/notices/notices.copy.ts'
import { Switch } from '#web/parts/notices/switch.tsx'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { ownQuery } from '#web/query-client.ts'

const keyQuery = { ...ownQuery<typeof getPushKey>('/push/key'), staleTime: 0 }

/** What this browser can do and has, null until it is known. */
type OnDevice = 'unsupported' | 'blocked' | 'subscribed' | 'ready' | null

const registrationOf = async () => (await navigator.serviceWorker.getRegistration()) ?? null

async function readDevice(): Promise<OnDevice> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported'
  const registration = await registrationOf()
  if (registration === null) return 'unsupported'
  if (Notification.permission === 'denied') return 'blocked'
  const isAllowed = Notification.permission === 'granted'
  const subscription = isAllowed ? await registration.pushManager.getSubscription() : null
  return subscription === null ? 'ready' : 'subscribed'
}

/** Whether this browser is told. Only a tap here makes the browser ask for permission. */
export function PushSwitch() {
  const client = useQueryClient()
  const { data: key } = useQuery(keyQuery)
  const [device, setDevice] = useState<OnDevice>(null)
  // Shown at once, and taken back where it did not come about.
  const [chosen, setChosen] = useState<boolean | null>(null)
  useEffect(() => {
    readDevice().then(setDevice, () => setDevice('unsupported'))
  }, [])

  async function choose(isWanted: boolean) {
    if (key === undefined) return
    setChosen(isWanted)
    try {
      if (isWanted) await turnOn(key.public_key)
      else await turnOff(key.subscription_id)
    } catch (error) {
      // A browser says nothing that a player could use.
      if (error instanceof DOMException) showToast(copy.pushFailed)
      else reportFailure(error)
    }
    await client.invalidateQueries({ queryKey: keyQuery.queryKey })
    setDevice(await readDevice())
    setChosen(null)
  }

  const isStuck = device === 'unsupported' || device === 'blocked'
  const texts = { unsupported: copy.pushUnsupported, blocked: copy.pushBlocked }
  return (
    <>
      {device === 'unsupported' && <InAppHint text={copy.pushInApp} className="mb-3" />}
      <Switch
        label={copy.push}
        text={isStuck ? texts[device] : copy.pushText}
        isOn={chosen ?? (device === 'subscribed' && typeof key?.subscription_id === 'string')}
        disabled={chosen !== null || isStuck || device === null || key === undefined}
        onChange={(isWanted) => void choose(isWanted)}
      />
    </>
  )
}

async function turnOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return
  const registration = await registrationOf()
  if (registration === null) return
  // One of an earlier player, or of an earlier key.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint, keys } = subscription.toJSON()
  await browserCall<typeof addPushSubscription>(
    { method: 'POST', path: '/push/subscriptions' },
    {
      body: {
        endpoint: endpoint ?? '',
        keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
      },
    },
  )
}

async function turnOff(id: string | null): Promise<void> {
  if (id !== null)
    await browserCall<typeof removePushSubscription>(
      { method: 'DELETE', path: '/push/subscriptions/{id}' },
      { params: { id } },
    )
  const registration = await registrationOf()
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}
