import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '#contract/kernel/errors.ts'
import { findAction } from '#tests/web/lib/row-menu.ts'
import { member } from '../member.ts'
import { at, editSetting, findHead, findSettings, info, open, openMemberSettings, status } from '../open-network.tsx'
import { FR_POOL_OPEN_MS } from '#contract/network/limits.ts'

afterEach(() => void vi.restoreAllMocks())

const AREAS = [
  { id: 1, name: '上海' },
  { id: 2, name: '广州' },
  { id: 3, name: '北京' },
]
const FRS = {
  data: {
    mode: 1,
    data: [
      { network_fr_id: 7, shortname: '骨干' },
      { network_fr_id: 8, shortname: '备用' },
    ],
  },
}
const ov_id = { main: 1, backup: null, main_name: '上海', backup_name: '', priority: 3 }
const list = [member('c1', { role: 'center' }), { ...member('p1'), ov_id, revisions: { ov: 4 } }]
const RUNNING = { network_fr_id: 7, shortname: '骨干', expire_day: 90 }
const EXPIRED = { network_fr: { ...RUNNING, expire_day: 0 } }
const openNetwork = (over: object = {}, handlers: object = {}) =>
  open(
    {
      'network/info': info(list, { network_fr: RUNNING, fr_name: '骨干接入', ...over }),
      'network/status': status(list),
      'network_fr/config': FRS,
      'network_fr/ov': { data: AREAS },
      ...handlers,
    },
    {},
    at('view=table'),
  )
const save = () => userEvent.click(screen.getByRole('button', { name: '保存' }))
const choose = async (name: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name }))
  const texts = await screen.findAllByText(option)
  fireEvent.click(texts.flatMap((text) => text.closest('[role="option"]') ?? []).at(-1)!)
}

describe('network 2 · the POP resource of a network', () => {
  it('is said in words, and chosen with its mode and the revision of the network', async () => {
    const { api } = openNetwork({}, { 'network/fr': { msg: '设置成功' } })
    ;(await findSettings()).getByText('骨干，中心点优先')
    await userEvent.click(screen.getByRole('button', { name: '修改 POP资源' }))
    await choose('POP资源', '备用')
    await userEvent.click(screen.getByRole('radio', { name: 'POP优先' }))
    await save()
    await waitFor(() =>
      expect(api.last('network/fr')?.input).toEqual({
        network_number: 'N1',
        network_fr_id: 8,
        mode: 2,
        revision: 1,
      }),
    )
  })

  it('needs the segments of POP first: the warning is shown, then the IP pool opens', async () => {
    const refused = { code: 423, msg: ERRORS.FR_POOL_MISSING.msg, reason: 'FR_POOL_MISSING' as const }
    openNetwork({}, { 'network/fr': refused, 'network/ip_address_pool': { code: 204, msg: '' } })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await editSetting('POP资源')
    await choose('POP资源', '备用')
    await save()
    await screen.findByText(ERRORS.FR_POOL_MISSING.msg)
    const [run] = timers.mock.calls.find(([, ms]) => ms === FR_POOL_OPEN_MS)!
    expect(screen.queryByRole('dialog', { name: 'IP地址池' })).toBeNull()
    act(() => (run as () => void)())
    expect(await screen.findByRole('dialog', { name: 'IP地址池' })).not.toBeNull()
  })

  it('says 暂不可购买 where there is none', async () => {
    openNetwork({ network_fr: null, fr_name: '' }, { 'network_fr/config': { data: { mode: 1, data: [] } } })
    ;(await findSettings()).getByText('未接入')
    await userEvent.click(screen.getByRole('button', { name: '修改 POP资源' }))
    await userEvent.click(await screen.findByRole('combobox', { name: 'POP资源' }))
    expect(await screen.findByText('暂不可购买')).not.toBeNull()
  })

  it.each([
    ['is ordered from the page', { network_fr: null, fr_name: '' }, '接入POP', 'POP配置'],
    ['is assigned to members from there, once the network has it', {}, 'POP配置', '接入POP'],
  ])('%s', async (_, over, label, other) => {
    openNetwork(over)
    expect(await findAction(await findHead(), label)).not.toBeNull()
    expect(screen.queryByRole('menuitem', { name: other })).toBeNull()
  })
})

