import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { menuOf } from '#tests/web/lib/row-menu.ts'
import { at, findHead, open } from '../open-network.tsx'

const ID = 'a'.repeat(32)
const step = (over: object) => ({
  router_name: 'p1',
  label: '门店',
  intended: '经由总部',
  actual: '经由总部',
  evidence: '路由来自p2',
  ok: 1,
  rtt_ms: null,
  ...over,
})
const record = (over: object) => ({
  data: {
    job_id: ID,
    kind: 'path',
    router_name: 'p1',
    router_name_note: '门店',
    source: '',
    destination: '10.3.0.9',
    by: 'demo01',
    create_time: 1_800_000_000_000,
    state: 'running',
    reason: '',
    verdict: null,
    steps: [step({})],
    ...over,
  },
})
const VERDICT = '总部 应经由p2，实际没有路由：隧道断开：证书已吊销'
const DONE = record({
  state: 'done',
  steps: [step({}), step({ label: '总部', ok: 0, actual: '没有路由', evidence: '隧道断开：证书已吊销' })],
  verdict: { ok: 0, text: VERDICT },
})

/** By its whole name: 诊断记录 begins with the same word. */
async function choose(name: string) {
  await userEvent.click(menuOf(await findHead()))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

async function openDialog(handlers = {}) {
  const page = open(handlers)
  await choose('诊断')
  return { ...page, dialog: within(await screen.findByRole('dialog', { name: '诊断' })) }
}
const type = (dialog: ReturnType<typeof within>, label: string, value: string) =>
  fireEvent.change(dialog.getByLabelText(new RegExp(`^${label}`)), { target: { value } })

describe('诊断', () => {
  it('starts from the first point, shows the steps while it runs, and its verdict with the evidence', async () => {
    const answers = [record({}), DONE]
    const { api, dialog } = await openDialog({
      'network/diagnose': { data: { job_id: ID } },
      'network/diagnosis': () => (answers.length > 1 ? answers.shift()! : answers[0]!),
    })
    type(dialog, '目的地址', '10.3.0.9')
    await userEvent.click(dialog.getByRole('button', { name: '开始' }))
    await screen.findByText(/正在诊断/)
    expect(api.last('network/diagnose')?.input).toEqual({
      network_number: 'N1',
      router_name: 'p1',
      kind: 'path',
      source: '',
      destination: '10.3.0.9',
      count: 4,
    })
    await screen.findByText(VERDICT)
    const steps = within(screen.getByRole('list', { name: '诊断步骤' })).getAllByRole('listitem')
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      '门店一致配置：经由总部实际：经由总部路由来自p2',
      '总部不一致配置：经由总部实际：没有路由隧道断开：证书已吊销',
    ])
  })

  it('refuses a name, and shows the refusal of an address at its field', async () => {
    const msg = '目的地址不在组网“总部互联”的有效网段内'
    const { api, dialog } = await openDialog({
      'network/diagnose': { code: 422, msg, reason: 'DIAGNOSIS_DESTINATION', data: { field: 'destination' } },
    })
    type(dialog, '目的地址', 'host.example')
    await userEvent.click(dialog.getByRole('button', { name: '开始' }))
    await dialog.findByText('请输入正确的目的IP地址')
    expect(api.last('network/diagnose')).toBeUndefined()
    type(dialog, '目的地址', '198.51.100.80')
    await userEvent.click(dialog.getByRole('button', { name: '开始' }))
    await dialog.findByText(msg)
    expect(dialog.getByLabelText(/^目的地址/).getAttribute('aria-invalid')).toBe('true')
  })

  it('says that a device is away, and stays open', async () => {
    const msg = '成员“门店”离线，无法诊断，请在设备上线后重试'
    const { dialog } = await openDialog({
      'network/diagnose': { code: 422, msg, reason: 'DIAGNOSIS_AWAY', data: null },
    })
    type(dialog, '目的地址', '10.3.0.9')
    await userEvent.click(dialog.getByRole('button', { name: '开始' }))
    await dialog.findByText(msg)
    dialog.getByRole('button', { name: '开始' })
  })

  it('of another kind sends no source that was typed before', async () => {
    const { api, dialog } = await openDialog({
      'network/diagnose': { data: { job_id: ID } },
      'network/diagnosis': DONE,
    })
    type(dialog, '源地址', '10.2.0.7')
    type(dialog, '目的地址', '10.3.0.9')
    await userEvent.click(dialog.getByRole('radio', { name: 'Ping' }))
    await waitFor(() => expect(dialog.queryByLabelText(/^源地址/)).toBeNull())
    await userEvent.click(dialog.getByRole('button', { name: '开始' }))
    await waitFor(() => expect(api.last('network/diagnose')?.input).toMatchObject({ kind: 'ping', source: '' }))
  })

  it('is hidden from a role that may not edit', async () => {
    open({}, { ram: 1, flags: [] })
    await userEvent.click(menuOf(await findHead()))
    await screen.findByRole('menuitem', { name: '诊断记录' })
    expect(screen.queryByRole('menuitem', { name: '诊断' })).toBeNull()
  })
})

