import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PING, PONG } from '#contract/kernel/protocol.ts'
import { TicketDetailPage } from '#pages/ticket/ticket-detail-page.tsx'
import { AccountLive } from '#lib/live/account-live.tsx'
import { navigation } from '#lib/navigation.ts'
import { openPage } from '../network/open-page.tsx'
import type { RecordedCall } from '../lib/fake-api.ts'
import { FakeSocket } from '../lib/fake-socket.ts'
import { createSession } from '../lib/fixtures.ts'
import { FILE } from '#contract/file/limits.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SESSION_MS = 30 * MINUTE_MS
const SOCKET_TICKET_MS = 30_000
const NUMBER = 'T20261122000001'

/** Server whose tokens and tickets expire; it records refused requests and replies. */
function startServer() {
  const tokens = new Map([['Bearer access-1', Date.now() + SESSION_MS]])
  const tickets = new Map<string, number>()
  const refused: string[] = []
  const replies: object[] = []

  const withToken = (answer: () => object) => (asked: RecordedCall) => {
    if ((tokens.get(asked.token ?? '') ?? 0) > Date.now()) return { data: answer() }
    refused.push(asked.path)
    return { code: 2001, msg: '登录已过期' }
  }
  const image = (id: string) => ({
    file_id: id,
    name: `${id}.png`,
    src: `/api/v1/file/content?key=${id}&expires=${Date.now() + FILE.addressMinutes * MINUTE_MS}`,
  })
  const sockets: ServerSocket[] = []
  class ServerSocket extends FakeSocket {
    constructor(url: string) {
      super(url)
      sockets.push(this)
      const ticket = new URL(url).searchParams.get('ticket') ?? ''
      const isGood = (tickets.get(ticket) ?? 0) > Date.now()
      tickets.delete(ticket)
      if (!isGood) refused.push('socket')
      queueMicrotask(() => (isGood ? this.accept() : this.drop()))
    }
    accept() {
      this.open()
      this.emitFrame({ code: 200, seq: 1, type: 'account', data: { unread: 0 } })
    }
    drop() {
      this.close()
      this.onclose?.({ code: 1006 })
    }
    override send(text: string) {
      if (text === PING) queueMicrotask(() => this.emitFrame(PONG))
    }
  }
  vi.stubGlobal('WebSocket', ServerSocket)
  return {
    refused,
    /** Closes the socket, as a release does. */
    drop: () => sockets.at(-1)!.drop(),
    reply: () =>
      replies.push({
        reply_id: replies.length + 1,
        side: 'adviser',
        reply_name: '技术顾问',
        reply_time: Date.now(),
        dialogue_content: `第 ${replies.length + 1} 次回复`,
        images: [image(`r${replies.length + 1}`)],
        snapshot: null,
      }),
    handlers: {
      'login/refresh': () => {
        const access_token = `access-${tokens.size + 1}`
        tokens.set(`Bearer ${access_token}`, Date.now() + SESSION_MS)
        return { data: { ...createSession(), access_token } }
      },
      'router/traffic_ticket': withToken(() => {
        const ticket = `K${Date.now()}`
        tickets.set(ticket, Date.now() + SOCKET_TICKET_MS)
        return { ticket, expires_in: 30 }
      }),
      'ticket/info': withToken(() => ({
        ticket_number: NUMBER,
        ticket_title: '断线',
        ticket_type: 2,
        ticket_status: 3,
        create_time: Date.now(),
        update_time: Date.now(),
        author: 'demo01',
        ticket_content: '门店断线',
        images: [image('a'), image('b')],
        snapshot: null,
        dialogue: replies,
        appraise: null,
        close_time: null,
      })),
    },
  }
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const picture = (name: string) => screen.getByRole<HTMLImageElement>('img', { name })
const leftMs = ({ src }: HTMLImageElement) => Number(new URL(src).searchParams.get('expires')) - Date.now()
const box = () => screen.getByLabelText<HTMLTextAreaElement>(/^回复内容/)

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden)
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible')
  document.dispatchEvent(new Event('visibilitychange'))
}

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
  FakeSocket.all = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it.each<readonly [string, (server: ReturnType<typeof startServer>) => Promise<void>]>([
  [
    'in front of somebody, with a release each six hours',
    async (server) => {
      for (let minute = 1; minute <= DAY_MS / MINUTE_MS; minute++) {
        await wait(MINUTE_MS)
        if (minute % 360 === 0) server.drop()
      }
      await wait(MINUTE_MS)
    },
  ],
  [
    'in a tab behind others',
    async () => {
      setHidden(true)
      await wait(DAY_MS)
      setHidden(false)
      await wait(MINUTE_MS)
    },
  ],
  [
    'on a machine that slept',
    async () => {
      vi.setSystemTime(Date.now() + DAY_MS)
      await wait(MINUTE_MS)
    },
  ],
])('account 4 · a ticket left open for a day, %s: nothing is said, and a reply arrives live', async (_, passDay) => {
  const leave = vi.spyOn(navigation, 'assign').mockImplementation(() => {})
  const reload = vi.spyOn(navigation, 'reload').mockImplementation(() => {})
  const server = startServer()
  const { api } = openPage(
    <AccountLive>
      <TicketDetailPage />
    </AccountLive>,
    `/ticket/detail?ticket_number=${NUMBER}`,
    server.handlers,
  )
  await vi.waitFor(() => expect([picture('a.png'), FakeSocket.all.length]).toHaveLength(2), { timeout: 20_000 })
  await vi.waitFor(() => expect(FakeSocket.all.at(-1)?.readyState).toBe(FakeSocket.OPEN), { timeout: 20_000 })
  fireEvent.load(picture('a.png'))
  const loaded = picture('a.png').src
  fireEvent.change(box(), { target: { value: '还没写完' } })

  await passDay(server)

  const socket = FakeSocket.all.at(-1)!
  expect(socket.readyState).toBe(FakeSocket.OPEN)
  expect(server.refused).toEqual([])
  expect(api.paths()).toContain('login/refresh')
  server.reply()
  const tickets = [{ ticket_number: NUMBER, ticket_status: 3 }]
  act(() => socket.emitFrame({ code: 200, seq: 2, type: 'ticket', data: tickets }))
  await vi.waitFor(() => expect(screen.getByText('第 1 次回复')).not.toBeNull(), { timeout: 20_000 })
  expect(leftMs(picture('r1.png'))).toBeGreaterThan(0)
  expect(picture('a.png').src).toBe(loaded)
  fireEvent.error(picture('b.png')) // asks for it only now, as an image far down the page
  await vi.waitFor(() => expect(leftMs(picture('b.png'))).toBeGreaterThan(0), { timeout: 20_000 })

  expect(box().value).toBe('还没写完')
  expect(screen.queryAllByRole('alert')).toEqual([])
  expect([leave.mock.calls, reload.mock.calls]).toEqual([[], []])
})