describe('network 2 · a POP resource whose term is over', () => {
  it('is named as expired with what that means, and can be ordered again', async () => {
    openNetwork(EXPIRED)
    const notice = await screen.findByText(/POP资源“骨干”已过期：其区域已从设备配置中移除/)
    expect(notice.closest('[role="alert"]')?.className).toContain('nl-notice-bad')
    expect(screen.getByRole('link', { name: '查看POP资源' }).getAttribute('href')).toBe('/network/fr_lists')
    expect(await findAction(await findHead(), '重新接入POP')).not.toBeNull()
    expect(screen.getByRole('menuitem', { name: 'POP配置' })).not.toBeNull()
  })

  it('is not offered in the dialog, which says why', async () => {
    const data = { mode: 1, data: FRS.data.data.slice(1) }
    openNetwork(EXPIRED, { 'network_fr/config': { data } })
    ;(await findSettings()).getByText('骨干（已过期），中心点优先')
    await userEvent.click(screen.getByRole('button', { name: '修改 POP资源' }))
    const dialog = await screen.findByRole('dialog', { name: '选择POP资源' })
    expect(await within(dialog).findByText(/设置仍保留/)).not.toBeNull()
    await choose('POP资源', '备用')
  })

  it('leaves areas as they are; they are turned off, not chosen anew', async () => {
    const { api } = openNetwork(EXPIRED, { 'network/member_ov': { msg: '设置成功' } })
    await openMemberSettings('p1')
    await screen.findByText('主 上海，优先级 3（POP资源已过期，未生效）')
    await userEvent.click(screen.getByRole('button', { name: '修改 POP区域' }))
    await userEvent.click(await screen.findByRole('combobox', { name: '主区域' }))
    expect(await screen.findByText('不使用POP')).not.toBeNull()
    expect(screen.queryByText('广州')).toBeNull()
    fireEvent.click(screen.getByText('不使用POP').closest('[role="option"]')!)
    await save()
    await waitFor(() => expect(api.last('network/member_ov')?.input).toMatchObject({ ov_id_main: 0, ov_id_backup: 0 }))
  })
})

describe('network 2 · the area of a member', () => {
  it('stands in its panel, and is edited there', async () => {
    const { api } = openNetwork({}, { 'network/member_ov': { msg: '设置成功' } })
    await openMemberSettings('p1')
    await screen.findByText('主 上海，优先级 3')
    await userEvent.click(screen.getByRole('button', { name: '修改 POP区域' }))
    await choose('备区域', '北京')
    await choose('优先级', '1')
    await save()
    await waitFor(() =>
      expect(api.last('network/member_ov')?.input).toEqual({
        network_number: 'N1',
        router_name: 'p1',
        ov_id_main: 1,
        ov_id_backup: 3,
        priority: 1,
        revision: 4,
      }),
    )
  })

  it('has no backup with two areas', async () => {
    openNetwork({}, { 'network_fr/ov': { data: AREAS.slice(0, 2) } })
    await openMemberSettings('p1')
    await userEvent.click(await screen.findByRole('button', { name: '修改 POP区域' }))
    await screen.findByRole('combobox', { name: '主区域' })
    expect(screen.queryByRole('combobox', { name: '备区域' })).toBeNull()
  })

  it('is none in a network without a resource', async () => {
    openNetwork({ network_fr: null, fr_name: '' })
    await openMemberSettings('p1')
    await screen.findByRole('button', { name: '修改 静态路由' })
    expect(screen.queryByRole('button', { name: '修改 POP区域' })).toBeNull()
  })
})
