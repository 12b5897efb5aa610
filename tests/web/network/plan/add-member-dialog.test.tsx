import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { useNetworkInfo } from '#pages/network/api.ts'
import { AddMemberDialog } from '#pages/network/plan/add-member-dialog.tsx'
import { member } from '../member.ts'
import { openPage, QUOTA } from '../open-page.tsx'
import { candidateApi } from './candidate-api.ts'
import { inNetwork, option } from './option.ts'

const before = [member('h1', { role: 'center' }), member('h2')]
const info = (members = before, revision = 4, quota = {}) => ({
  data: {
    network_number: 'N1',
    network_name: '总部互联',
    network_status: 1,
    revision,
    network_config: { ...QUOTA, ...quota },
    member: members,
    overlaps: [],
  },
})
const lan = ['10.1.0.0/24']
const router = [
  option('h1', { networks: [inNetwork('N1', 0)] }),
  option('h2', { networks: [inNetwork('N1')], lan }),
  option('h3'),
  option('h4', { lan }),
  option('h5', { networks: Array.from({ length: 8 }, (_, n) => inNetwork(`X${n}`)) }),
]
const offered = { router, app: [option('s1@qiming', { routerType: 2 })] }

const [onSaved, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
function Host() {
  const network = useNetworkInfo('N1').data?.data
  const [isOpen, setOpen] = useState(true)
  if (network === undefined || !isOpen) return <p>closed</p>
  const close = () => {
    onClose()
    setOpen(false)
  }
  return <AddMemberDialog info={network} onSaved={onSaved} onClose={close} />
}
const open = (handlers = {}) =>
  openPage(<Host />, '/network/detail?network_number=N1', {
    'network/info': info(),
    ...candidateApi(offered),
    ...handlers,
  })
const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name: `选择 ${name}` }))
const submit = () => userEvent.click(screen.getByRole('button', { name: '添加' }))
const setCenter = (name: string) =>
  userEvent.click(within(screen.getByRole('group', { name: `${name}的角色` })).getByRole('button', { name: '中心点' }))

describe('adding members', () => {
  it('begins in the search box, and offers only who is not in the network', async () => {
    open()
    const search = await screen.findByLabelText('搜索备注、序列号、账号或网段')
    expect(document.activeElement).toBe(search)
    await screen.findByRole('checkbox', { name: '选择 h3' })
    expect(screen.queryByRole('checkbox', { name: '选择 h2' })).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '选择 h5' }).disabled).toBe(true)
    await screen.findByText('已加入 8 个组网，达到上限')
  })

  it('sends several at once, in one call, with the revision', async () => {
    const { api } = open({ 'network/edit': { msg: '保存成功' } })
    await choose('h3')
    await setCenter('h3')
    await choose('s1@qiming')
    await screen.findByText('席位 5/5')
    await submit()
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toEqual({
        network_number: 'N1',
        network_name: '总部互联',
        revision: 4,
        center: ['h1', 'h3'],
        point: ['h2', 's1@qiming'],
      }),
    )
    await screen.findByText('closed')
    expect(onSaved).toHaveBeenCalledOnce()
  })

  it('asks for members, and shows an overlap before it is sent', async () => {
    const { api } = open()
    await choose('h4')
    await screen.findByText('网段冲突 2 个成员') // h2 is not offered, but concerned
    await submit()
    await screen.findByText('网段冲突：h2（10.1.0.0/24）与h4（10.1.0.0/24）重叠，请调整后再添加')
    await choose('h4')
    await submit()
    await screen.findByText(ERRORS.NETWORK_MEMBERS_REQUIRED.msg)
    expect(api.last('network/edit')).toBeUndefined()
  })

  it('network 5: offers the upgrade where the quota has dropped meanwhile', async () => {
    const msg = '最多支持4个成员，如需使用更多成员数请升级！'
    open({ 'network/edit': { code: 422, msg, reason: 'MEMBER_LIMIT_REACHED', data: { field: 'point' } } })
    await choose('h3')
    await submit()
    await screen.findByText(msg)
    await userEvent.click(screen.getByRole('button', { name: '立即升级' }))
    await screen.findByText('暂时无法升级')
    await userEvent.click(screen.getByRole('button', { name: '暂不升级' }))
    expect(screen.queryByText(msg)).toBeNull()
    for (const close of screen.getAllByRole('button', { name: '关闭提示' })) await userEvent.click(close) // toasts outlive their page
  })

  it('takes what somebody else has saved meanwhile under the own choice', async () => {
    let current = info()
    const { api } = open({
      'network/info': () => current,
      'network/edit': ({ input }: { input: Record<string, unknown> }) =>
        input['revision'] === 4
          ? { code: 422, msg: ERRORS.NETWORK_CHANGED.msg, reason: 'NETWORK_CHANGED' as const }
          : { msg: '保存成功' },
    })
    await choose('h3')
    await submit()
    current = info([before[0]!, member('h9')], 5)
    await userEvent.click(await screen.findByRole('button', { name: '合并最新成员后继续' }))
    await waitFor(() => expect(screen.queryByText(new RegExp(ERRORS.NETWORK_CHANGED.msg))).toBeNull())
    await submit()
    await waitFor(() =>
      expect(api.last('network/edit')?.input).toMatchObject({ revision: 5, center: ['h1'], point: ['h9', 'h3'] }),
    )
  })
})
