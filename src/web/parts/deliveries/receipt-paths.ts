import { paths } from '#web/paths.ts'

/** Where the receipt of a purchase is; apart from the other paths, which are loaded with the first page. */
export const receiptPath = (deliveryId: string): string => `${paths.deliveries}/${deliveryId}`
