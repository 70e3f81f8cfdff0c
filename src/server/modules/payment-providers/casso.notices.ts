/** What opens Casso's door: keys of its signatures and plain tokens, each the one in use and, during a change, the one before. */
export type CassoKeys = { webhookKeys: string[]; tokens: string[] }
