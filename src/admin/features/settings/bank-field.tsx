import { useState } from 'react'
import { BanksObject, VietQRStatus } from 'vietnam-qr-pay'
import { Field, SelectField } from '#ui/field.tsx'
import { settingsCopy } from '#admin/features/settings/settings.copy.ts'

const copy = settingsCopy.bank
const OTHER = 'other'

/** Those that a VietQR code can name, by their usual names. */
const banks = Object.values(BanksObject)
  .filter(
    ({ bin, deprecated, vietQRStatus }) => bin && !deprecated && vietQRStatus !== VietQRStatus.NOT_SUPPORTED,
  )
  .sort((one, other) => one.shortName.localeCompare(other.shortName, 'vi'))

type Props = { bin: string; isWrong: boolean; onBin: (bin: string) => void }

/** The bank of a receiving account, chosen by its name; one that is not in the list by its BIN. */
export function BankField({ bin, isWrong, onBin }: Props) {
  const isListed = bin === '' || banks.some((bank) => bank.bin === bin)
  const [isOther, setOther] = useState(!isListed)
  const invalid = { 'aria-invalid': isWrong || undefined }
  return (
    <>
      <SelectField
        {...invalid}
        label={copy.label}
        hint={copy.hint}
        value={isOther || !isListed ? OTHER : bin}
        onChange={({ target: { value } }) => {
          setOther(value === OTHER)
          onBin(value === OTHER ? '' : value)
        }}
      >
        <option value="">{copy.none}</option>
        {banks.map((bank) => (
          <option key={bank.key} value={bank.bin}>
            {`${bank.shortName} (${bank.bin}) – ${bank.name}`}
          </option>
        ))}
        <option value={OTHER}>{copy.other}</option>
      </SelectField>
      {(isOther || !isListed) && (
        <Field
          {...invalid}
          label={copy.bin}
          hint={copy.binHint}
          placeholder=""
          inputMode="numeric"
          autoComplete="off"
          value={bin}
          onChange={({ target }) => onBin(target.value.trim())}
        />
      )}
    </>
  )
}
