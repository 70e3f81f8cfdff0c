import { useMemo, type ComponentProps } from 'react'

type Props = Omit<ComponentProps<'div'>, 'children' | 'dangerouslySetInnerHTML'> & { html: string }

/**
 * HTML that the server has made safe. React 19 writes it into the document again whenever the object around it is another one
 * (https://github.com/facebook/react/issues/31660): pictures load again, and what was selected or unfolded there is lost.
 */
export function RichText({ html, className = '', ...rest }: Props) {
  const inner = useMemo(() => ({ __html: html }), [html])
  return <div {...rest} className={`rich-text ${className}`} dangerouslySetInnerHTML={inner} />
}
