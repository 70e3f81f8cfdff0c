import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { CLAIM_PICTURE_PATH } from '#contract/operator/recharge-claims.ts'
import { claimsCopy as copy } from '#admin/features/recharge-claims/claims.copy.ts'
import { readFile } from '#admin/console-call.ts'
import { LoadFailure } from '#admin/kit/loaded.tsx'
import { PageSkeleton } from '#admin/kit/page-skeleton.tsx'

/** It is behind the console's session, so that an `img` cannot load it by its address. */
export function ClaimPicture({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [CLAIM_PICTURE_PATH, id],
    queryFn: () => readFile(CLAIM_PICTURE_PATH.replace('{id}', id)),
    staleTime: Infinity,
  })
  if (error) return <LoadFailure error={error} onRetry={refetch} />
  return data === undefined ? <PageSkeleton /> : <Shown picture={data} />
}

/** Its address lives as long as it is shown. */
function Shown({ picture }: { picture: Blob }) {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const address = URL.createObjectURL(picture)
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [picture],
  )
  return <img ref={show} alt={copy.pictureAlt} className="max-h-[40rem] max-w-full rounded-lg" />
}
