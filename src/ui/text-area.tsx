import { useId, type ComponentProps } from 'react'
import { fieldBox } from './field-box.ts'
import { describedBy, Frame, type Labelled } from './field.tsx'

type Props = Labelled & ComponentProps<'textarea'>

/** A field of several lines with its label and its message. */
export function TextArea({ label, error, hint, isOptional, frameClass, className = '', ...rest }: Props) {
  const id = useId()
  return (
    <Frame {...{ id, label, error, hint, isOptional, frameClass }}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
        className={`${fieldBox} ${error ? 'border-vermilion' : 'border-line-strong'} ${className}`}
      />
    </Frame>
  )
}
