import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { PopEditPage } from '#pages/network/pop/pop-edit-page.tsx'
import { member } from '../member.ts'
import { info } from '../open-network.tsx'
import { openPage } from '../open-page.tsx'

const AREAS = [
  { id: 1, name: '上海' },
  { id: 2, name: '广州' },
  { id: 3, name: '北京' },
]
const members = [member('c1', { role: 'center' }), member('p1')]
const open = (areas: readonly object[] = AREAS, handlers = {}) =>
  openPage(<PopEditPage />, '/network/pop_edit?network_number=N1', {
    'network/info': info(members, { network_type: 3 }),
    'network_fr/ov': { data: areas },
    'network/name': { msg: '修改成功' },
    'network/member_ov': { msg: '设置成功' },
    ...handlers,
  })
const choose = async (label: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: label }))
  const texts = await screen.findAllByText(option)
  fireEvent.click(texts.map((text) => text.closest('[role="option"]')).find((found) => found !== null)!)
}

describe('network 2 · POP config edit', () => {
  it('saves areas of all changed members in one call; the backup comes with more than two areas', async () => {
    const { api } = open()
    await screen.findByRole('textbox', { name: /组网名称/ })
    expect(screen.queryByRole('combobox', { name: /备区域/ })).toBeNull()
    await choose('p1 的主区域', '上海')
    await choose('p1 的备区域', '北京')
    expect(screen.getByText('调整 1 个成员的区域')).not.toBeNull()
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(api.paths()).not.toContain('network/name')
    expect(api.last('network/member_ov')?.input).toEqual({
      network_number: 'N1',
      members: [{ router_name: 'p1', ov_id_main: 1, ov_id_backup: 3, priority: 3, revision: 0 }],
    })
  })

  it('once the resource is over areas are turned off, not chosen', async () => {
    const ov_id = { main: 1, backup: null, main_name: '上海', backup_name: '', priority: 3 }
    const network_fr = { network_fr_id: 7, shortname: '骨干', expire_day: 0 }
    const list = [members[0]!, { ...member('p1'), ov_id }]
    const { api } = open(AREAS, { 'network/info': info(list, { network_type: 3, network_fr }) })
    expect(await screen.findByText(/POP资源“骨干”已过期/)).not.toBeNull()
    await userEvent.click(await screen.findByRole('combobox', { name: 'p1 的主区域' }))
    await screen.findByText('不使用POP', { selector: '[role="option"] *' })
    expect(screen.queryByText('广州')).toBeNull()
    await userEvent.keyboard('{Escape}')
    await choose('p1 的主区域', '不使用POP')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(api.last('network/member_ov')?.input).toMatchObject({ members: [{ router_name: 'p1', ov_id_main: 0 }] })
  })

  it('takes a name of 32 characters', async () => {
    const { api } = open()
    const name = await screen.findByRole('textbox', { name: /组网名称/ })
    fireEvent.change(name, { target: { value: '长'.repeat(32) } })
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(api.last('network/name')?.input).toEqual({ network_number: 'N1', network_name: '长'.repeat(32) })
  })

  it('with two areas there is no backup', async () => {
    open(AREAS.slice(0, 2))
    await choose('p1 的主区域', '上海')
    expect(screen.queryByRole('combobox', { name: /备区域/ })).toBeNull()
  })

  it('keeps what was chosen where somebody else was faster, over what they have chosen', async () => {
    const { api } = open(AREAS, {
      'network/member_ov': ({ input }: { input: Record<string, unknown> }) =>
        (input['members'] as { revision: number }[])[0]!.revision === 0
          ? { code: 422, msg: ERRORS.SETTING_CHANGED.msg, reason: 'SETTING_CHANGED' as const }
          : { msg: '设置成功' },
    })
    await choose('p1 的主区域', '上海')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    await screen.findByText(ERRORS.SETTING_CHANGED.msg)
    const others = members.map((one) => ({ ...one, revisions: { ov: 1 }, ov_id: { ...one.ov_id, main: 2 } }))
    api.set('network/info', info(others, { network_type: 3 }))
    await userEvent.click(screen.getByRole('button', { name: '合并最新配置后继续' }))
    await waitFor(() => expect(screen.queryByText(ERRORS.SETTING_CHANGED.msg)).toBeNull())
    expect(screen.getByRole('combobox', { name: 'c1 的主区域' }).textContent).toContain('广州')
    await userEvent.click(screen.getByRole('button', { name: '保存' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
    expect(api.last('network/member_ov')?.input).toMatchObject({
      members: [{ router_name: 'p1', ov_id_main: 1, revision: 1 }],
    })
  })

  it('says 暂不可购买 without a resource, and leads to the order', async () => {
    open([])
    const panel = (await screen.findByText('暂不可购买')).parentElement!
    await userEvent.click(within(panel).getByRole('button', { name: '接入POP' }))
    expect(await screen.findByText('elsewhere')).not.toBeNull()
  })
})
