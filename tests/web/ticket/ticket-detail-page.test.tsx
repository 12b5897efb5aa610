import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { readDraft, saveDraft } from '#pages/ticket/reply-box.tsx'
import { TicketDetailPage } from '#pages/ticket/ticket-detail-page.tsx'
import { openPage } from '../network/open-page.tsx'

const AT = Date.parse('2026-11-22T02:00:00Z')
const NUMBER = 'T20261122000001'
const image = (id: string, address = `/${id}`) => ({ file_id: id, name: `${id}.png`, src: address })
const MARKUP = '<b>粗</b>\n第二行'
const TICKET = {
  ticket_number: NUMBER,
  ticket_title: '<i>断线</i>',
  ticket_type: 2,
  ticket_status: 3,
  create_time: AT,
  update_time: AT,
  author: 'desk@demo',
  ticket_content: MARKUP,
  images: [image('a')],
  snapshot: null,
  dialogue: [
    {
      reply_id: 1,
      side: 'adviser',
      reply_name: '技术顾问',
      reply_time: AT + 60_000,
      dialogue_content: '请重启',
      images: [],
      snapshot: null,
    },
  ],
  appraise: null,
  close_time: null,
}
const open = (over: object = {}, handlers = {}) =>
  openPage(<TicketDetailPage />, `/ticket/detail?ticket_number=${NUMBER}`, {
    'ticket/info': { data: { ...TICKET, ...over } },
    'ticket/reply': { msg: '提交成功' },
    'ticket/appraise': { msg: '关闭成功' },
    'ticket/reopen': {},
    'ticket/upload_file': { data: { file_id: 'new', src: '/new' } },
    ...handlers,
  })
const box = () => screen.findByLabelText(/^回复内容/)
const file = () => new File(['x'], 'shot.png', { type: 'image/png' })
/** Content of the clipboard or of a drag: a picture, and the text beside it. */
const content = (text = '', files = [file()]) => ({ files, types: ['Files', 'text/plain'], getData: () => text })
beforeEach(() => localStorage.clear())

describe('account 2 · conversation', () => {
  it('shows both sides apart, texts as text, and the hours of advisers', async () => {
    open()
    const turns = within(await screen.findByRole('log', { name: '沟通记录' })).getAllByRole('listitem')
    expect(turns.map(({ textContent }) => textContent)).toEqual([
      `desk@demo2026-11-22 10:00:00${MARKUP}`,
      '顾问技术顾问2026-11-22 10:01:00请重启',
    ])
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('<i>断线</i>')
    expect(screen.getByText('顾问将在工作日 9:00-18:00 于工单内回复')).not.toBeNull()
    expect(screen.getByText('智能组网')).not.toBeNull()
  })

  it('an image whose address has expired is shown by a new one; one that was loaded keeps its own', async () => {
    const { api } = open({ images: [image('a'), image('b')] })
    const [a, b] = (await screen.findAllByRole('img', { name: /\.png$/ })) as HTMLImageElement[]
    fireEvent.load(a!)
    api.set('ticket/info', { data: { ...TICKET, images: [image('a', '/a2'), image('b', '/b2')] } })
    fireEvent.error(b!)
    await waitFor(() => expect(b!.getAttribute('src')).toBe('/b2'))
    expect(a!.getAttribute('src')).toBe('/a')
  })
  it('an image that is lost is asked for twice, then said so', async () => {
    const { api } = open()
    for (const address of ['/1', '/2', '/3']) {
      const shown = await screen.findByRole('img', { name: 'a.png' })
      api.set('ticket/info', { data: { ...TICKET, images: [image('a', address)] } })
      fireEvent.error(shown)
      await waitFor(() => expect(document.querySelector('img')?.getAttribute('src') ?? address).toBe(address))
    }
    expect(await screen.findByText('无法显示')).not.toBeNull()
  })

  it('leads back to the list where the number is unknown', async () => {
    const { router } = open({}, { 'ticket/info': { code: 204, msg: '工单不存在或已被删除' } })
    await waitFor(() => expect(router.state.location.pathname).toBe('/ticket/lists'))
    expect(await screen.findByText('工单不存在或已被删除')).not.toBeNull()
  })
  it('a failed read can be tried again', async () => {
    const { api } = open({}, { 'ticket/info': { code: 500, msg: '系统异常,请稍候尝试!' } })
    await screen.findByText('加载失败')
    api.set('ticket/info', { data: TICKET })
    await userEvent.click(screen.getByRole('button', { name: '重试' }))
    expect(await box()).not.toBeNull()
  })
})

