/** The filter of the inbox, from the texts of the address. */
export const toFilter = ({ channel, amount, waiting, ...rest }: Record<string, string>) => ({
  ...rest,
  ...(channel && { channel: Number(channel) }),
  ...(amount && { amount: Number(amount) }),
  ...(waiting && { waiting: true }),
})
