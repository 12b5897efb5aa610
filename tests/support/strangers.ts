import { vi } from 'vitest'
import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { createMainAccount, createSubAccount, unique } from './fixtures.ts'
import { nextAddress } from './identity.ts'
import { request } from './test-worker.ts'

// Sequences of calls that a stranger plays with a name that somebody has and with one that nobody has.

let last = 0
export const createNumber = () => `19${String(Date.now() % 100_000).padStart(5, '0')}${String(last++).padStart(4, '0')}`

/** One person's own address for a whole sequence. */
export interface Stranger {
  ip: string
  /** The recovery that was opened last. */
  uniqid: string
  /** Of one who is signed in. */
  readonly token?: string
}

/** Status, body and round trips; what is random in every answer is blanked. */
export async function ask<E extends Endpoint>(
  { ip, token }: Stranger,
  spec: E,
  input: Input<E>,
  send: typeof request = request,
) {
  const response = await send(`/api/v1/${spec.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': ip,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(input),
  })
  const body = await response.text()
  const uniqid = (JSON.parse(body) as { data: { uniqid?: string } | null }).data?.uniqid
  const shown = body.replace(/"request_id":"[\w-]+"/, '').replace(uniqid ?? '-', '#'.repeat(uniqid?.length ?? 1))
  return { uniqid, line: `${response.status} ${response.headers.get('x-db-trips')} ${shown} ${headersOf(response)}` }
}

/** All but the request's own id. */
const headersOf = ({ headers }: Response): string =>
  [...headers]
    .filter(([name]) => name !== 'x-request-id')
    .map(([name, value]) => `${name}: ${toStill(name, value)}`)
    .join(', ')

/** Of cookies the names, since their values are random; of the bookmark nothing, since each write of anybody moves it. */
function toStill(name: string, value: string): string {
  if (name === BOOKMARK_HEADER) return ''
  return name === 'set-cookie' ? value.replace(/=[^;]*/, '=') : value
}

/** Stops the clock at the real time: replies carry waits in seconds. */
export function freezeClock(): void {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
}

export type Step = (stranger: Stranger, spelling: (n: number) => string) => Promise<string>

export const pass =
  (ms: number): Step =>
  async () => {
    vi.setSystemTime(Date.now() + ms)
    return 'time passes'
  }
export const times = (n: number, ...steps: readonly Step[]): Step[] => Array.from({ length: n }, () => steps).flat()

export async function play(
  steps: readonly Step[],
  spelling: (n: number) => string,
  who: Pick<Stranger, 'token'> = {},
): Promise<string[]> {
  const stranger: Stranger = { ip: nextAddress(), uniqid: '', ...who }
  const lines: string[] = []
  for (const step of steps) lines.push(await step(stranger, spelling))
  return lines
}

const toFullWidth = (text: string) =>
  text.replace(/[!-~]/g, (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) + 0xfee0))

export const PHONE: readonly ((number: string) => string)[] = [
  (n) => n,
  (n) => `+86${n}`,
  (n) => `+86 ${n}`,
  (n) => `  ${n}\t`,
  (n) => `86${n}`,
  (n) => `0086${n}`,
  (n) => `${n.slice(0, 3)}-${n.slice(3, 7)}-${n.slice(7)}`,
  (n) => `+86 ${n.slice(0, 3)} ${n.slice(3, 7)} ${n.slice(7)}`,
  (n) => toFullWidth(n),
  (n) => `\u200b${n}`,
  (n) => `+86\u00a0${n}`,
  (n) => `(+86)${n}`,
]
export const TEXT: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => `${name}\u3000`,
  (name) => name.slice(0, 1).toUpperCase() + name.slice(1),
  (name) => `\u200b${name}`,
  toFullWidth,
  (name) => `\u00a0${name}`,
  (name) => `\t${name}\n`,
  (name) => `${name.slice(0, 2)}\u200d${name.slice(2)}`,
  (name) => `${name}\ufeff`,
  (name) => toFullWidth(name.slice(0, -2)) + name.slice(-2).toUpperCase(),
]

/** A name that somebody has and one like it that nobody has, for each reason why no code may arrive. */
export const NAMES = {
  phone: async () => {
    const phone = createNumber()
    await createMainAccount({ phone, email: `${unique()}@example.com` })
    return [phone, createNumber()]
  },
  'user name': async () => {
    const { username } = await createMainAccount({ phone: createNumber(), email: `${unique()}@example.com` })
    return [username, unique()]
  },
  'e-mail': async () => {
    const email = `${unique('m')}@example.com`
    await createMainAccount({ phone: createNumber(), email })
    return [email, `${unique('m')}@example.com`]
  },
  'user name of a disabled account': async () => {
    const { username } = await createMainAccount({ phone: createNumber(), status: 0 })
    return [username, unique()]
  },
  'phone of a disabled account': async () => {
    const phone = createNumber()
    await createMainAccount({ phone, status: 0 })
    return [phone, createNumber()]
  },
  'user name without phone and e-mail': async () => {
    const { username } = await createMainAccount()
    return [username, unique()]
  },
  'sub-account': async () => {
    const { username } = await createSubAccount(await createMainAccount({ phone: createNumber() }))
    return [username, `${unique('ram')}@${unique('d')}`]
  },
} as const satisfies Record<string, () => Promise<readonly string[]>>
