/** Where the providers' own interfaces are and what opens them; null where the portal has nothing to ask there. */
export type PaymentApis = {
  sepay: { baseUrl: string; token: string } | null
  casso: { baseUrl: string; token: string } | null
  payos: { baseUrl: string; clientId: string; apiKey: string } | null
  /** Signed with the first of the MoMo credentials. With `isGateway` orders of its channel are made at MoMo. */
  momo: { baseUrl: string; isGateway: boolean } | null
}
