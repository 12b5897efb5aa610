import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { UserInfo } from '#contract/account/user-info.ts'
import type { AttentionRow } from '#contract/kernel/health.ts'
import type { Evidence } from '#contract/overview/index.ts'
import { readTicketDraft } from '#lib/ticket-draft.ts'
import { AttentionVerbs } from '#pages/dashboard/attention/attention-verbs.tsx'
import { toTicketDraft } from '#pages/dashboard/attention/ticket-draft.ts'
import { link as memberLink, member } from '../network/member.ts'
import { info as networkInfo } from '../network/open-network.tsx'
import { openPage } from '../network/open-page.tsx'
import { emitFrame } from '../lib/fake-live.ts'
import { card, openDashboard } from './open-dashboard.tsx'
import { AT, createAttentionRow } from './overview-fixture.ts'

vi.mock('#lib/live/live-connection.ts', () => import('../lib/fake-live.ts'))

const link = createAttentionRow('link_one_sided', '门店', {
  type: 'link',
  network_number: 'N1',
  router_name: 'NL1',
  center_router_name: 'NL2',
})
const evidenceOf = (row: AttentionRow | null, over: Partial<Evidence> = {}): Evidence => ({
  row,
  events: [{ router_name: 'NL1', note: '门店', from: 'offline', to: 'online', at: AT - 60_000, reason: '' }],
  links: [
    {
      network_number: 'N1',
      state: 'one_sided',
      reason: '成员收不到对方的探测',
      since: AT - 180_000,
      ends: [
        { router_name: 'NL1', note: '门店', receives: 0 },
        { router_name: 'NL2', note: '总部', receives: 1 },
      ],
    },
  ],
  site: { address: '203.0.113.7', devices: 3, offline: 1 },
  steps: ['先做这个', '再做那个'],
  restart: { network_number: 'N1', router_name: 'NL1' },
  ...over,
})

interface OpenCase {
  readonly row?: AttentionRow
  readonly evidence?: Evidence
  readonly user?: Partial<UserInfo>
}

async function openRow({ row = link, evidence = evidenceOf(row), user = {} }: OpenCase = {}) {
  const api = openDashboard({
    user,
    overview: { attention: { count: 1, rows: [row] } },
    handlers: {
      'overview/evidence': { data: evidence },
      'overview/handle': { msg: '已登记由你处理', data: null },
      'monitor/mute': { msg: '已静默', data: null },
    },
  })
  const rows = await card('待处理')
  const toggle = rows.getByRole('button', { name: `详情 ${row.name}` })
  return { api, rows, toggle }
}

describe('a row of 待处理 unfolds in place', () => {
  it('by its button or a press on it, reads its evidence once, and folds again', async () => {
    const { api, rows, toggle } = await openRow()
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    expect(api.last('overview/evidence')).toBeUndefined()
    fireEvent.click(toggle)
    expect(toggle.getAttribute('aria-expanded')).toBe('true')
    expect(rows.queryByRole('region')).toBeNull() // several rows may be open: no landmarks of one name
    const steps = within(await rows.findByRole('group', { name: '建议步骤' }))
    expect(steps.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['先做这个', '再做那个'])
    expect(api.last('overview/evidence')?.input).toEqual({ id: link.id })
    fireEvent.click(rows.getByText('原因'))
    expect(toggle.getAttribute('aria-expanded')).toBe('false')
    expect(rows.queryByRole('group', { name: '建议步骤' })).toBeNull()
    fireEvent.click(rows.getByText('原因'))
    await rows.findByRole('group', { name: '建议步骤' })
    expect(document.getElementById(toggle.getAttribute('aria-controls')!)).not.toBeNull()
  })

  it('says what each end receives, what happened, and who else is behind the address', async () => {
    const { rows, toggle } = await openRow()
    fireEvent.click(toggle)
    const facts = within(await rows.findByRole('group', { name: '依据' }))
    const text = facts.getAllByRole('list')[0]!.textContent!
    expect(text).toContain('公网地址 203.0.113.7 之后共 3 台硬件，1 台离线')
    expect(text).toContain('链路单边（成员收不到对方的探测）门店收不到对方的探测总部收到对方的探测')
    expect(within(facts.getByRole('list', { name: '最近的状态变化' })).getAllByRole('listitem')).toHaveLength(1)
    expect(facts.getByRole('link', { name: '总部' }).getAttribute('href')).toBe('/router/detail?router_name=NL2')
  })

  it('says that the trouble is over', async () => {
    const { rows, toggle } = await openRow({ evidence: evidenceOf(null, { steps: [], events: [], links: [] }) })
    fireEvent.click(toggle)
    await rows.findByText('该事项已恢复')
    expect(rows.queryByRole('button', { name: /我来处理/ })).toBeNull()
  })
})

