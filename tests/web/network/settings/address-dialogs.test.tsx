import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentType, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { useNetworkInfo } from '#pages/network/api.ts'
import { FixedPortDialog } from '#pages/network/settings/addresses/fixed-port-dialog.tsx'
import { GatewayDialog } from '#pages/network/settings/addresses/gateway-dialog.tsx'
import { IpPoolDialog } from '#pages/network/settings/addresses/ip-pool-dialog.tsx'
import type { MemberDialogProps } from '#pages/network/settings/dialog-context.ts'
import { member } from '../member.ts'
import { openPage } from '../open-page.tsx'
import { info } from '../open-network.tsx'

const ports = { public_ip: '', public_port: null, static_port: null }
const center = (name: string, n: number) => ({
  ...member(name, { role: 'center', note: `中心${n}` }),
  fixed_port: {
    router_service: { ...ports, port: 20_000 + 4 * n },
    software_service: { ...ports, port: 20_001 + 4 * n },
  },
  gateway: {
    router: { gateway: `100.64.${n * 32}.0`, mask: 20 },
    software: { gateway: `100.64.${n * 32 + 16}.0`, mask: 20 },
  },
  revisions: { fixed_port: n, gateway: n + 5 },
})
const network = info([center('c1', 0), center('c2', 1), member('p1')])

const onSaved = vi.fn<() => void>()
function openDialog(Dialog: ComponentType<MemberDialogProps>, handlers: object) {
  function Host() {
    const query = useNetworkInfo('N1')
    const data = query.data?.data
    const [isOpen, setOpen] = useState(true)
    if (data === undefined || !isOpen) return <p>closed</p>
    return (
      <>
        <button onClick={() => void query.mutate()}>reload</button>
        <Dialog info={data} member={data.member[1]!} onSaved={onSaved} onClose={() => setOpen(false)} />
      </>
    )
  }
  return openPage(<Host />, '/network/detail?network_number=N1', { 'network/info': network, ...handlers })
}
const save = (name = '保存') => userEvent.click(screen.getByRole('button', { name }))
const group = async (name: string) => within(await screen.findByRole('group', { name }))
async function fill(within: Awaited<ReturnType<typeof group>>, label: string, text: string) {
  const field = within.getByRole('textbox', { name: label })
  await userEvent.clear(field)
  if (text !== '') await userEvent.type(field, text)
}
const choose = async (combobox: HTMLElement, option: string) => {
  await userEvent.click(combobox)
  fireEvent.click(screen.getAllByText(option).at(-1)!.closest('[role="option"]')!)
}

describe('network 2 · fixed ports', () => {
  it('are those of the centre, sent with the revision of its setting', async () => {
    const { api } = openDialog(FixedPortDialog, { 'network/fixed_port': { msg: '设置成功' } })
    await screen.findByText(/当前使用本地端口 20004/)
    const hardware = await group('硬件服务')
    await fill(hardware, '公网IP', '203.0.113.10')
    await fill(hardware, '公网端口', '4000')
    await fill(hardware, '本地端口', '4000')
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/fixed_port')?.input).toMatchObject({
      network_number: 'N1',
      router_name: 'c2',
      revision: 1,
      router_service: { public_ip: '203.0.113.10', public_port: 4000, static_port: 4000 },
    })
  })

  it.each([
    ['1024', '设置范围应在1025~65535之间！'],
    ['', '本地端口不能为空'],
  ])('a local port %j is refused in the form', async (text, sentence) => {
    const { api } = openDialog(FixedPortDialog, { 'network/fixed_port': {} })
    const hardware = await group('硬件服务')
    await fill(hardware, '公网端口', '4000')
    await fill(hardware, '本地端口', text)
    await save()
    await hardware.findByText(sentence)
    expect(api.last('network/fixed_port')).toBeUndefined()
  })

  it('one that is taken: the next free one is taken with one click', async () => {
    const refused = {
      code: 422,
      msg: '端口4000已被组网“二区”中总部的硬件服务使用，建议改为4001',
      reason: 'PORT_TAKEN',
      data: { field: 'router_service.static_port', free: 4001 },
    }
    openDialog(FixedPortDialog, { 'network/fixed_port': refused })
    const hardware = await group('硬件服务')
    await fill(hardware, '公网端口', '4000')
    await fill(hardware, '本地端口', '4000')
    await save()
    await hardware.findByText(/已被组网“二区”中总部的硬件服务使用/)
    await userEvent.click(await screen.findByRole('button', { name: '改用 4001' }))
    expect(hardware.getByRole<HTMLInputElement>('textbox', { name: '本地端口' }).value).toBe('4001')
    expect(screen.queryByText(/二区/)).toBeNull()
    expect(screen.queryByRole('button', { name: '改用 4001' })).toBeNull()
  })
})

