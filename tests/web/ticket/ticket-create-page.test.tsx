import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { TicketCreatePage } from '#pages/ticket/ticket-create-page.tsx'
import { readTicketDraft, withTicketDraft } from '#lib/ticket-draft.ts'
import { paths } from '#lib/paths.ts'
import { openPage } from '../network/open-page.tsx'

const HARDWARE = { router_name: 'NL-1', note: '北京分公司' }
const SOFTWARE = { router_name: 'li.na@qiming', note: '' }
const NETWORK = { network_number: 'N1', network_name: '总部互联' }

const open = (address: string) =>
  openPage(<TicketCreatePage />, address, {
    'network/lists': { data: [NETWORK], count: 1 },
    'router/lists': ({ input }) => ({ data: [input['type'] === '2' ? SOFTWARE : HARDWARE], count: 1 }),
    'ticket/create': { data: { ticket_number: 'T1' }, msg: '工单提交成功，请耐心等待回复' },
  })
const snapshot = () => screen.getByRole('combobox', { name: '诊断快照' })
const write = async () => {
  await userEvent.type(screen.getByLabelText(/^标题/), '经常断线')
  await userEvent.type(screen.getByLabelText(/^概述/), '从今天早上起经常断线，请协助排查')
  await userEvent.click(screen.getByRole('button', { name: '提交工单' }))
}
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('account 2 · a ticket from the page of what it is about', () => {
  it.each<readonly [string, string, string, string, object]>([
    [
      'a router',
      paths.ticketAbout({ router_name: 'NL-1' }),
      '智能设备',
      '成员：北京分公司',
      { type: 3, snapshot: { kind: 'router', router_name: 'NL-1' } },
    ],
    [
      'a software member',
      paths.ticketAbout({ router_name: 'li.na@qiming' }),
      '智能设备',
      '成员：li.na@qiming',
      { type: 3, snapshot: { kind: 'router', router_name: 'li.na@qiming' } },
    ],
    [
      'a network',
      paths.ticketAbout({ network_number: 'N1' }),
      '智能组网',
      '组网：总部互联',
      { type: 2, snapshot: { kind: 'network', network_number: 'N1' } },
    ],
    ['a service', paths.ticketAbout({ service_name: '骨干带宽' }), '平台服务', '不附带', { type: 1, snapshot: null }],
  ])('%s: type and snapshot are chosen', async (_, address, type, shown, sent) => {
    const { api } = open(address)
    await screen.findByText(type)
    await waitFor(() => expect(snapshot().textContent).toContain(shown))
    await write()
    await waitFor(() => expect(api.last('ticket/create')?.input).toMatchObject(sent))
  })

  it.each([
    ['service', '开通服务：组网席位'],
    ['seats', '扩容：组网席位'],
    ['software', '扩容：软件成员'],
    ['ram', '扩容：子账号'],
  ] as const)('a request for %s is filled in and can be sent as it is', async (request, title) => {
    const { api } = open(paths.requestService(request))
    await screen.findByText('平台服务')
    await userEvent.click(screen.getByRole('button', { name: '提交工单' }))
    await waitFor(() =>
      expect(api.last('ticket/create')?.input).toMatchObject({
        title,
        type: 1,
        content: expect.stringMatching(/^账号 \w+ 希望/) as string,
      }),
    )
  })

  it('texts of the page that led here are filled in beside type and snapshot, and can be changed', async () => {
    const { api, router } = open(paths.createTicket)
    const draft = { title: '门店：设备离线', content: '对象：门店\n现象：设备离线\n已尝试的操作：' }
    await screen.findByLabelText(/^标题/)
    await act(() => router.navigate(paths.ticketAbout({ router_name: 'NL-1' }), { state: withTicketDraft(draft) }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^标题/).value).toBe(draft.title))
    await userEvent.type(screen.getByLabelText(/^概述/), '重启')
    await userEvent.click(screen.getByRole('button', { name: '提交工单' }))
    await waitFor(() =>
      expect(api.last('ticket/create')?.input).toMatchObject({
        title: draft.title,
        content: `${draft.content}重启`,
        type: 3,
        snapshot: { kind: 'router', router_name: 'NL-1' },
      }),
    )
  })

  it.each([[null], [{ ticketDraft: { title: 1 } }], ['x']])('a state %j without texts fills in nothing', (state) => {
    expect(readTicketDraft(state)).toBeNull()
  })

  it('an unknown request fills in nothing', async () => {
    open('/ticket/create?request=constructor')
    expect((await screen.findByLabelText<HTMLInputElement>(/^标题/)).value).toBe('')
  })

  it('a name that no list has is shown as it is', async () => {
    open(paths.ticketAbout({ router_name: 'NL-9' }))
    await waitFor(() => expect(snapshot().textContent).toContain('成员：NL-9'))
  })

  it('none is chosen otherwise, and any member or network can be', async () => {
    const { api } = open(paths.createTicket)
    await userEvent.click(await screen.findByRole('combobox', { name: '诊断快照' }))
    const options = await screen.findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual([
      '组网：总部互联',
      '成员：北京分公司',
      '成员：li.na@qiming',
    ])
    await userEvent.click(options[2]!)
    await waitFor(() => expect(snapshot().textContent).toContain('li.na@qiming'))
    await userEvent.click(screen.getByRole('combobox', { name: '问题类型' }))
    await userEvent.click(await screen.findByText('其他'))
    await write()
    await waitFor(() =>
      expect(api.last('ticket/create')?.input).toMatchObject({
        type: 6,
        snapshot: { kind: 'router', router_name: 'li.na@qiming' },
      }),
    )
  })
})
