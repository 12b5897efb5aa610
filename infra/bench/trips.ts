import { DEMO_PASSWORD } from '../demo/data.ts'
import { outboxCode } from '../local/api.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { callEndpoint } from '../local/api.ts'
import { signIn } from '../demo/load.ts'
import { type Finding, print } from './report.ts'
import type { Stack } from './stack.ts'
import { type Walker, walk } from './walk.ts'

const BUDGET = { most: 2, shareWithOne: 0.95 }

/** D1 round trips of every call of a working day, as the Worker itself counts them. */
export async function benchTrips({ origin, operatorToken }: Stack): Promise<readonly Finding[]> {
  const routers = ['NLBENCH1', 'NLBENCH2'] as const
  const demo = await signIn(origin, 'demo02')
  for (const serial of routers) {
    const input = { serial, model: 'NL-R220' }
    const { activation_code: code } = await callEndpoint(
      origin,
      '/ops/v1',
      opsApi.provisionDevice,
      input,
      operatorToken,
    )
    await callEndpoint(origin, '/api/v1', routerApi.add, { router_type: 1, username: serial, code }, demo)
  }
  const trips = new Map<string, number>()
  const walker: Walker = {
    captcha: (uniqid) => outboxCode(origin, 'captcha', { uniqid }),
    call: (spec, input, token) =>
      callEndpoint(origin, '/api/v1', spec, input, token, (headers) =>
        trips.set(spec.path, Number(headers.get('x-db-trips'))),
      ),
  }
  await walk(walker, 'demo02', DEMO_PASSWORD, routers)
  const counted = [...trips].toSorted(([a], [b]) => a.localeCompare(b))
  const findings: Finding[] = [
    ...counted.map(([what, value]) => ({ what, value, unit: 'trips', budget: BUDGET.most })),
    {
      what: 'share of calls with one trip at the most',
      value: counted.filter(([, value]) => value <= 1).length / counted.length,
      unit: '',
      budget: BUDGET.shareWithOne,
      must: 'reach',
    },
  ]
  print('D1 round trips per endpoint', findings)
  return findings
}
