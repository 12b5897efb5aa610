import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { FAILURE_WORK } from '#contract/verify/limits.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, nextAddress } from '#tests/support/identity.ts'
import {
  NAMES,
  PHONE,
  TEXT,
  type Step,
  type Stranger,
  ask,
  pass,
  play,
  times,
  freezeClock,
} from '#tests/support/strangers.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import { enableTotp } from '#tests/support/totp.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A stranger signs in by a name that somebody has and by one that nobody has: whatever comes back is equal to the byte.

beforeEach(freezeClock)
/** No password is ever right here, and hashing thousands of them would take minutes. */
const { request } = createTestWorker({ passwords: () => ({ run: async () => ({ isRight: false, hash: null }) }) })

const tell = async <E extends Endpoint>(stranger: Stranger, spec: E, input: Input<E>): Promise<string> =>
  (await ask(stranger, spec, input, request)).line

type Form = 'account' | 'ram'

/** One sign-in with a wrong password. */
const signInBy =
  (form: Form) =>
  (n = 0, over: { readonly password?: string; readonly code?: string } = {}): Step =>
  async (stranger, spelling) => {
    const { uniqid, code } = await createCaptcha('login')
    const input = { username: spelling(n), password: 'Wrong2026', code, uniqid, ...over }
    return tell(stranger, loginApi[form], input)
  }
/** The same captcha once more. */
const repeatBy =
  (form: Form): Step =>
  async (stranger, spelling) => {
    const { uniqid, code } = await createCaptcha('login')
    const input = { username: spelling(0), password: 'Wrong2026', code, uniqid }
    return `${await tell(stranger, loginApi[form], input)} ${await tell(stranger, loginApi[form], input)}`
  }
/** Two at the same time, whose answers may come in any order. */
const twiceBy =
  (form: Form): Step =>
  async (stranger, spelling) => {
    const signIn = signInBy(form)
    const lines = await Promise.all([signIn()(stranger, spelling), signIn(1)(stranger, spelling)])
    return lines.toSorted().join(' ')
  }
const move: Step = async (stranger) => {
  stranger.ip = nextAddress()
  return 'another address'
}
const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000

function createSequences(form: Form) {
  const [signIn, other] = [signInBy(form), signInBy(form === 'account' ? 'ram' : 'account')]
  return {
    'one try': [signIn()],
    'two spellings, twice': [signIn(), signIn(1), signIn(), signIn(1)],
    'up to the pause and beyond': times(LOGIN_GUARD.failures + 2, signIn()),
    'a pause that is over': [...times(LOGIN_GUARD.failures + 1, signIn()), pass(PAUSE_MS), signIn()],
    'a pause at one address, then another': [...times(LOGIN_GUARD.failures + 1, signIn(1)), move, signIn()],
    'wrong captchas between': [signIn(0, { code: '0000' }), signIn(), signIn(0, { code: '0000' }), signIn()],
    'a captcha used twice': [repeatBy(form), signIn()],
    'passwords no account has': [
      signIn(0, { password: '' }),
      signIn(0, { password: 'x' }),
      signIn(0, { password: '88888888' }),
    ],
    'the forms of both kinds of account': [signIn(), other(), signIn(1), other(1)],
    'two at once': [twiceBy(form), signIn()],
    'failures from many addresses, until work is asked': [
      ...times(FAILURE_WORK.perAccount / LOGIN_GUARD.failures, move, ...times(LOGIN_GUARD.failures, signIn())),
      move,
      signIn(),
      signIn(1),
    ],
  } satisfies Readonly<Record<string, readonly Step[]>>
}
const SEQUENCES = { account: createSequences('account'), ram: createSequences('ram') }
type Sequence = keyof typeof SEQUENCES.account
const NAMED = Object.keys(SEQUENCES.account) as Sequence[]

