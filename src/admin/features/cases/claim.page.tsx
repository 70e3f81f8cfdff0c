import { Navigate } from 'react-router'
import { RowPage } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { operatorClaims } from '#contract/operator/recharge.ts'
import { claimsCopy } from './claim-copy.tsx'
import { Claim } from './claim-parts.tsx'

/** A claim is read with its case, while there is one. */
export const Component = () => (
  <RowPage endpoint={operatorClaims.get}>
    {(claim) =>
      claim.case_id === null ? (
        <ScreenFrame title={`${claimsCopy.one} ${claim.id}`}>
          <Claim claim={claim} />
        </ScreenFrame>
      ) : (
        <Navigate to={`/cases/${claim.case_id}`} replace />
      )
    }
  </RowPage>
)
