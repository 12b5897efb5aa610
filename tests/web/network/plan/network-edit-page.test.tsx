import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { member } from '../member.ts'
import { info as networkInfo } from '../open-network.tsx'
import { candidateApi } from './candidate-api.ts'
import { candidate, choose, find, names, offered, open, sum } from './plan-page.tsx'

const info = (members: ReturnType<typeof member>[], revision = 1) => networkInfo(members, { revision, link: [] })

describe('managing members', () => {
  const before = [member('h1', { role: 'center' }), member('h2')]

  it('sends the revision it started from', async () => {
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': info(before, 7),
      'network/edit': { msg: '修改成功' },
    })
    await screen.findByRole('heading', { name: '管理成员' })
    await find()
    await choose('h3')
    expect(sum()).toBe('已选 3（新增 1） · 中心点 1/2 · 席位 4/5 · 网段无冲突')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toEqual({
        network_name: '总部互联',
        network_number: 'N1',
        revision: 7,
        center: ['h1'],
        point: ['h2', 'h3'],
      }),
    )
  })

  it('promises no limited role that the segments are free, which only the server can see', async () => {
    const limited = { ram: 1, networks: ['N1'] }
    open('/network/edit?network_number=N1', { 'network/info': info(before) }, limited)
    await find()
    await choose('h3')
    expect(sum()).toBe('已选 3（新增 1） · 中心点 1/2 · 席位 4/5 · 网段在保存时检查')
  })

  it.each([
    ['a new name alone hands on no baseline of a roll-out', false],
    ['a new member does', true],
  ])('%s', async (_, isMoved) => {
    const { router } = open('/network/edit?network_number=N1', {
      'network/info': info(before, 7),
      'network/edit': { msg: '修改成功' },
    })
    await find()
    await userEvent.type(screen.getByRole('textbox', { name: '组网名称' }), '新')
    if (isMoved) await choose('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/detail'))
    expect(router.state.location.state).toEqual(isMoved ? { baseline: { h1: 1, h2: 1 } } : null)
  })

  it('a segment conflict names both owners and keeps the plan', async () => {
    const conflict = '网段冲突：总部（10.0.0.0/8）与分支（10.1.0.0/16）重叠，请调整后再添加'
    open('/network/edit?network_number=N1', {
      'network/info': info(before),
      'network/edit': { code: 422, msg: conflict, data: { field: 'point' } },
    })
    await find()
    await choose('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(conflict)
    expect(names('普通点')).toEqual(['h2', 'h3'])
  })

  it('changes of another user are merged under the own changes', async () => {
    let current = info(before, 1)
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': () => current,
      'network/edit': ({ input }: { input: Record<string, unknown> }) =>
        input['revision'] === 1
          ? { code: 422, msg: ERRORS.NETWORK_CHANGED.msg, reason: 'NETWORK_CHANGED' as const }
          : { msg: '修改成功' },
    })
    await find()
    await choose('h3')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    current = info([...before, member('h4')], 2)
    await userEvent.click(await screen.findByRole('button', { name: '合并最新成员后继续' }))
    await waitFor(() => expect(names('普通点')).toEqual(['h2', 'h3', 'h4']))
    expect(screen.queryByText(new RegExp(ERRORS.NETWORK_CHANGED.msg))).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toMatchObject({ revision: 2, point: ['h2', 'h4', 'h3'] }),
    )
  })

  it.each([
    ['keeps the name that others gave it', '', '全国互联'],
    ['keeps the name that was typed here', '二', '总部互联二'],
  ])('on top of a later revision %s', async (_, typed, saved) => {
    let current = info(before)
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': () => current,
      'network/edit': ({ input }: { input: { revision: number } }) =>
        input.revision === 1
          ? { code: 422, reason: 'NETWORK_CHANGED', msg: ERRORS.NETWORK_CHANGED.msg }
          : { msg: '修改成功' },
    })
    await find()
    await choose('h3')
    if (typed !== '') await userEvent.type(screen.getByLabelText(/组网名称/), typed)
    current = networkInfo(before, { revision: 2, link: [], network_name: '全国互联' })
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await userEvent.click(await screen.findByRole('button', { name: '合并最新成员后继续' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/组网名称/).value).toBe(saved))
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('network/edit')?.input).toMatchObject({ revision: 2, network_name: saved }))
  })

  it('leaves for the list, without asking, when the network has been deleted meanwhile', async () => {
    let current: object = info(before)
    const gone = { code: 204, msg: ERRORS.NETWORK_NOT_FOUND.msg }
    const { router } = open('/network/edit?network_number=N1', { 'network/info': () => current, 'network/edit': gone })
    await find()
    await choose('h3')
    current = gone
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
    expect(screen.queryByText(ERRORS.NETWORK_NOT_FOUND.msg)).not.toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('drops a chosen member that has been deleted meanwhile', async () => {
    let candidates = offered
    const { api } = open('/network/edit?network_number=N1', {
      'network/info': info(before),
      ...candidateApi(() => candidates),
      'network/edit': ({ input }: { input: { point: string[] } }) =>
        input.point.includes('h4') ? { code: 204, msg: ERRORS.ROUTER_NOT_FOUND.msg } : { msg: '修改成功' },
    })
    await find()
    await choose('h3')
    await choose('h4')
    candidates = { ...offered, router: ['h1', 'h2', 'h3'].map((name) => candidate(name)) }
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(ERRORS.ROUTER_NOT_FOUND.msg)
    await waitFor(() => expect(sum()).toContain('已选 3'))
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await waitFor(() => expect(api.last('network/edit')?.input).toMatchObject({ point: ['h2', 'h3'] }))
  })

  it('drops the only chosen member when that has been deleted meanwhile', async () => {
    let candidates = offered
    open('/network/edit?network_number=N1', {
      'network/info': info(before),
      ...candidateApi(() => candidates),
      'network/edit': { code: 204, msg: ERRORS.ROUTER_NOT_FOUND.msg },
    })
    await find()
    await choose('h4')
    candidates = { ...offered, router: offered.router.slice(0, 3) }
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(ERRORS.ROUTER_NOT_FOUND.msg)
    await waitFor(() => expect(sum()).toContain('已选 2'))
  })

  it('asks before unsaved changes are left', async () => {
    const { router } = open('/network/edit?network_number=N1', { 'network/info': info(before) })
    await find()
    await choose('h3')
    await userEvent.click(screen.getByRole('link', { name: '组网列表' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(router.state.location.pathname).toBe('/network/edit')
    await userEvent.click(dialog.getByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/network/lists'))
  })
})
