import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NOTHING_SET } from '#infra/simulator/sample-network.ts'
import { NetworkDetailPage } from '#pages/network/detail/network-detail-page.tsx'
import type { Link, Member } from '#pages/network/live-network.ts'
import { link, member } from './member.ts'
import { openPage, QUOTA } from './open-page.tsx'

export const members = [
  member('c1', { role: 'center' }),
  member('p1', { note: '十八个字以上的备注会被截断并保留在提示里' }),
  member('p2'),
]
export const info = (list: readonly Member[] = members, over: object = {}) => ({
  data: {
    ...NOTHING_SET,
    network_number: 'N1',
    network_name: '总部互联',
    network_status: 1,
    suspended_time: null,
    withdrawn: 0,
    network_type: 1,
    network_service: 2,
    member_count: list.length,
    fr_name: '',
    create_time: 0,
    mode: 1,
    ncp_ciphers: 'default',
    ncp_ciphers_time: null,
    revision: 1,
    network_config: QUOTA,
    member: list,
    link: [link('p1', 'c1'), link('p2', 'c1')],
    overlaps: [],
    ...over,
  },
})
/** No ticket, so no socket: the page polls. */
const CHANNEL_GONE = { 'router/traffic_ticket': { code: 403, msg: 'no' } }
export const status = (list: readonly Member[], links: readonly Link[] = []) => ({
  data: { seq: 1, members: list, link: links, online: {} },
})
export const open = (handlers = {}, user = {}, address = '/network/detail?network_number=N1&view=table') =>
  openPage(
    <NetworkDetailPage />,
    address,
    { 'network/info': info(), 'network/status': status(members), ...CHANNEL_GONE, ...handlers },
    user,
  )
export const findHead = async () =>
  within((await screen.findByRole('heading', { level: 1, name: /总部互联/ })).closest('header')!)
/** 配置, opened. */
export async function findSettings() {
  await userEvent.click(await screen.findByRole('button', { name: '配置' }))
  return within(await screen.findByRole('dialog', { name: '组网配置' }))
}
/** Opens the panel of a member from its row, at its tab 配置. */
export async function openMemberSettings(name: string) {
  await userEvent.click(await screen.findByRole('button', { name: `查看 ${name}` }))
  await userEvent.click(await screen.findByRole('tab', { name: '配置' }))
}
/** Opens the dialog of one setting from the drawer 配置. */
export async function editSetting(title: string) {
  await userEvent.click((await findSettings()).getByRole('button', { name: `修改 ${title}` }))
}
export const at = (query: string) => `/network/detail?network_number=N1&${query}`
export const rowsOf = (name: string) => within(screen.getByRole('table', { name })).getAllByRole('row').slice(1)
export const findRow = async (name: RegExp) => within((await screen.findByRole('link', { name })).closest('tr')!)
