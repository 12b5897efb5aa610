import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { FIRST_STEPS, type FirstStep, type FirstStepState } from '#contract/overview/index.ts'
import { toastStore } from '#lib/toast/toast.ts'
import { NO_STATES } from '../lib/fixtures.ts'
import { openDashboard } from './open-dashboard.tsx'
import { createOverview } from './overview-fixture.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const withSteps = (over: Partial<Record<FirstStep, FirstStepState['state']>>): FirstStepState[] =>
  FIRST_STEPS.map((step) => ({ step, state: over[step] ?? 'open' }))
const EMPTY = { members: { hardware: NO_STATES, software: NO_STATES, software_max: 0 }, networks: [] }
const rowsOf = async (title: RegExp) =>
  within(await screen.findByRole('region', { name: title })).getAllByRole('listitem')

it('stands in place of zeros while nothing runs; each step can be skipped and put back', async () => {
  let steps = withSteps({ service: 'done' })
  const api = openDashboard({
    overview: EMPTY,
    handlers: {
      'overview/info': () => ({ data: createOverview({ ...EMPTY, first_steps: steps }) }),
      'overview/dismiss_steps': ({ input }) => {
        const { steps: named, dismissed } = input as { steps: FirstStep[]; dismissed: 0 | 1 }
        steps = steps.map((one) =>
          named.includes(one.step) ? { ...one, state: dismissed === 1 ? 'dismissed' : 'open' } : one,
        )
        return {}
      },
    },
  })
  const rows = await rowsOf(/开始使用（已完成 1\/6）/)
  expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual([null, 'step', null, null, null, null])
  for (const title of ['待处理', '成员', '席位与服务', '组网健康', '24 小时在线情况', '当前状态'])
    expect(screen.queryByRole('region', { name: title })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '跳过添加成员' }))
  expect(api.last('overview/dismiss_steps')?.input).toEqual({ steps: ['software'], dismissed: 1 })
  await userEvent.click(await screen.findByRole('button', { name: '恢复添加成员' }))
  expect(await screen.findByRole('button', { name: '跳过添加成员' })).not.toBeNull()
})

it('is gone once the account wants to see no more', async () => {
  let steps = withSteps({ service: 'done', hardware: 'done' })
  const api = openDashboard({
    handlers: {
      'overview/info': () => ({ data: createOverview({ ...EMPTY, first_steps: steps }) }),
      'overview/dismiss_steps': () => {
        steps = []
        return {}
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: '不再显示' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: /开始使用/ })).toBeNull())
  expect(api.last('overview/dismiss_steps')?.input).toEqual({ steps: ['software', 'network', 'online', 'alert'] })
})

it('stands above the numbers until a network runs', async () => {
  openDashboard({ overview: { first_steps: withSteps({ hardware: 'done' }) } })
  const steps = await screen.findByRole('region', { name: /开始使用/ })
  const members = await screen.findByRole('region', { name: '成员' })
  expect(steps.compareDocumentPosition(members)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it.each([
  ['nothing is to be attended to', 0, null],
  ['something is', 1, 'SECTION'],
] as const)('stands in place of 待处理 while %s', async (_, count, shown) => {
  const first_steps = withSteps({ hardware: 'done' })
  openDashboard({ overview: { first_steps, attention: { count, rows: [] } } })
  await screen.findByRole('region', { name: /开始使用/ })
  expect(screen.queryByRole('region', { name: '待处理' })?.tagName ?? null).toBe(shown)
})

it('offers what is left below everything else, once devices run', async () => {
  openDashboard({ overview: { first_steps: withSteps({ hardware: 'done', network: 'done', online: 'done' }) } })
  const rows = await rowsOf(/接下来可以做/)
  expect(rows.map((row) => row.querySelector('strong')?.textContent)).toEqual(['开通服务', '添加成员', '开启告警'])
  const members = await screen.findByRole('region', { name: '成员' })
  expect(members.compareDocumentPosition(rows[0]!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})

it('is not there for an account with nothing left to do', async () => {
  openDashboard()
  await screen.findByRole('region', { name: '成员' })
  expect(screen.queryByRole('region', { name: /开始使用|接下来/ })).toBeNull()
})

it('leaves the decision to the main account, and a role without rights without actions', async () => {
  openDashboard({
    overview: { ...EMPTY, first_steps: withSteps({ service: 'done' }) },
    user: { ram: 1, flags: [], networks: null },
  })
  const rows = await rowsOf(/开始使用/)
  expect(screen.queryByRole('button', { name: '不再显示' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^跳过/ })).toBeNull()
  expect(within(rows[1]!).queryByRole('button')).toBeNull()
  expect(rows[1]!.textContent).toContain('当前角色没有权限，请联系主账号')
})

it('a claimed device is awaited with a running time, with hints after two minutes, and its arrival is said', async () => {
  const awaitedSince = (agoMs: number) => ({ router_name: 'NL-1', note: '总部', since: Date.now() - agoMs })
  let overview = createOverview({
    ...EMPTY,
    first_steps: withSteps({ service: 'done', hardware: 'done' }),
    awaited: awaitedSince(42_000),
  })
  openDashboard({
    overview: EMPTY,
    handlers: { 'overview/info': () => ({ data: overview }), 'overview/dismiss_steps': {} },
  })
  const reread = async () => userEvent.click(await screen.findByRole('button', { name: '跳过开启告警' }))
  const row = async () => (await rowsOf(/开始使用/))[4]!
  expect((await row()).textContent).toMatch(/“总部”等待上线 0:4\d/)
  expect((await row()).textContent).not.toContain('TCP 443')
  overview = { ...overview, awaited: awaitedSince(121_000) }
  await reread()
  await waitFor(async () => expect((await row()).textContent).toMatch(/等待上线 2:0\d.*TCP 443/))
  overview = {
    ...overview,
    awaited: null,
    first_steps: withSteps({ service: 'done', hardware: 'done', online: 'done' }),
  }
  await reread()
  await waitFor(() => expect(toastStore.get().map(({ text }) => text)).toContain('“总部”已上线'))
})