describe('verbs of a row', () => {
  it('take it over, restart tunnels after a question, mute for an hour, and open a ticket with the snapshot', async () => {
    const { api, rows, toggle } = await openRow()
    fireEvent.click(toggle)
    fireEvent.click(await rows.findByRole('button', { name: '我来处理 门店' }))
    await waitFor(() => expect(api.last('overview/handle')?.input).toEqual({ id: link.id }))
    fireEvent.click(rows.getByRole('button', { name: '静默 1 小时 门店' }))
    await waitFor(() =>
      expect(api.last('monitor/mute')?.input).toEqual({ kind: 'router', router_name: 'NL1', duration: 'hour' }),
    )
    expect(rows.getByRole('button', { name: '重启隧道 门店' })).not.toBeNull()
    expect(rows.getByRole('link', { name: '提交工单 门店' }).getAttribute('href')).toBe(
      '/ticket/create?router_name=NL1',
    )
  })

  it('a ticket starts with name, cause and time, within what a title takes', async () => {
    const since = Date.parse('2026-11-20T02:00:00Z')
    const cause = `疑似失联：9 条链路同时单边 → ${'研发网、'.repeat(9)}疑似中断`
    const { router } = openPage(<AttentionVerbs row={{ ...link, cause, since }} restart={null} />, '/dashboard', {})
    fireEvent.click(screen.getByRole('link', { name: '提交工单 门店' }))
    expect(readTicketDraft(router.state.location.state)).toEqual({
      title: '门店：疑似失联',
      content: `对象：门店\n现象：${cause}\n发生时间：2026-11-20 10:00:00\n已尝试的操作：`,
    })
    const long = toTicketDraft({ name: '店'.repeat(40), cause: '到期', since: null })
    expect([[...long.title].length, long.content.includes('发生时间')]).toEqual([32, false])
  })

  it('a diagnosis begins at one end of the link, to the inner address of the other', async () => {
    const members = [member('NL1', { note: '门店' }), member('NL2', { role: 'center', note: '总部' })]
    const links = [{ ...memberLink('NL1', 'NL2'), center_vpn_ip: '100.64.0.1' }]
    openPage(<AttentionVerbs row={link} restart={null} />, '/dashboard', {
      'network/info': networkInfo(members, { network_number: 'N1', link: links }),
    })
    fireEvent.click(screen.getByRole('button', { name: '诊断 门店' }))
    expect((await screen.findByLabelText<HTMLInputElement>(/^目的地址/)).value).toBe('100.64.0.1')
    within(screen.getByRole('dialog', { name: '诊断' })).getByText('门店')
  })

  it('are only those that the role may use and that help', async () => {
    const { rows, toggle } = await openRow({ user: { ram: 1, flags: ['monitor:view'], networks: ['N1'] } })
    fireEvent.click(toggle)
    await rows.findByRole('button', { name: '我来处理 门店' })
    expect(rows.queryByRole('button', { name: /静默/ })).toBeNull()
    expect(rows.queryByRole('button', { name: /重启隧道/ })).toBeNull()
    expect(rows.queryByRole('button', { name: /诊断/ })).toBeNull()
  })

  it('of a ticket and a SaaS device are without a mute, and of a ticket without another one', async () => {
    const answered = createAttentionRow('ticket_answered', '无法连接', { type: 'ticket', ticket_number: 'T1' })
    const { rows, toggle } = await openRow({ row: answered, evidence: evidenceOf(answered, { restart: null }) })
    fireEvent.click(toggle)
    await rows.findByRole('button', { name: '我来处理 无法连接' })
    expect(rows.queryByRole('link', { name: /提交工单/ })).toBeNull()
    expect(rows.queryByRole('button', { name: /静默/ })).toBeNull()
  })

  it('name who handles it, also while the row is folded', async () => {
    const row = { ...link, handled: { by: 'li@qiming', at: AT - 60_000 } }
    const { rows, toggle } = await openRow({ row })
    expect(rows.getByText('li@qiming 07:59:12 起处理')).not.toBeNull()
    fireEvent.click(toggle)
    await rows.findByText('li@qiming 处理中')
    expect(rows.queryByRole('button', { name: /我来处理/ })).toBeNull()
  })

  it('of a colleague are seen at once', async () => {
    const { api } = await openRow()
    const before = api.calls.filter(({ path }) => path === 'overview/info').length
    await emitFrame('account', { type: 'attention' })
    await waitFor(() => expect(api.calls.filter(({ path }) => path === 'overview/info').length).toBeGreaterThan(before))
    expect(screen.queryByText('没有待处理事项')).toBeNull()
  })
})
