import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NOTHING_SET } from '#infra/simulator/sample-network.ts'
import type { NetworkInfo } from '#pages/network/live-network.ts'
import { CenterLinkDialog } from '#pages/network/settings/routing/center-link-dialog.tsx'
import { PointLinkDialog } from '#pages/network/settings/routing/point-link-dialog.tsx'
import { member } from '../member.ts'
import { openPage } from '../open-page.tsx'

const members = [
  member('c1', { role: 'center', note: '上海' }),
  member('c2', { role: 'center', note: '苏州' }),
  member('p1', { note: '北京' }),
  member('p2', { note: '广州' }),
  member('a1@qiming', { type: 2 }),
]
const info = { ...NOTHING_SET, network_number: 'N1', network_name: '总部', member: members } as never as NetworkInfo
const [onSaved, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
beforeEach(() => {
  onSaved.mockClear()
  onClose.mockClear()
})

const UNSET = {
  network_number: 'N1',
  gateway: '',
  mask: 30,
  enable: 0,
  center_router_name: '',
  public_ip: '',
  public_port: null,
  static_port: null,
  free_gateway: '172.31.0.4',
  free_port: 20_002,
  revision: 0,
}
const SET = { ...UNSET, enable: 1, center_router_name: 'c1', gateway: '172.31.0.0', revision: 3 }
const openTwin = (data: object, handlers = {}) =>
  openPage(<CenterLinkDialog info={info} onSaved={onSaved} onClose={onClose} />, '/network/detail?network_number=N1', {
    'network/center_link_network': { data },
    'network/center_link': {},
    'network/enable_center_link': {},
    'network/edit_center_link_gateway': {},
    ...handlers,
  }).api
const field = (name: RegExp) => screen.findByLabelText<HTMLInputElement>(name)
/** The select of the mask offers /16 to /30. */
async function chooseMask(select: HTMLElement, option: string) {
  await userEvent.click(select)
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect([options[0], options.at(-1), options.length]).toEqual(['/16', '/30', 15])
  fireEvent.click(screen.getAllByText(option).at(-1)!.closest('[role="option"]')!)
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('双中心点互通', () => {
  it('proposes a free segment, and turns the link on', async () => {
    const api = openTwin(UNSET)
    expect((await field(/^网段/)).value).toBe('172.31.0.4')
    await press('开启互通')
    await waitFor(() =>
      expect(api.last('network/center_link')?.input).toEqual({
        network_number: 'N1',
        center_router_name: 'c1',
        gateway: '172.31.0.4',
        mask: 30,
        public_ip: null,
        public_port: null,
        static_port: null,
        enable: 1,
        revision: 0,
      }),
    )
    await waitFor(() => expect(onClose).toHaveBeenCalled())
    expect(onSaved).toHaveBeenCalled()
  })
  it('says what is missing, as the server does', async () => {
    const api = openTwin(UNSET)
    await userEvent.clear(await field(/^网段/))
    await press('开启互通')
    await screen.findByText('网段不能为空')
    await userEvent.type(await field(/^公网IP/), '203.0.113.5')
    await press('开启互通')
    await screen.findByText('公网端口不能为空')
    await screen.findByText('本地端口不能为空')
    expect(api.last('network/center_link')).toBeUndefined()
  })
  it('sets another segment of a link that is on alone', async () => {
    const api = openTwin(SET)
    const gateway = await field(/^网段/)
    await userEvent.clear(gateway)
    await userEvent.type(gateway, '172.31.9.0')
    await chooseMask(screen.getByRole('combobox', { name: '掩码' }), '/29')
    await press('保存')
    await waitFor(() =>
      expect(api.last('network/edit_center_link_gateway')?.input).toEqual({
        network_number: 'N1',
        gateway: '172.31.9.0',
        mask: 29,
        revision: 3,
      }),
    )
  })
  it('takes the next free segment with one click where its own is taken', async () => {
    const data = { field: 'gateway', free: '172.31.8.0/30' }
    openTwin(UNSET, {
      'network/center_link': { code: 422, msg: '网段172.31.0.4/30与别处重叠', reason: 'SEGMENT_TAKEN', data },
    })
    await field(/^网段/)
    await press('开启互通')
    await userEvent.click(await screen.findByRole('button', { name: '改用 172.31.8.0/30' }))
    expect((await field(/^网段/)).value).toBe('172.31.8.0')
  })
  it('asks before it turns it off', async () => {
    const api = openTwin(SET)
    await field(/^网段/)
    await press('关闭互通')
    const dialog = within(await screen.findByRole('alertdialog', { name: '是否关闭 双中心点互通 ？' }))
    await userEvent.click(dialog.getByRole('button', { name: '关闭互通' }))
    await waitFor(() =>
      expect(api.last('network/enable_center_link')?.input).toEqual({ network_number: 'N1', enable: 0, revision: 3 }),
    )
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })
})

describe('点对点互联', () => {
  const links = (linkList: readonly object[]) => ({
    data: { router_name: 'p1', linkList, free_gateway: '172.31.0.4', revision: 2 },
  })
  const openPoint = (linkList: readonly object[], handlers = {}) =>
    openPage(
      <PointLinkDialog info={info} member={members[2]!} onSaved={onSaved} onClose={onClose} />,
      '/network/detail?network_number=N1',
      { 'network/point_link': links(linkList), 'network/edit_point_link': {}, ...handlers },
    ).api

  it('sends all links of the member', async () => {
    const link = { router_name: 'p2', gateway: '172.31.1.0', mask: 30, static_port: null }
    const api = openPoint([{ ...link, note: '广州', port: 24_000, client_port: 24_003, is_server: 1 }])
    const row = within(await screen.findByRole('group', { name: '第 1 条互联' }))
    expect(row.getByText('使用中的UDP端口：本端 24000，对端 24003')).toBeTruthy()
    await userEvent.type(row.getByLabelText(/^本地端口/), '25000')
    await chooseMask(row.getByRole('combobox', { name: '掩码' }), '/24')
    await press('保存')
    await waitFor(() =>
      expect(api.last('network/edit_point_link')?.input).toEqual({
        network_number: 'N1',
        router_name: 'p1',
        link_config: [{ ...link, mask: 24, static_port: 25_000 }],
        revision: 2,
      }),
    )
  })
  it('offers points that are hardware, and proposes a free segment', async () => {
    openPoint([])
    await userEvent.click(await screen.findByRole('button', { name: '添加互联' }))
    const row = within(await screen.findByRole('group', { name: '第 1 条互联' }))
    expect(row.getByLabelText<HTMLInputElement>(/^网段/).value).toBe('172.31.0.4')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '添加互联' }).disabled).toBe(true)
  })
  it.each([
    [{ field: 'link_config.0.gateway', free: '172.31.8.0/30' }, '改用 172.31.8.0/30'],
    [{ field: 'link_config' }, null],
  ])('a refusal of %j is shown, with what is free', async (data, proposal) => {
    openPoint([{ router_name: 'p2', gateway: '172.31.1.0', mask: 30, static_port: null }], {
      'network/edit_point_link': { code: 422, msg: '不能这样互联', data },
    })
    const row = within(await screen.findByRole('group', { name: '第 1 条互联' }))
    await userEvent.type(row.getByLabelText(/^本地端口/), '25000')
    await press('保存')
    await screen.findByText('不能这样互联')
    if (proposal === null) return
    await press(proposal)
    expect(row.getByLabelText<HTMLInputElement>(/^网段/).value).toBe('172.31.8.0')
  })
  it('removes the last one', async () => {
    const link = { router_name: 'p2', gateway: '172.31.1.0', mask: 30, static_port: null }
    const api = openPoint([{ ...link, note: '广州', port: 24_000, client_port: null, is_server: 0 }])
    const row = within(await screen.findByRole('group', { name: '第 1 条互联' }))
    await userEvent.click(row.getByRole('button', { name: '删除' }))
    await press('保存')
    await waitFor(() => expect(api.last('network/edit_point_link')?.input).toMatchObject({ link_config: [] }))
  })
})
