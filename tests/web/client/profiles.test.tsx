import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Handlers, SIGNED_IN, network, networksOf, openClient, profile } from './open-client.tsx'

const FILE: Handlers = {
  'client/create_profile': () =>
    new Response('client', {
      headers: { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('办公网-手机.ovpn')}` },
    }),
}
const saved: string[] = []
beforeEach(() => {
  saved.length = 0
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})

it('shows the networks and what they reach', async () => {
  openClient(SIGNED_IN)
  const card = within(await screen.findByRole('region', { name: '办公网' }))
  expect(card.getByText('可访问 1 个网段')).not.toBeNull()
  expect(card.getByText('192.168.10.0/24')).not.toBeNull()
  expect(card.queryByText(/没有固定公网地址/)).toBeNull()
})

it('saves the file of a new profile', async () => {
  const { api, user } = openClient({ ...SIGNED_IN, ...FILE })
  const button = await screen.findByRole('button', { name: '下载接入配置' })
  expect(button).toHaveProperty('disabled', true)
  await user.type(screen.getByLabelText('设备名称'), '手机')
  api.set('client/profiles', { data: [profile()] })
  await user.click(button)
  await waitFor(() => expect(saved).toEqual(['办公网-手机.ovpn']))
  expect(api.last('client/create_profile')?.input).toEqual({ network_number: 'N1', device_name: '手机' })
  expect(await screen.findByText('有效期至 2026-12-01')).not.toBeNull()
})

it('a refusal stands beside the form', async () => {
  const msg = '该组网的接入配置已达上限5个，请先吊销不用的配置'
  const { user } = openClient({ ...SIGNED_IN, 'client/create_profile': { code: 422, msg } })
  await user.type(await screen.findByLabelText('设备名称'), '手机')
  await user.click(screen.getByRole('button', { name: '下载接入配置' }))
  expect(await screen.findByText(msg)).not.toBeNull()
  expect(saved).toEqual([])
})

it('for a phone it draws the code of a link that ends', async () => {
  const { api, user } = openClient({
    ...SIGNED_IN,
    ...FILE,
    'client/profile_link': { data: { url: 'https://console.test/client/p/abc', expires_in: 300 } },
  })
  await user.type(await screen.findByLabelText('设备名称'), '手机')
  api.set('client/profiles', { data: [profile({ profile_id: 9 }), profile({ profile_id: 8 })] })
  await user.click(screen.getByRole('button', { name: '用手机扫码下载' }))
  const picture = await screen.findByRole('img', { name: '下载链接的二维码' })
  expect(picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml,/)
  expect(api.last('client/profile_link')?.input).toEqual({ profile_id: 9 })
  expect(saved).toEqual([])
})

it('a link that is over can be made again', async () => {
  const { user } = openClient({
    ...SIGNED_IN,
    ...networksOf([network()], [profile()]),
    'client/profile_link': { data: { url: 'https://console.test/client/p/abc', expires_in: 0 } },
  })
  await user.click(await screen.findByRole('button', { name: '扫码 手机' }))
  expect(await screen.findByRole('button', { name: '重新生成' })).not.toBeNull()
})

it('revokes a profile after a question', async () => {
  const { api, user } = openClient({
    ...SIGNED_IN,
    ...networksOf([network()], [profile()]),
    'client/revoke_profile': { msg: '已吊销' },
  })
  await user.click(await screen.findByRole('button', { name: '吊销 手机' }))
  api.set('client/profiles', { data: [profile({ state: 'revoked' })] })
  await user.click(screen.getByRole('button', { name: '确定吊销' }))
  expect(await screen.findByText('已失效')).not.toBeNull()
  expect(api.last('client/revoke_profile')?.input).toEqual({ profile_id: 7 })
  expect(screen.queryByRole('button', { name: '吊销 手机' })).toBeNull()
})

it.each([
  ['国密', network({ dial: { ...network().dial, ciphers: 'sm' } }), '该组网使用国密算法，请使用 Linux 客户端。'],
  ['no address', network({}, { remotes: [] }), '该组网的中心点尚无可拨入的地址，请联系管理员。'],
  [
    'withdrawn',
    network({ dial: null, msg: '该组网已停止服务，请联系管理员续费' }),
    '该组网已停止服务，请联系管理员续费',
  ],
])('a network that no profile can dial says why: %s', async (_, one, text) => {
  openClient({ ...SIGNED_IN, ...networksOf([one]) })
  expect(await screen.findByText(text)).not.toBeNull()
  expect(screen.queryByLabelText('设备名称')).toBeNull()
})

it('names a centre whose address may change, and a profile that ends soon', async () => {
  openClient({ ...SIGNED_IN, ...networksOf([network({}, { fixed: 0 })], [profile({ state: 'ending' })]) })
  expect(await screen.findByText('中心点“NL-1”没有固定公网地址，地址变化后需要重新下载。')).not.toBeNull()
  expect(screen.getByText('将于 2026-12-01 到期，请重新下载')).not.toBeNull()
})

it('a member without a network reads that it has none', async () => {
  openClient({ ...SIGNED_IN, ...networksOf([]) })
  expect(await screen.findByText('尚未加入任何组网，请联系管理员。')).not.toBeNull()
})

it('networks that cannot be read can be read again', async () => {
  const { api, user } = openClient({
    ...SIGNED_IN,
    'client/profile': { code: 500, msg: '数据暂时无法读写，请稍后重试' },
  })
  expect(await screen.findByText('数据暂时无法读写，请稍后重试')).not.toBeNull()
  api.set('client/profile', networksOf([network()])['client/profile']!)
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('heading', { name: '办公网' })).not.toBeNull()
})
