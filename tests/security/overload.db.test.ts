import { expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { benchAlike } from '../bench/alike.ts'
import { benchLogins } from '../bench/logins.ts'

// The short forms of `npm run bench`. Bounds are wide enough for a machine that does other things meanwhile, and what
// is measured is measured again when it misses them: a fault of the portal's is there each time.
const MEASURED = { timeout: 180_000, retry: 2 }

// With all cases; in npm test `login.db.test.ts` holds the same for fewer logins.
test.runIf(hasAllCases)(
  'security row 36: of 100 logins at once each is answered rightly or gets a waiting time, and everybody else is served',
  MEASURED,
  async () => {
    const { baseline, besideOthers, floods, routes, hashesAtOnceMax } = await benchLogins({
      logins: 100,
      runs: 1,
    })
    expect(hashesAtOnceMax).toBeGreaterThanOrEqual(1)
    for (const { signedIn, busy, seconds } of [baseline, besideOthers]) {
      expect(signedIn + busy).toBe(50)
      // On a machine that has far more to do some would wait for longer than ten seconds, and are refused.
      expect(seconds < 5 ? busy : 0).toBe(0)
    }
    for (const { signedIn, refused, busy, wrong, seconds, memoryGrowthMb } of floods) {
      expect(wrong).toBe(0)
      expect(signedIn + refused + busy).toBe(100)
      expect(signedIn).toBeGreaterThan(0)
      expect(refused).toBeGreaterThan(0)
      // Nobody waits for much longer than ten seconds, however busy the machine is.
      expect(seconds).toBeLessThan(20)
      expect(memoryGrowthMb).toBeLessThan(200)
    }
    expect(Object.keys(routes)).toEqual(['/api/posts', '/home', '/api/auth/verify'])
    for (const { medianP99Ms, boundMs } of Object.values(routes))
      expect(medianP99Ms).toBeLessThan(boundMs + 500)
  },
)

test.runIf(hasAllCases)(
  'security row 06: a wrong login takes as long, and gets the same answer, for a name that nobody has',
  MEASURED,
  async () => {
    const { login } = (await benchAlike({ samples: 30, runs: 2, calls: ['login'] })).calls
    expect(login).toMatchObject({ statuses: [422], isOneAnswer: true })
    expect(login!.differenceMs).toBeLessThan(Math.max(15, 3 * login!.boundMs))
  },
)
