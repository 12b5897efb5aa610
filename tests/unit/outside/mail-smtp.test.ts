import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PROVIDER } from '#contract/kernel/limits.ts'
import { type Connect, createSmtpMail } from '#outside/mail-smtp.ts'
import type { SmtpSocket } from '#outside/smtp-session.ts'

const ENV = {
  ENVIRONMENT: 'production',
  SMTP_HOST: 'smtp.example.com',
  MAIL_SENDERS: '{"*":"no-reply@example.com"}',
} as unknown as Env

let closed = 0
const silent = (over: Partial<SmtpSocket> = {}): SmtpSocket => ({
  readable: new ReadableStream({ pull: () => new Promise(() => {}) }),
  writable: new WritableStream(),
  opened: Promise.resolve(),
  startTls: () => silent(),
  close: async () => void closed++,
  ...over,
})

beforeEach(() => {
  closed = 0
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it.each<[string, Partial<SmtpSocket>]>([
  ['never says a word', {}],
  ['never opens', { opened: new Promise(() => {}) }],
  ['never takes what we write', { writable: new WritableStream({ write: () => new Promise(() => {}) }) }],
])('a server that %s costs 8 seconds, and its socket is closed', async (_, over) => {
  const outcome = createSmtpMail(ENV, () => silent(over))
    .check()
    .catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(PROVIDER.timeoutMs - 1)
  expect(closed).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(await outcome).toMatchObject({ code: 'TIMEOUT', of: 'provider', isRetryable: true })
  expect(closed).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  [{}, 465, 'on'],
  [{ SMTP_PORT: '587' }, 587, 'starttls'],
  [{ SMTP_PORT: '2465', SMTP_SECURITY: 'tls' }, 2465, 'on'],
  [{ SMTP_PORT: '2587', SMTP_SECURITY: 'starttls' }, 2587, 'starttls'],
] as const)('%j connects to port %d with TLS %s', async (over, port, secureTransport) => {
  const connect = vi.fn<Connect>(() => {
    throw new Error('proxy request failed')
  })
  const sent = createSmtpMail({ ...ENV, ...over }, connect).check()
  await expect(sent).rejects.toMatchObject({ code: 'CONNECTION', isRetryable: true })
  expect(connect).toHaveBeenCalledWith(
    { hostname: 'smtp.example.com', port },
    { secureTransport, allowHalfOpen: false },
  )
})