describe('account 2 · reply', () => {
  it('sends text and images with Ctrl+Enter, and is empty then', async () => {
    const { api } = open()
    fireEvent.paste(await box(), { clipboardData: content() })
    await screen.findByText('shot.png')
    await waitFor(() => expect(screen.queryByText('上传中…')).toBeNull())
    fireEvent.drop(await box(), { dataTransfer: content('https://example.com/shot.png?size=2') })
    await waitFor(() => expect(screen.getAllByText('shot.png')).toHaveLength(2))
    await waitFor(() => expect(screen.queryByText('上传中…')).toBeNull())
    await userEvent.type(await box(), '仍然断线')
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() =>
      expect(api.last('ticket/reply')?.input).toEqual({
        ticket_number: NUMBER,
        content: '仍然断线',
        file_ids: ['new', 'new'],
        snapshot: null,
      }),
    )
    await waitFor(async () => expect(((await box()) as HTMLTextAreaElement).value).toBe(''))
    expect(screen.queryByText('shot.png')).toBeNull()
    expect(readDraft('0 tester', NUMBER)).toBe('')
  })
  it('leaves a text to the browser, also where an office program adds its picture', async () => {
    const { api } = open()
    // fireEvent answers false where the default, which inserts the text, was prevented.
    expect(fireEvent.paste(await box(), { clipboardData: content('成员\t状态\n北京\t离线') })).toBe(true)
    expect(fireEvent.drop(await box(), { dataTransfer: content('北京离线', []) })).toBe(true)
    expect(fireEvent.dragOver(await box(), { dataTransfer: { types: ['text/plain'] } })).toBe(true)
    expect(api.last('ticket/upload_file')).toBeUndefined()
    expect(fireEvent.paste(await box(), { clipboardData: content('shot.png\n') })).toBe(false)
    await screen.findByText('shot.png')
  })
  it('account 5 · an empty one is refused, and so is a file that is no image', async () => {
    const { api } = open()
    await box()
    await userEvent.click(screen.getByRole('button', { name: '发送' }))
    expect(await screen.findByText('回复内容不能为空')).not.toBeNull()
    fireEvent.paste(await box(), { clipboardData: content('', [new File(['x'], 'a.exe')]) })
    expect(await screen.findByText('选择的图片中包含不支持的格式')).not.toBeNull()
    expect(api.last('ticket/reply')).toBeUndefined()
    expect(api.last('ticket/upload_file')).toBeUndefined()
  })
  it('keeps the draft of each ticket', async () => {
    open()
    await userEvent.type(await box(), '草稿')
    expect(localStorage.getItem('netloom.ticket-drafts')).toContain('草稿')
    expect(localStorage.getItem('netloom.ticket-drafts')).toContain(NUMBER)
  })
  it('with an image that was refused asks first, and goes without it', async () => {
    const { api } = open({}, { 'ticket/upload_file': { code: 422, msg: '文件内容与格式不符' } })
    fireEvent.paste(await box(), { clipboardData: content() })
    await screen.findByText('文件内容与格式不符')
    expect(screen.queryByRole('button', { name: '重试' })).toBeNull()
    await userEvent.type(await box(), '仍然断线')
    const send = () => userEvent.click(screen.getByRole('button', { name: '发送' }))
    await send()
    const question = within(await screen.findByRole('alertdialog', { name: '仍要提交？' }))
    await userEvent.click(question.getByRole('button', { name: '返回修改' }))
    expect(api.last('ticket/reply')).toBeUndefined()
    await send()
    await userEvent.click(await screen.findByRole('button', { name: '仍要提交' }))
    await waitFor(() => expect(api.last('ticket/reply')?.input).toMatchObject({ content: '仍然断线', file_ids: [] }))
  })
  it('a refusal keeps text and images', async () => {
    open({}, { 'ticket/reply': { code: 422, msg: '工单已关闭，不能再回复', reason: 'TICKET_CLOSED' } })
    await userEvent.type(await box(), '仍然断线')
    await userEvent.click(screen.getByRole('button', { name: '发送' }))
    expect(await screen.findByText('工单已关闭，不能再回复')).not.toBeNull()
    expect(((await box()) as HTMLTextAreaElement).value).toBe('仍然断线')
  })
})

