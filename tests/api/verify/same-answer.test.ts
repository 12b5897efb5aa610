import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { FAILURE_WORK } from '../../../worker/contract/limits.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { createMainAccount, unique } from '../../support/fixtures.ts'
import { createCaptcha } from '../../support/identity.ts'
import { NAMES, PHONE, TEXT, type Step, ask, createNumber, pass, play, times } from '../../support/strangers.ts'

// A stranger asks for a name that somebody has and for one that nobody has: whatever comes back is equal to the byte.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // replies carry waits in seconds
afterEach(() => void vi.useRealTimers())

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
  'wrong codes until work is asked': [find(), ...times(FAILURE_WORK.perAccount, guessWrong()), find(), find(1)],
  'a recovery that is too old': [find(), send(), pass(1_801_000), guessWrong(), send(), reset],
}

const CELLS = PHONE.flatMap((_, n) => Object.keys(RECOVERIES).map((sequence) => [n, sequence] as const))

/** Replies about the known name, and about the unknown one. */
async function tellBoth(create: () => Promise<readonly string[]>, n: number, sequence: string, spellings = TEXT) {
  const names = await create()
  const steps = RECOVERIES[sequence] ?? []
  const startedAt = Date.now()
  const replies: (readonly string[])[] = []
  for (const name of names) {
    vi.setSystemTime(startedAt)
    replies.push(await play(steps, (more) => (spellings[(n + more) % spellings.length] ?? String)(name)))
  }
  const [known = [], unknown = []] = replies
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
  it('does not reveal that two names are one person’s', async () => {
    const [phone, email] = [createNumber(), `${unique('m')}@example.com`]
    const { username } = await createMainAccount({ phone, email })
    const steps = [find(0), send(), send('email'), find(1), send(), send('email'), find(2), send(), send('email')]
    const startedAt = Date.now()
    const replies = await play(steps, (n) => [username, phone, email][n] ?? '')
    vi.setSystemTime(startedAt)
    const nobody = [unique(), createNumber(), `${unique('m')}@example.com`]
    expect(await play(steps, (n) => nobody[n] ?? '')).toEqual(replies)
  })
  it('gives every name the same two ways', async () => {
    for (const create of Object.values(NAMES)) {
      const [known = ''] = await create()
      const [line = ''] = await play([find()], () => known)
      expect(line).toContain('"phone":"绑定的手机","email":"绑定的邮箱"')
    }
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
    const replies = await play(sequences[sequence] ?? [], () => names[0] ?? '')
    vi.setSystemTime(startedAt)
    expect(await play(sequences[sequence] ?? [], () => names[1] ?? '')).toEqual(replies)
  })
  it('a user name that is taken, and one that is free', async () => {
    const { username } = await createMainAccount()
    const number = toTarget(createNumber())
    const replies = await play([code, register(username)], () => number)
    const other = toTarget(createNumber())
    expect(await play([code, register(unique())], () => other)).toEqual(replies)
  })
})
