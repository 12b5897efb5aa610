import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import type { Endpoint, Input } from '../../../worker/contract/endpoint.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { createMainAccount, createSubAccount, unique } from '../../support/fixtures.ts'
import { createCaptcha, nextAddress } from '../../support/identity.ts'
import { request } from '../../support/test-worker.ts'

// A stranger asks for a name that somebody has and for one that nobody has: whatever comes back is equal to the byte.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // waits are told in seconds
afterEach(() => void vi.useRealTimers())

let last = 0
const createNumber = () => `19${String(Date.now() % 100_000).padStart(5, '0')}${String(last++).padStart(4, '0')}`

/** One person's own address for a whole sequence. */
interface Stranger {
  readonly ip: string
  /** The recovery that was opened last. */
  uniqid: string
}

/** Status, body and round trips; what is random in every answer is blanked. */
async function ask<E extends Endpoint>({ ip }: Stranger, spec: E, input: Input<E>) {
  const response = await request(`/api/v1/${spec.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': ip },
    body: JSON.stringify(input),
  })
  const body = await response.text()
  const uniqid = (JSON.parse(body) as { data: { uniqid?: string } | null }).data?.uniqid
  const shown = body.replace(/"request_id":"[\w-]+"/, '').replace(uniqid ?? '-', '#'.repeat(uniqid?.length ?? 1))
  return { uniqid, line: `${response.status} ${response.headers.get('x-db-trips')} ${shown}` }
}

type Step = (stranger: Stranger, spelling: (n: number) => string) => Promise<string>

const find =
  (n = 0): Step =>
  async (stranger, spelling) => {
    const { uniqid, code: img_code } = await createCaptcha('find_password')
    const answer = await ask(stranger, verifyApi.findPassword, { username: spelling(n), img_code, uniqid })
    stranger.uniqid = answer.uniqid ?? ''
    return answer.line
  }
const send =
  (send_type: 'phone' | 'email' = 'phone'): Step =>
  async (stranger) =>
    (await ask(stranger, verifyApi.findPasswordCode, { uniqid: stranger.uniqid, send_type })).line
const guess =
  (send_type: 'phone' | 'email' = 'phone'): Step =>
  async (stranger) =>
    (await ask(stranger, verifyApi.authentication, { uniqid: stranger.uniqid, send_type, code: 'no' as never })).line
const guessWrong =
  (send_type: 'phone' | 'email' = 'phone'): Step =>
  async (stranger) => {
    const { uniqid } = stranger
    return (await ask(stranger, verifyApi.authentication, { uniqid, send_type, code: '000000' })).line
  }
const reset: Step = async (stranger) => {
  const passwords = { password: 'Changed26', reset_password: 'Changed26' }
  return (await ask(stranger, verifyApi.resetPassword, { uniqid: stranger.uniqid, ...passwords })).line
}
const pass =
  (ms: number): Step =>
  async () => {
    vi.setSystemTime(Date.now() + ms)
    return 'time passes'
  }
const times = (n: number, ...steps: readonly Step[]): Step[] => Array.from({ length: n }, () => steps).flat()

const RECOVERIES: Readonly<Record<string, readonly Step[]>> = {
  'a lookup': [find(), find(), find(1)],
  'a code by phone, twice at once': [find(), send(), send()],
  'a code by e-mail, twice at once': [find(), send('email'), send('email')],
  'codes of two walks in two spellings': [find(), send(), find(1), send(), pass(59_000), send()],
  'a code of each kind, guessed': [find(), send(), send('email'), guessWrong(), guessWrong('email'), reset],
  'five guesses and a sixth': [find(), send(), ...times(6, guessWrong())],
  'no code asked for': [find(), guessWrong(), guess(), reset],
  'the day of one sender': [find(), ...times(6, send(), pass(60_000)), send('email')],
  'a code that is too old': [find(), send(), pass(601_000), guessWrong(), send(), guessWrong()],
  'a recovery that is too old': [find(), send(), pass(1_801_000), guessWrong(), send(), reset],
}

async function play(steps: readonly Step[], spelling: (n: number) => string): Promise<string[]> {
  const stranger: Stranger = { ip: nextAddress(), uniqid: '' }
  const lines: string[] = []
  for (const step of steps) lines.push(await step(stranger, spelling))
  return lines
}

const PHONE: readonly ((number: string) => string)[] = [
  (n) => n,
  (n) => `+86${n}`,
  (n) => `+86 ${n}`,
  (n) => `  ${n}\t`,
  (n) => `86${n}`,
  (n) => `0086${n}`,
  (n) => `${n.slice(0, 3)}-${n.slice(3, 7)}-${n.slice(7)}`,
  (n) => `+86 ${n.slice(0, 3)} ${n.slice(3, 7)} ${n.slice(7)}`,
  (n) => n.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))), // full width
  (n) => `\u200b${n}`,
  (n) => `+86\u00a0${n}`,
  (n) => `(+86)${n}`,
]
const TEXT: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name}`,
  (name) => `${name}\u3000`,
  (name) => name.slice(0, 1).toUpperCase() + name.slice(1),
  (name) => `\u200b${name}`,
]

/** A name that somebody has and one like it that nobody has, for each reason why no code may arrive. */
const NAMES = {
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

const CELLS = PHONE.flatMap((_, n) => Object.keys(RECOVERIES).map((sequence) => [n, sequence] as const))

/** What is told about the known name, and about the unknown one. */
async function tellBoth(create: () => Promise<readonly string[]>, n: number, sequence: string, spellings = TEXT) {
  const names = await create()
  const steps = RECOVERIES[sequence] ?? []
  const startedAt = Date.now()
  const told: (readonly string[])[] = []
  for (const name of names) {
    vi.setSystemTime(startedAt)
    told.push(await play(steps, (more) => (spellings[(n + more) % spellings.length] ?? String)(name)))
  }
  const [known = [], unknown = []] = told
  return { known, unknown }
}

describe('account 2 · recovery answers a known and an unknown name alike', () => {
  it.each(CELLS)('phone in spelling %i: %s', async (n, sequence) => {
    const { known, unknown } = await tellBoth(NAMES.phone, n, sequence, PHONE)
    expect(known[0]).toMatch(/^200 1 \{"code":200/)
    expect(unknown).toEqual(known)
  })
  const others = Object.keys(NAMES).filter((kind) => kind !== 'phone') as (keyof typeof NAMES)[]
  it.each(others.flatMap((kind) => Object.keys(RECOVERIES).map((sequence, n) => [kind, sequence, n] as const)))(
    '%s: %s',
    async (kind, sequence, n) => {
      const { known, unknown } = await tellBoth(NAMES[kind], n, sequence, kind.startsWith('phone') ? PHONE : TEXT)
      expect(known[0]).toMatch(/^200 1 \{"code":200/)
      expect(unknown).toEqual(known)
    },
  )
  it('does not tell that two names are one person’s', async () => {
    const [phone, email] = [createNumber(), `${unique('m')}@example.com`]
    const { username } = await createMainAccount({ phone, email })
    const steps = [find(0), send(), send('email'), find(1), send(), send('email'), find(2), send(), send('email')]
    const startedAt = Date.now()
    const told = await play(steps, (n) => [username, phone, email][n] ?? '')
    vi.setSystemTime(startedAt)
    const nobody = [unique(), createNumber(), `${unique('m')}@example.com`]
    expect(await play(steps, (n) => nobody[n] ?? '')).toEqual(told)
  })
  it('gives every name the same two ways', async () => {
    for (const create of Object.values(NAMES)) {
      const [known = ''] = await create()
      const [line = ''] = await play([find()], () => known)
      expect(line).toContain('"phone":"绑定的手机","email":"绑定的邮箱"')
    }
  })
})

describe('account 2 · sign-in answers a known and an unknown name alike', () => {
  const attempt =
    (spec: typeof loginApi.account | typeof loginApi.ram, n = 0): Step =>
    async (stranger, spelling) => {
      const { uniqid, code } = await createCaptcha('login')
      return (await ask(stranger, spec, { username: spelling(n), password: 'Wrong2026', code, uniqid })).line
    }
  const { account, ram } = loginApi
  it.each(PHONE.map((_, n) => n))('phone in spelling %i', async (n) => {
    const [known = '', unknown = ''] = await NAMES.phone()
    const spelled = (name: string) => () => (PHONE[n] ?? String)(name)
    const steps = [attempt(account)]
    expect(await play(steps, spelled(unknown))).toEqual(await play(steps, spelled(known)))
  })
  it.each(['user name', 'e-mail', 'sub-account'] as const)('%s, up to the pause', async (kind) => {
    const [known = '', unknown = ''] = await NAMES[kind]()
    const steps = times(7, attempt(kind === 'sub-account' ? ram : account))
    expect(await play(steps, () => unknown)).toEqual(await play(steps, () => known))
  })
})

describe('account 7 · registration answers a known and an unknown target alike', () => {
  const toTarget = (number: string) => `+86 ${number}`
  const code: Step = async (stranger, spelling) => {
    const { uniqid, code: img_code } = await createCaptcha('register')
    const target = spelling(0)
    const send_type = target.includes('@') ? 'email' : 'phone'
    stranger.uniqid = uniqid
    return (await ask(stranger, verifyApi.register, { send_type, send_value: target, img_code, uniqid } as never)).line
  }
  const register =
    (username?: string): Step =>
    async (stranger, spelling) => {
      const [verify, password] = [spelling(0), 'Secret26']
      const type = verify.includes('@') ? 'email' : 'phone'
      const form = { nickname: '张三', username: username ?? unique(), password, newPassword: password, type, verify }
      return (await ask(stranger, accountApi.register, { ...form, code: '000000', uniqid: stranger.uniqid } as never))
        .line
    }
  const sequences: Readonly<Record<string, readonly Step[]>> = {
    'a code': [code],
    'a code, twice at once': [code, code],
    'a code again': [code, pass(59_000), code],
    'the day of one sender': times(6, code, pass(60_000)),
    'no code': [register()],
    'a wrong code': [code, register()],
    'five wrong codes and a sixth': [code, ...times(6, register())],
    'a wrong code, then another code': [code, register(), pass(59_000), code, register()],
    'a code that is too old': [code, pass(601_000), register()],
    'a code in between': [register(), code, register()],
  }
  const targets = { phone: NAMES.phone, 'e-mail': NAMES['e-mail'] }
  it.each(
    (['phone', 'e-mail'] as const).flatMap((kind) =>
      Object.keys(sequences).map((sequence) => [kind, sequence] as const),
    ),
  )('%s: %s', async (kind, sequence) => {
    const names = (await targets[kind]()).map((name) => (kind === 'phone' ? toTarget(name) : name))
    const startedAt = Date.now()
    const told = await play(sequences[sequence] ?? [], () => names[0] ?? '')
    vi.setSystemTime(startedAt)
    expect(await play(sequences[sequence] ?? [], () => names[1] ?? '')).toEqual(told)
  })
  it('a user name that is taken, and one that is free', async () => {
    const { username } = await createMainAccount()
    const number = toTarget(createNumber())
    const told = await play([code, register(username)], () => number)
    const other = toTarget(createNumber())
    expect(await play([code, register(unique())], () => other)).toEqual(told)
  })
})