describe('drafts', () => {
  it('are one person’s, at most twenty, and gone when they are empty', () => {
    for (let i = 0; i < 25; i++) saveDraft('0 a', `T${i}`, `text${i}`)
    expect([readDraft('0 a', 'T4'), readDraft('0 a', 'T5'), readDraft('0 a', 'T24')]).toEqual(['', 'text5', 'text24'])
    expect(readDraft('0 b', 'T24')).toBe('')
    saveDraft('0 a', 'T24', '')
    expect(readDraft('0 a', 'T24')).toBe('')
  })
  it.each(['{', '[]', '{"a":1}'])('a store that holds %s is empty', (text) => {
    localStorage.setItem('netloom.ticket-drafts', text)
    expect(readDraft('0 a', 'T1')).toBe('')
  })
})

describe('account 4 · appraisal', () => {
  it('needs stars, and closes', async () => {
    const { api } = open()
    await userEvent.click(await screen.findByRole('button', { name: '关闭问题并评价' }))
    expect(await screen.findByText('评分不能为空')).not.toBeNull()
    expect(screen.getAllByRole('radio').map((star) => star.getAttribute('aria-label'))).toEqual([
      '1 星，很不满意',
      '2 星，不满意',
      '3 星，一般',
      '4 星，满意',
      '5 星，很满意',
      '未评分',
    ])
    await userEvent.click(screen.getByRole('radio', { name: '4 星，满意' }))
    expect(screen.getByRole('radio', { name: '4 星，满意' }).getAttribute('aria-checked')).toBe('true')
    expect(
      screen
        .getAllByRole('radio')
        .map((star) => [star.getAttribute('aria-posinset'), star.getAttribute('aria-setsize')]),
    ).toEqual([...['1', '2', '3', '4', '5'].map((place) => [place, '5']), [null, null]])
    await userEvent.type(screen.getByLabelText('评价内容'), '很快')
    await userEvent.click(screen.getByRole('button', { name: '关闭问题并评价' }))
    await waitFor(() =>
      expect(api.last('ticket/appraise')?.input).toEqual({ ticket_number: NUMBER, grade: 4, content: '很快' }),
    )
    expect(await screen.findByText('关闭成功')).not.toBeNull()
  })
  it('once given, the reply box is hidden and the stars are read-only', async () => {
    open({ ticket_status: 4, appraise: { grade: 4, content: '很快' }, close_time: AT })
    expect(await screen.findByRole('img', { name: '4 星，满意' })).not.toBeNull()
    expect(screen.getByText('很快')).not.toBeNull()
    expect(screen.queryByLabelText(/^回复内容/)).toBeNull()
    expect(screen.queryByRole('button', { name: '重新打开' })).toBeNull()
    for (const star of screen.getAllByRole('radio')) expect(star.getAttribute('aria-disabled')).toBe('true')
  })
  it('a closed one without it is opened again for seven days', async () => {
    const { api } = open({ ticket_status: 4, close_time: Date.now() - 86_400_000 })
    await userEvent.click(await screen.findByRole('button', { name: '重新打开' }))
    await waitFor(() => expect(api.last('ticket/reopen')?.input).toEqual({ ticket_number: NUMBER }))
    expect(screen.getByRole('button', { name: '提交评价' })).not.toBeNull()
  })
})