describe('network 2 · a change of somebody else while the form is open', () => {
  it.each([
    [
      'network/fixed_port',
      FixedPortDialog,
      '硬件服务',
      [
        ['公网端口', '4000'],
        ['本地端口', '4000'],
      ],
      1,
    ],
    ['network/edit_center_gateway', GatewayDialog, '硬件网段', [['网段', '10.1.0.0']], 6],
  ] as const)('%s is sent with the revision that the form began with', async (path, Dialog, name, typed, revision) => {
    let reads = 0
    const service = { ...ports, static_port: 5000, port: 5000 }
    const changed = {
      ...center('c2', 2),
      fixed_port: { router_service: service, software_service: service },
      revisions: { fixed_port: 90, gateway: 90 },
    }
    const newer = info(network.data.member.map((m) => (m.router_name === 'c2' ? changed : m)))
    const { api } = openDialog(Dialog, {
      'network/info': () => (reads++ === 0 ? network : newer),
      [path]: { msg: '设置成功' },
    })
    const hardware = await group(name)
    fireEvent.click(screen.getByText('reload'))
    await waitFor(() => expect(reads).toBe(2))
    for (const [label, text] of typed) await fill(hardware, label, text)
    await save()
    await waitFor(() => expect(api.last(path)?.input).toMatchObject({ revision }))
  })
})

describe('network 2 · segments of a centre', () => {
  it.each([
    ['10.1.0.1', '网段格式设置错误'],
    ['0.1.0.0', '请输入正确的网段'],
    ['', '网段不能为空'],
  ])('%j is refused in the form', async (text, sentence) => {
    openDialog(GatewayDialog, {})
    const hardware = await group('硬件网段')
    await fill(hardware, '网段', text)
    await save()
    await hardware.findByText(sentence)
  })

  it('one that is taken: the next free one is taken with one click', async () => {
    const data = { field: 'router_network.gateway', free: '10.1.16.0/20' }
    const refused = { code: 422, msg: '网段10.1.0.0/20与一店（10.1.0.0/24）重叠', reason: 'SEGMENT_TAKEN', data }
    openDialog(GatewayDialog, { 'network/edit_center_gateway': refused })
    const hardware = await group('硬件网段')
    await fill(hardware, '网段', '10.1.0.0')
    await save()
    await userEvent.click(await screen.findByRole('button', { name: '改用 10.1.16.0/20' }))
    expect(hardware.getByRole<HTMLInputElement>('textbox', { name: '网段' }).value).toBe('10.1.16.0')
  })

  it('new addresses of members are agreed to first, for these values only', async () => {
    const refused = {
      code: 423,
      msg: '新网段容纳不了2个成员现有的地址，请确认后保存',
      reason: 'HOSTS_OUTSIDE',
      data: null,
    }
    const { api } = openDialog(GatewayDialog, { 'network/edit_center_gateway': refused })
    const hardware = await group('硬件网段')
    await choose(hardware.getByRole('combobox', { name: '掩码' }), '/24')
    await save()
    await screen.findByText(/2个成员现有的地址/)
    const sent = () => api.last('network/edit_center_gateway')?.input
    expect(sent()).toMatchObject({ router_name: 'c2', revision: 6, router_network: { mask: 24 }, pack: 0 })
    await save('重新分配并保存')
    await waitFor(() => expect(sent()).toMatchObject({ pack: 1 }))
    await choose(hardware.getByRole('combobox', { name: '掩码' }), '/23')
    await save('重新分配并保存')
    await waitFor(() => expect(sent()).toMatchObject({ router_network: { mask: 23 }, pack: 0 }))
  })
})

describe('network 2 · IP address pool', () => {
  const pool = (gateway: string, start: string, end: string) => ({ gateway, mask: 20, start, end })
  const config = {
    data: {
      gateway: '',
      mask: 20,
      pop: null,
      pop_software: null,
      center_link_network: null,
      center_network: [
        {
          router_name: 'c1',
          note: '中心0',
          router: pool('100.64.0.0', '100.64.0.2', '100.64.15.254'),
          software: pool('100.64.16.0', '100.64.16.100', '100.64.16.200'),
        },
      ],
      revision: 3,
    },
  }

  it('shows what is in use, and sends all of it with its revision', async () => {
    const { api } = openDialog(IpPoolDialog, {
      'network/ip_address_pool': config,
      'network/edit_ip_address_pool': { msg: '设置成功' },
    })
    const software = await group('中心0 · 软件网段')
    expect(software.getByRole<HTMLInputElement>('textbox', { name: '起始IP' }).value).toBe('100.64.16.100')
    expect((await group('中心0 · 硬件网段')).getByRole<HTMLInputElement>('textbox', { name: '起始IP' }).value).toBe('')
    await fill(await group('POP硬件网段'), '网段', '10.210.0.0')
    await save()
    await screen.findByText('设置成功')
    expect(api.last('network/edit_ip_address_pool')?.input).toEqual({
      network_number: 'N1',
      revision: 3,
      gateway: '',
      mask: 20,
      pop: { gateway: '10.210.0.0', mask: 20 },
      pop_software: null,
      center_link_network: null,
      center_network: [
        {
          router_name: 'c1',
          router: { gateway: '100.64.0.0', mask: 20, start: null, end: null },
          software: { gateway: '100.64.16.0', mask: 20, start: '100.64.16.100', end: '100.64.16.200' },
        },
      ],
      pack: 0,
    })
  })

  it('says where a field is wrong, and what could not be read', async () => {
    openDialog(IpPoolDialog, { 'network/ip_address_pool': config })
    const hardware = await group('中心0 · 硬件网段')
    await fill(hardware, '起始IP', '100.64.0.9')
    await save()
    await hardware.findByText('请同时填写起始IP和结束IP')
  })

  it('offers to read again where the config does not come', async () => {
    openDialog(IpPoolDialog, { 'network/ip_address_pool': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByRole('button', { name: '重试' })
  })
})
