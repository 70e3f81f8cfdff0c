import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Facts } from '#ui/facts.tsx'
import { vnd } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { read } from '#admin/query.ts'

const copy = kitCopy.qr

/** The QR of a receiving account as players would see it, to be scanned and paid once before the account counts. */
export function TestQr({ value }: { value: string }) {
  if (value === '') return <Alert tone="note">{copy.closed}</Alert>
  return (
    <Loaded query={read(operatorSettings.previewQr, { body: { value } })}>
      {({ bin, number, name, amount, memo, qr_svg }) => (
        <figure className="grid items-center gap-3 sm:grid-cols-[11rem_1fr]">
          <img
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr_svg)}`}
            width={176}
            height={176}
            alt={copy.alt(number)}
            className="rounded-lg border border-line bg-[#fff]"
          />
          <figcaption className="space-y-2">
            <p>{copy.scan}</p>
            <Facts
              facts={[
                { label: copy.bin, value: bin },
                { label: copy.number, value: number },
                { label: copy.name, value: name },
                { label: copy.amount, value: vnd(amount) },
                { label: copy.memo, value: memo },
              ]}
            />
          </figcaption>
        </figure>
      )}
    </Loaded>
  )
}
