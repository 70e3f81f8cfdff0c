/** An access key goes into what is signed, so it changes together with its secret. */
export type MomoCredentials = { accessKey: string; secret: string }

/** What opens MoMo's door: our partner code, and the credentials in use and, during a change, the ones before. */
export type MomoKeys = { partnerCode: string; credentials: MomoCredentials[] }
