import { describe, expect, it } from 'vitest'
import type { Overview } from '../../../worker/contract/overview.ts'
import type { Grants } from '../../../worker/contract/permissions.ts'
import { toFirstSteps } from '../../../web/features/dashboard/first-steps.ts'
import { NO_STATES } from '../lib/fixtures.ts'
import { createOverview } from './overview-fixture.ts'

const MAIN: Grants = { kind: 'main', flags: [], networks: null }
const NEW: Partial<Overview> = {
  members: { hardware: NO_STATES, software: NO_STATES, software_max: 0 },
  seats: { used: 0, total: 0 },
  service_end: null,
  alerts: 0,
  networks: [],
}
const SERVED: Partial<Overview> = { ...NEW, seats: { used: 0, total: 10 } }
const hardware = (state: 'online' | 'offline' | 'never' | 'disabled') => ({
  members: { hardware: { ...NO_STATES, [state]: 1 }, software: NO_STATES, software_max: 0 },
})
const { networks } = createOverview()

const stepsOf = (over: Partial<Overview>, grants = MAIN) => toFirstSteps(createOverview(over), grants)
const doneOf = (over: Partial<Overview>) => stepsOf(over)?.map(({ isDone }) => isDone)
const nextOf = (over: Partial<Overview>, grants = MAIN) =>
  stepsOf(over, grants)?.find(({ action }) => action !== undefined)

describe('first steps', () => {
  it('are those of the review, in this order', () => {
    expect(stepsOf(NEW)?.map(({ title }) => title)).toEqual(['开通服务', '认领硬件', '建组网', '看到在线', '开启告警'])
  })

  it.each([0, 1] as const)('end with alerts, which are on: %i', (alerts) => {
    expect(stepsOf({ ...NEW, alerts })?.at(-1)).toMatchObject({ title: '开启告警', isDone: alerts === 1 })
  })

  it.each<[string, Partial<Overview>, boolean[], string]>([
    ['nothing yet', NEW, [false, false, false, false, false], '联系服务商 /ticket/create'],
    ['a service', SERVED, [true, false, false, false, false], '添加成员 /router/lists'],
    ['a device', { ...SERVED, ...hardware('never') }, [true, true, false, false, false], '创建组网 /network/create'],
    [
      'a network',
      { ...SERVED, ...hardware('never'), networks },
      [true, true, true, false, false],
      '查看成员 /router/lists?state=never',
    ],
    [
      'a device without a service',
      { ...NEW, ...hardware('online') },
      [false, true, false, true, false],
      '联系服务商 /ticket/create',
    ],
  ])('with %s', (_, over, done, next) => {
    expect(doneOf(over)).toEqual(done)
    const { label, to } = nextOf(over)?.action ?? {}
    expect(`${label} ${to}`).toBe(next)
  })

  it('are over once a device in a network was online, and stay over when the service ends', () => {
    expect(stepsOf({ ...SERVED, ...hardware('offline'), networks })).toBeNull()
    expect(stepsOf({ ...NEW, ...hardware('offline'), networks })).toBeNull()
    expect(stepsOf({ ...SERVED, ...hardware('disabled'), networks })).not.toBeNull()
  })

  it.each<[string, Partial<Overview>, Grants, string | null]>([
    ['may not claim', SERVED, { kind: 'ram', flags: [], networks: null }, null],
    ['may claim', SERVED, { kind: 'ram', flags: ['router:create'], networks: null }, '添加成员'],
    [
      'is limited to networks and creates none',
      { ...SERVED, ...hardware('never') },
      { kind: 'ram', flags: ['network:create'], networks: ['N9'] },
      null,
    ],
  ])('offer what the role may do: it %s', (_, over, grants, label) => {
    expect(nextOf(over, grants)?.action?.label ?? null).toBe(label)
  })
})
