import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Endpoint, Input } from '../../../worker/contract/endpoint.ts'
import { FAILURE_WORK, LOGIN_GUARD } from '../../../worker/contract/limits.ts'
import { loginApi } from '../../../worker/contract/login.ts'
import { createCaptcha, nextAddress } from '../../support/identity.ts'
import { NAMES, PHONE, TEXT, type Step, type Stranger, ask, pass, play, times } from '../../support/strangers.ts'
import { createTestWorker } from '../../support/test-worker.ts'

// A stranger signs in by a name that somebody has and by one that nobody has: whatever comes back is equal to the byte.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // replies carry waits in seconds
afterEach(() => void vi.useRealTimers())

/** No password is ever right here, and hashing thousands of them would take minutes. */
const { request } = createTestWorker({ passwords: () => ({ run: async () => ({ isRight: false, hash: null }) }) })

const tell = async <E extends Endpoint>(stranger: Stranger, spec: E, input: Input<E>): Promise<string> =>
  (await ask(stranger, spec, input, request)).line

/** One sign-in with a wrong password. */
const signIn =
  (n = 0, over: { readonly kind?: 'account' | 'ram'; readonly password?: string; readonly code?: string } = {}): Step =>
  async (stranger, spelling) => {
    const { kind = 'account', password = 'Wrong2026' } = over
    const { uniqid, code } = await createCaptcha('login')
    const input = { username: spelling(n), password, code: over.code ?? code, uniqid }
    return tell(stranger, loginApi[kind], input)
  }
/** The same captcha once more. */
const repeat: Step = async (stranger, spelling) => {
  const { uniqid, code } = await createCaptcha('login')
  const input = { username: spelling(0), password: 'Wrong2026', code, uniqid }
  return `${await tell(stranger, loginApi.account, input)} ${await tell(stranger, loginApi.account, input)}`
}
/** Two at the same time, whose answers may come in any order. */
const twice: Step = async (stranger, spelling) => {
  const lines = await Promise.all([signIn()(stranger, spelling), signIn(1)(stranger, spelling)])
  return lines.toSorted().join(' ')
}
const move: Step = async (stranger) => {
  stranger.ip = nextAddress()
  return 'another address'
}
const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000

const SIGN_INS: Readonly<Record<string, readonly Step[]>> = {
  'one try': [signIn()],
  'two spellings, twice': [signIn(), signIn(1), signIn(), signIn(1)],
  'up to the pause and beyond': times(LOGIN_GUARD.failures + 2, signIn()),
  'a pause that is over': [...times(LOGIN_GUARD.failures + 1, signIn()), pass(PAUSE_MS), signIn()],
  'a pause at one address, then another': [...times(LOGIN_GUARD.failures + 1, signIn(1)), move, signIn()],
  'wrong captchas between': [signIn(0, { code: '0000' }), signIn(), signIn(0, { code: '0000' }), signIn()],
  'a captcha used twice': [repeat, signIn()],
  'passwords no account has': [
    signIn(0, { password: '' }),
    signIn(0, { password: 'x' }),
    signIn(0, { password: '88888888' }),
  ],
  'the forms of both kinds of account': [signIn(), signIn(0, { kind: 'ram' }), signIn(1), signIn(1, { kind: 'ram' })],
  'two at once': [twice, signIn()],
  'failures from many addresses, until work is asked': [
    ...times(FAILURE_WORK.perAccount / LOGIN_GUARD.failures, move, ...times(LOGIN_GUARD.failures, signIn())),
    move,
    signIn(),
    signIn(1),
  ],
}

describe('account 2 · sign-in answers a known and an unknown name alike', () => {
  /** Replies about the known name and about the unknown one, in one spelling after the other from the nth on. */
  async function tellBoth(create: () => Promise<readonly string[]>, n: number, sequence: string, spellings = TEXT) {
    const [known = '', unknown = ''] = await create()
    const spell = (name: string) => (more: number) => (spellings[(n + more) % spellings.length] ?? String)(name)
    const startedAt = Date.now()
    const replies = await play(SIGN_INS[sequence] ?? [], spell(known))
    vi.setSystemTime(startedAt)
    return { known: replies, unknown: await play(SIGN_INS[sequence] ?? [], spell(unknown)) }
  }
  const others = Object.keys(NAMES).filter((kind) => kind !== 'phone') as (keyof typeof NAMES)[]

  it.each(PHONE.flatMap((_, n) => Object.keys(SIGN_INS).map((sequence) => [n, sequence] as const)))(
    'phone in spelling %i: %s',
    async (n, sequence) => {
      const { known, unknown } = await tellBoth(NAMES.phone, n, sequence, PHONE)
      expect(unknown).toEqual(known)
    },
  )
  it.each(others.flatMap((kind) => Object.keys(SIGN_INS).map((sequence, n) => [kind, sequence, n] as const)))(
    '%s: %s',
    async (kind, sequence, n) => {
      const { known, unknown } = await tellBoth(NAMES[kind], n, sequence, kind.startsWith('phone') ? PHONE : TEXT)
      expect(unknown).toEqual(known)
    },
  )
  it('the sequences meet what they are named after', async () => {
    const reasonsOf = async (sequence: string) =>
      (await tellBoth(NAMES['user name'], 0, sequence)).known.map((line) => /"reason":"(\w+)"/.exec(line)?.[1])
    expect((await reasonsOf('up to the pause and beyond')).slice(-3)).toEqual([
      'LOGIN_FAILED',
      'LOGIN_PAUSED',
      'LOGIN_PAUSED',
    ])
    expect((await reasonsOf('a pause that is over')).at(-1)).toBe('LOGIN_FAILED')
    expect((await reasonsOf('failures from many addresses, until work is asked')).at(-1)).toBe('WORK_REQUIRED')
  })
})
