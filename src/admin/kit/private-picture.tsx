import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { readFile } from '#admin/console-call.ts'
import { LoadFailure, PageSkeleton } from './loaded.tsx'

type Props = { path: string; alt: string }

/** A picture that requires the console's session, so that an `img` cannot load it by its address. */
export function PrivatePicture({ path, alt }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['picture', path],
    queryFn: () => readFile(path),
    staleTime: Infinity,
  })
  if (error) return <LoadFailure error={error} onRetry={refetch} />
  return data === undefined ? <PageSkeleton /> : <Shown picture={data} alt={alt} />
}

/** The object URL is revoked when the picture is no longer shown. */
function Shown({ picture, alt }: { picture: Blob; alt: string }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(picture)
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [picture],
  )
  return <img ref={show} alt={alt} className="max-h-[40rem] max-w-full rounded-lg" />
}