describe('诊断记录', () => {
  const { steps: _, ...row } = DONE.data

  it('lists the verdicts, and shows the steps of one', async () => {
    open({ 'network/diagnoses': { data: [row], count: 1 }, 'network/diagnosis': DONE })
    await choose('诊断记录')
    const drawer = within(await screen.findByRole('dialog', { name: '诊断记录' }))
    await userEvent.click(await drawer.findByRole('button', { name: '路径分析 10.3.0.9' }))
    await drawer.findByRole('list', { name: '诊断步骤' })
    await userEvent.click(drawer.getByRole('button', { name: '返回诊断记录' }))
    await drawer.findByRole('button', { name: '路径分析 10.3.0.9' })
  })

  it('says when there are none, and when they cannot be read', async () => {
    open({ 'network/diagnoses': { data: [], count: 0 } })
    await choose('诊断记录')
    await screen.findByText('暂无诊断记录')
  })
})

describe('路由', () => {
  const route = (over: object) => ({
    prefix: '10.3.0.0/24',
    router_name: 'p2',
    router_name_note: '门店',
    via: 'c1',
    via_note: '总部',
    state: 'chosen',
    rank: 1,
    blocked_by: null,
    actual: { via: 'c1', via_note: '总部', link: 'N1:p1>c1' },
    verdict: 'same',
    reason: '',
    ...over,
  })
  const reply = (data: readonly object[], over: object = {}) => ({
    data,
    count: data.length,
    differences: 1,
    router_name: 'p1',
    at: 1_800_000_000_000,
    notice: '',
    ...over,
  })

  it('shows what the device has beside what is intended, and filters to differences', async () => {
    const missing = route({ prefix: '10.4.0.0/24', actual: null, verdict: 'missing', reason: '隧道断开：证书已吊销' })
    const { api } = open({ 'network/actual_routes': reply([route({}), missing]) }, {}, at('view=routes'))
    const row = within((await screen.findByText('10.4.0.0/24')).closest('tr')!)
    for (const text of ['缺失', '隧道断开：证书已吊销']) row.getByText(text)
    await userEvent.click(screen.getByRole('checkbox', { name: /仅看差异/ }))
    await waitFor(() => expect(api.last('network/actual_routes')?.input).toMatchObject({ only: 'differences' }))
    fireEvent.change(screen.getByLabelText('搜索目的地址、网段或成员'), { target: { value: '10.4.0.9' } })
    await waitFor(() => expect(api.last('network/actual_routes')?.input).toMatchObject({ search: '10.4.0.9' }))
  })

  it('says that the device is away', async () => {
    const notice = '设备离线，仅显示配置的路由'
    const unknown = route({ actual: null, verdict: 'unknown' })
    open({ 'network/actual_routes': reply([unknown], { at: null, notice, differences: 0 }) }, {}, at('view=routes'))
    await screen.findByText(notice)
    screen.getByText('未知')
  })
})
