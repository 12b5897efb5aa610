import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { proposePlan } from '#pages/network/plan/first-proposal.ts'
import type { MemberOption } from '#pages/network/plan/picker/member-plan.ts'
import { QUOTA } from '../open-page.tsx'
import { candidate, choose, names, open, setRole, sum } from './plan-page.tsx'

const option = (
  name: string,
  state: PresenceState,
  wan: readonly string[] = [],
  routerType: 1 | 2 = ROUTER_TYPE.hardware,
) => ({ ...candidate(name, state), wan, routerType }) as unknown as MemberOption
const propose = (members: number, ...options: readonly MemberOption[]) =>
  proposePlan({
    known: new Map(options.map((one) => [one.router_name, one])),
    quota: { members, membersUsed: 0, centers: 2, isSuspended: false },
  })

describe('proposal for the first network', () => {
  it.each([
    ['online with a public address', [option('a', 'online'), option('b', 'online', ['203.0.114.9/24'])], 'b'],
    ['online', [option('a', 'offline', ['203.0.114.9/24']), option('b', 'online', ['192.168.1.9/24'])], 'b'],
    ['the first device', [option('a', 'never'), option('b', 'never')], 'a'],
  ])('takes as centre what is %s', (_, options, center) => {
    expect(propose(5, ...options)).toEqual({ center: [center], point: [center === 'a' ? 'b' : 'a'] })
  })

  it('takes no more points than there are seats, and no software member', () => {
    const people = option('s@q', 'online', [], ROUTER_TYPE.software)
    const devices = ['a', 'b', 'c', 'd'].map((name) => option(name, 'online'))
    expect(propose(3, people, ...devices)).toEqual({ center: ['a'], point: ['b', 'c'] })
    expect(propose(5, people)).toBeNull()
    expect(propose(0, ...devices)).toBeNull()
  })

  it('is chosen in the form, is no unsaved work, and can be changed or dropped', async () => {
    const first = { 'network/config': { data: { ...QUOTA, network_router_use: 0 } } }
    const { api, router } = open('/network/create', {
      ...first,
      'network/create': { msg: '添加成功', data: { network_number: 'N9' } },
    })
    await screen.findByText(/已为您选好中心点和普通点/)
    expect(names('中心点')).toEqual(['h1'])
    expect(names('普通点')).toEqual(['h2', 'h3', 'h4'])
    await choose('h4')
    await setRole('h2', '中心点')
    expect(screen.queryByText(/已为您选好/)).toBeNull()
    await userEvent.type(screen.getByLabelText(/组网名称/), '第一张网')
    await userEvent.click(screen.getByRole('button', { name: '创建组网' }))
    await waitFor(() =>
      expect(api.last('network/create')?.input).toMatchObject({ center: ['h1', 'h2'], point: ['h3'] }),
    )
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/detail'))
  })

  it('is dropped by one click, and asks nothing when the page is left', async () => {
    const first = { 'network/config': { data: { ...QUOTA, network_router_use: 0 } } }
    const { router } = open('/network/create', first)
    await userEvent.click(await screen.findByRole('button', { name: '自己选择' }))
    await waitFor(() => expect(sum()).toMatch(/^已选 0/))
    await userEvent.click(screen.getByRole('button', { name: '取消' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
  })

  it('is not made for an account that has a network', async () => {
    open('/network/create')
    await screen.findByRole('checkbox', { name: '选择 h1' })
    expect(screen.queryByText(/已为您选好/)).toBeNull()
    expect(sum()).toMatch(/^已选 0/)
  })
})
