import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha } from '#tests/support/identity.ts'
import {
  NAMES,
  PHONE,
  TEXT,
  type Step,
  ask,
  createNumber,
  pass,
  play,
  times,
  freezeClock,
} from '#tests/support/strangers.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A stranger asks for a name that somebody has and for one that nobody has: whatever comes back is equal to the byte.

beforeEach(freezeClock)
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
  it('phone: each sequence in each spelling', async () => {
    const offenders = await findOffenders(sampleOf('same answer', CELLS))(async (n, sequence) => {
      freezeClock()
      const { known, unknown } = await tellBoth(NAMES.phone, n, sequence, PHONE)
      expect(known[0]).toMatch(/^200 1 \{"code":200/)
      expect(unknown).toEqual(known)
    })
    expect(offenders).toEqual([])
  })
  const others = Object.keys(NAMES).filter((kind) => kind !== 'phone') as (keyof typeof NAMES)[]
  it('each other kind of name: each sequence', async () => {
    const cells = others.flatMap((kind) => Object.keys(RECOVERIES).map((sequence, n) => [kind, sequence, n] as const))
    const offenders = await findOffenders(sampleOf('same answer', cells))(async (kind, sequence, n) => {
      freezeClock()
      const { known, unknown } = await tellBoth(NAMES[kind], n, sequence, kind.startsWith('phone') ? PHONE : TEXT)
      expect(known[0]).toMatch(/^200 1 \{"code":200/)
      expect(unknown).toEqual(known)
    })
    expect(offenders).toEqual([])
  })
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
  /** `PHONE` with the dial code and blanks around it. */
  const DIALLED: readonly ((number: string) => string)[] = [
    (n) => `+86 ${n}`,
    (n) => ` +86 ${n}`,
    (n) => `+86 ${n}\t`,
    (n) => `\u00a0+86 ${n}`,
    (n) => `+86 ${n}\u3000`,
    (n) => `\ufeff+86 ${n}\n`,
    ...PHONE.filter((_, n) => [0, 1, 5, 6, 8, 9].includes(n)),
  ]
  const TARGETS = {
    phone: { create: NAMES.phone, spellings: DIALLED },
    'e-mail': { create: NAMES['e-mail'], spellings: TEXT },
  } as const
  type Kind = keyof typeof TARGETS
  const KINDS = Object.keys(TARGETS) as Kind[]

  const code =
    (n = 0): Step =>
    async (stranger, spelling) => {
      const { uniqid, code: img_code } = await createCaptcha('register')
      const target = spelling(n)
      const send_type = isEmail(target) ? 'email' : 'phone'
      stranger.uniqid = uniqid
      return (await ask(stranger, verifyApi.register, { send_type, send_value: target, img_code, uniqid } as never))
        .line
    }
  const register =
    (n = 0, username?: string): Step =>
    async (stranger, spelling) => {
      const [verify, password] = [spelling(n), 'Secret26']
      const type = isEmail(verify) ? 'email' : 'phone'
      const form = { nickname: '张三', username: username ?? unique(), password, newPassword: password, type, verify }
      return (await ask(stranger, accountApi.register, { ...form, code: '000000', uniqid: stranger.uniqid } as never))
        .line
    }
  const isEmail = (target: string) => /[@＠]/.test(target)

  const sequences: Readonly<Record<string, readonly Step[]>> = {
    'a code': [code(), code(1)],
    'a code, twice at once': [code(), code()],
    'a code again': [code(), pass(59_000), code(1)],
    'the day of one sender': times(3, code(), pass(60_000), code(1), pass(60_000)),
    'no code': [register(), register(1)],
    'a wrong code': [code(), register(), register(1)],
    'five wrong codes and a sixth': [code(), ...times(3, register(), register(1))],
    'a wrong code, then another code': [code(), register(), pass(59_000), code(1), register(1)],
    'a code that is too old': [code(), pass(601_000), register()],
    'a code in between': [register(), code(), register(1)],
  }
  const spell = (kind: Kind, n: number, name: string) => (more: number) => {
    const { spellings } = TARGETS[kind]
    return (spellings[(n + more) % spellings.length] ?? String)(name)
  }
  it.each(KINDS)('%s: each sequence in each spelling', async (kind) => {
    const cells = TARGETS[kind].spellings.flatMap((_, n) =>
      Object.entries(sequences).map(([sequence, steps]) => [n, sequence, steps] as const),
    )
    const offenders = await findOffenders(sampleOf('same answer', cells))(async (n, _, steps) => {
      freezeClock()
      const [known = '', unknown = ''] = await TARGETS[kind].create()
      const startedAt = Date.now()
      const replies = await play(steps, spell(kind, n, known))
      vi.setSystemTime(startedAt)
      expect(await play(steps, spell(kind, n, unknown))).toEqual(replies)
    })
    expect(offenders).toEqual([])
  })
  it.each(KINDS)('%s: wrong codes until work is asked', async (kind) => {
    const steps = [code(), ...times(FAILURE_WORK.perAccount, register()), code(), code(1)]
    const [known = '', unknown = ''] = await TARGETS[kind].create()
    const startedAt = Date.now()
    const replies = await play(steps, spell(kind, 0, known))
    vi.setSystemTime(startedAt)
    expect(await play(steps, spell(kind, 0, unknown))).toEqual(replies)
    expect(replies.at(-1)).toContain('WORK_REQUIRED')
  })
  it.each(KINDS)('%s: every spelling is accepted as the same, and one limit holds for all', async (kind) => {
    const [known = ''] = await TARGETS[kind].create()
    const replies = await play(
      TARGETS[kind].spellings.map((_, n) => code(n)),
      spell(kind, 0, known),
    )
    const [first, ...others] = replies.map((line) => line.split(' ')[0] === '200' && !line.includes('"code":422'))
    expect(first).toBe(true)
    expect(replies.filter((line) => line.includes('"code":422'))).toEqual([])
    expect(others).not.toContain(true)
    expect(replies.filter((line) => line.includes('CODE_TOO_SOON'))).toHaveLength(replies.length - 1)
  })
  it.each(
    sampleOf(
      'same answer',
      TEXT.map((_, n) => n),
    ),
  )('a user name that is taken, and one that is free, in spelling %i', async (n) => {
    const { username } = await createMainAccount()
    const number = `+86 ${createNumber()}`
    const [taken, free] = [username, unique()].map((name) => (TEXT[n] ?? String)(name))
    const replies = await play([code(), register(0, taken)], () => number)
    const other = `+86 ${createNumber()}`
    expect(await play([code(), register(0, free)], () => other)).toEqual(replies)
  })
})