describe('account 2 · sign-in answers a known and an unknown name alike', () => {
  interface Played {
    readonly n: number
    readonly sequence: Sequence
    readonly spellings: readonly ((name: string) => string)[]
    readonly form?: Form
  }
  /** Replies about the known name and about the unknown one, in one spelling after the other from the nth on. */
  async function tellBoth(names: Promise<readonly string[]>, { n, sequence, spellings, form = 'account' }: Played) {
    const [known = '', unknown = ''] = await names
    const steps = SEQUENCES[form][sequence]
    const spell = (name: string) => (more: number) => (spellings[(n + more) % spellings.length] ?? String)(name)
    const startedAt = Date.now()
    const replies = await play(steps, spell(known))
    vi.setSystemTime(startedAt)
    return { known: replies, unknown: await play(steps, spell(unknown)) }
  }
  const others = Object.keys(NAMES).filter((kind) => kind !== 'phone') as (keyof typeof NAMES)[]

  it('phone: each sequence in each spelling', async () => {
    const cells = PHONE.flatMap((_, n) => NAMED.map((sequence) => [n, sequence] as const))
    const offenders = await findOffenders(sampleOf('same answer', cells))(async (n, sequence) => {
      freezeClock()
      const { known, unknown } = await tellBoth(NAMES.phone(), { n, sequence, spellings: PHONE })
      expect(unknown).toEqual(known)
    })
    expect(offenders).toEqual([])
  })
  it('each other kind of name: each sequence', async () => {
    const cells = others.flatMap((kind) => NAMED.map((sequence, n) => [kind, sequence, n] as const))
    const offenders = await findOffenders(sampleOf('same answer', cells))(async (kind, sequence, n) => {
      freezeClock()
      const spellings = kind.startsWith('phone') ? PHONE : TEXT
      const { known, unknown } = await tellBoth(NAMES[kind](), { n, sequence, spellings })
      expect(unknown).toEqual(known)
    })
    expect(offenders).toEqual([])
  })
  const named = NAMED.map((sequence, n) => [sequence, n] as const)
  it.each(sampleOf('same answer', named))('sub-account by its own form: %s', async (sequence, n) => {
    const played = { n, sequence, spellings: TEXT, form: 'ram' } as const
    const { known, unknown } = await tellBoth(NAMES['sub-account'](), played)
    expect(unknown).toEqual(known)
  })
  it.each(sampleOf('same answer', named))('a second factor changes nothing: %s', async (sequence, n) => {
    const names = async () => {
      const main = await createMainAccount()
      await enableTotp(main)
      return [main.username, unique()]
    }
    const { known, unknown } = await tellBoth(names(), { n, sequence, spellings: TEXT })
    expect(unknown).toEqual(known)
  })
  it.each([
    ['phone', PHONE, 'account'],
    ['user name', TEXT, 'account'],
    ['e-mail', TEXT, 'account'],
    ['sub-account', TEXT, 'ram'],
  ] as const)('%s: a pause holds in each spelling', async (kind, spellings, form) => {
    const [known = '', unknown = ''] = await NAMES[kind]()
    const signIn = signInBy(form)
    const steps = [...times(LOGIN_GUARD.failures, signIn()), ...spellings.map((_, n) => signIn(n))]
    const startedAt = Date.now()
    const replies = await play(steps, (n) => (spellings[n] ?? String)(known))
    vi.setSystemTime(startedAt)
    expect(replies.slice(LOGIN_GUARD.failures).filter((line) => !line.includes('LOGIN_PAUSED'))).toEqual([])
    expect(await play(steps, (n) => (spellings[n] ?? String)(unknown))).toEqual(replies)
  })
  it('the sequences meet what they are named after', async () => {
    const reasonsOf = async (sequence: Sequence) =>
      (await tellBoth(NAMES['user name'](), { n: 0, sequence, spellings: TEXT })).known.map(
        (line) => /"reason":"(\w+)"/.exec(line)?.[1],
      )
    expect((await reasonsOf('up to the pause and beyond')).slice(-3)).toEqual([
      'LOGIN_FAILED',
      'LOGIN_PAUSED',
      'LOGIN_PAUSED',
    ])
    expect((await reasonsOf('a pause that is over')).at(-1)).toBe('LOGIN_FAILED')
    expect((await reasonsOf('failures from many addresses, until work is asked')).at(-1)).toBe('WORK_REQUIRED')
  })
})
