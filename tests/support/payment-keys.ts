/** What the test portal checks the providers of payments with. */
export const PAYMENT_KEYS = {
  sepay: 'sepay-secret-of-the-tests',
  casso: 'casso-key-of-the-tests',
  cassoToken: 'casso-token-of-the-tests',
  payos: 'payos-key-of-the-tests',
  momo: {
    partnerCode: 'MOMOTESTS',
    accessKey: 'momo-access-of-the-tests',
    secret: 'momo-secret-of-the-tests',
  },
}
