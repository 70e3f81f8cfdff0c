import * as z from 'zod'
import { madeUpByDemo, secretList, webUrl } from '#server/platform/process/environment.ts'
import type { PaymentVendor } from '../payment-vendor.rules.ts'
import { openMomoGateway } from './gateway.client.ts'
import { openMomoNotices, type MomoKeys } from './notifications.ts'

const env = z
  .object({
    MOMO_PARTNER_CODE: madeUpByDemo(
      z
        .string()
        .regex(/^[\w-]{1,50}$/, 'the code MoMo knows us by')
        .optional(),
    ),
    MOMO_ACCESS_KEY: madeUpByDemo(secretList.optional()),
    MOMO_SECRET_KEY: madeUpByDemo(secretList.optional()),
    MOMO_MODE: z.enum(['qr', 'gateway']).default('qr'),
    MOMO_BASE_URL: webUrl.default('https://payment.momo.vn'),
  })
  .check(
    z.refine(
      (given) => [0, 3].includes(countKeys(given)),
      'MOMO_PARTNER_CODE, MOMO_ACCESS_KEY and MOMO_SECRET_KEY: give all three or none',
    ),
    z.refine((given) => {
      const accessKeys = given.MOMO_ACCESS_KEY?.length ?? 0
      return countKeys(given) !== 3 || accessKeys === 1 || accessKeys === given.MOMO_SECRET_KEY?.length
    }, 'MOMO_ACCESS_KEY: give one, or one to each of MOMO_SECRET_KEY in the same order'),
    z.refine(
      (given) => given.MOMO_MODE === 'qr' || countKeys(given) > 0,
      'MOMO_MODE: the gateway needs MOMO_PARTNER_CODE, MOMO_ACCESS_KEY and MOMO_SECRET_KEY',
    ),
  )

type MomoEnvironment = z.output<typeof env>
type MomoSecrets = Pick<MomoEnvironment, 'MOMO_PARTNER_CODE' | 'MOMO_ACCESS_KEY' | 'MOMO_SECRET_KEY'>

function countKeys({ MOMO_PARTNER_CODE, MOMO_ACCESS_KEY, MOMO_SECRET_KEY }: MomoSecrets): number {
  return [MOMO_PARTNER_CODE, MOMO_ACCESS_KEY, MOMO_SECRET_KEY].filter((key) => key !== undefined).length
}

export const momo: PaymentVendor<typeof env> = {
  name: 'momo',
  env,
  openNotices(given) {
    const keys = momoKeysOf(given)
    return keys && openMomoNotices(keys)
  },
  openCheckout(given) {
    const keys = momoKeysOf(given)
    return (
      keys && openMomoGateway({ baseUrl: given.MOMO_BASE_URL, keys, isOpen: given.MOMO_MODE === 'gateway' })
    )
  },
}

export function momoKeysOf(given: MomoSecrets): MomoKeys | null {
  const { MOMO_PARTNER_CODE: partnerCode, MOMO_ACCESS_KEY: accessKeys, MOMO_SECRET_KEY: secrets } = given
  if (!partnerCode || !accessKeys || !secrets) return null
  // Several secrets may share one access key; else the first belongs to the first, the second to the second.
  const credentials = secrets.map((secret, at) => ({
    accessKey: accessKeys[at] ?? (accessKeys[0] as string),
    secret,
  }))
  return { partnerCode, credentials }
}
