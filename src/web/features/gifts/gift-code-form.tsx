import { useState } from 'react'
import { paths } from '#contract/pages.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { redeemGiftCode } from '#contract/rewards/gift-codes.ts'
import { Form } from '#client/forms/form.tsx'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { Section } from '#ui/section.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { rememberCharacter, useOwnCharacters, usualCharacter } from '#web/parts/purchase/own-characters.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { patchUser } from '#web/session/session-store.ts'

type Redeemed = AnswerOf<typeof redeemGiftCode>

/** A gift code, and the character that receives its goods. */
export function GiftCodeForm() {
  const { data, isPending } = useOwnCharacters()
  const characters = data?.characters ?? []
  const usual = usualCharacter(characters)?.id ?? ''
  const [redeemed, setRedeemed] = useState<Redeemed | null>(null)
  const form = useSendForm(redeemGiftCode, {
    start: { code: '', character_id: '' },
    toBody: ({ code, character_id }) => ({ code, character_id: character_id || usual || null }),
    onDone(answer, { reset }, { character_id }) {
      const character = characters.find(({ id }) => id === character_id)
      if (character) rememberCharacter(character)
      patchUser({ balance: answer.balance, balance_version: answer.balance_version })
      setRedeemed(answer)
      reset()
    },
  })
  // Its place is below what the same answer fills.
  if (isPending) return null
  return (
    <Section title={copy.codeTitle} className="mt-10 max-w-2xl">
      <Form form={form} id="gift-code" className="scroll-mt-24 space-y-4">
        <p className="text-soft">{copy.codeLead}</p>
        <Field
          {...form.field('code')}
          label={copy.code}
          hint={copy.codeHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        {characters.length > 0 && (
          <SelectField
            {...form.field('character_id')}
            value={form.values.character_id || usual}
            label={copy.characters}
          >
            {usual === '' && <option value="">{copy.chooseCharacter}</option>}
            {characters.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        <Button type="submit" isBusy={form.isSending}>
          {copy.redeem}
        </Button>
        {redeemed && (
          <Alert tone="success">
            <p>{redeemed.message}</p>
            <TextLink to={redeemed.delivery ? paths.deliveries(redeemed.delivery.id) : paths.transactions}>
              {redeemed.delivery ? purchaseCopy.receipt : copy.statement}&nbsp;→
            </TextLink>
          </Alert>
        )}
      </Form>
    </Section>
  )
}
