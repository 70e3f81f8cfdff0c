import { useEffect, useRef } from 'react'

type Props = { bitmap: ImageBitmap | null; alt: string; className?: string }

/** Wider pictures are drawn smaller. */
const SIDE_MAX = 1_200

/** A canvas, since the content security policy permits no pictures without an address of the portal. */
export function Picture({ bitmap, alt, className = '' }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width = 1, height = 1 } = bitmap ?? {}
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height))
  const [shownWidth, shownHeight] = [Math.ceil(width * scale), Math.ceil(height * scale)]
  useEffect(() => {
    if (bitmap) canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0, shownWidth, shownHeight)
  }, [bitmap, shownWidth, shownHeight])
  return (
    <canvas
      ref={canvas}
      width={shownWidth}
      height={shownHeight}
      role="img"
      aria-label={alt}
      className={`rounded border border-line bg-sunken ${className}`}
    />
  )
}
