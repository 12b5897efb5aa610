import { beforeEach, describe, expect, it, vi } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { FAILURE_WORK, OTP } from '#contract/verify/limits.ts'
import { createClients, solvedChallenge } from '#tests/support/clients.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { createNumber, type Step, ask, pass, play, times } from '#tests/support/strangers.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'

// A stranger signs in at the client by a name or a phone that somebody has, and by one that nobody has.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
/** No password is ever right here. */
const { request } = createTestWorker({ passwords: () => ({ run: async () => ({ isRight: false, hash: null }) }) })

const signIn =
  (n = 0): Step =>
  async (stranger, spelling) =>
    (await ask(stranger, clientApi.login, { username: spelling(n), password: 'Wrong2026' }, request)).line
const move: Step = async (stranger) => {
  stranger.ip = nextAddress()
  return 'another address'
}
const PAUSE_MS = LOGIN_GUARD.pauseMinutes * 60_000
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  'one try': [signIn()],
  'two spellings': [signIn(), signIn(1), signIn(), signIn(1)],
  'up to the pause and beyond': times(LOGIN_GUARD.failures + 2, signIn()),
  'a pause that is over': [...times(LOGIN_GUARD.failures + 1, signIn()), pass(PAUSE_MS), signIn()],
  'a pause at one address, then another': [...times(LOGIN_GUARD.failures + 1, signIn(1)), move, signIn()],
  'failures from many addresses, until work is asked': [
    ...times(FAILURE_WORK.perAccount / LOGIN_GUARD.failures, move, ...times(LOGIN_GUARD.failures, signIn())),
    move,
    signIn(),
    signIn(1),
  ],
}

describe('account 5 · client/login answers a known and an unknown name alike', () => {
  it.each(sampleOf('same answer', Object.entries(SEQUENCES)))('%s', async (_, steps) => {
    const [member] = await createClients()
    const spell = (name: string) => (n: number) => (n === 0 ? name : ` ${name.toUpperCase()}`)
    const known = await play(steps, spell(member!.name))
    const unknown = await play(steps, spell(`x${member!.local}@${member!.sign}`))
    const unknownSuffix = await play(steps, spell(`${member!.local}@nobody99`))
    expect(unknown).toEqual(known)
    expect(unknownSuffix).toEqual(known)
  })
})

const send: Step = async (stranger, spelling) => {
  const { uniqid, line } = await ask(
    stranger,
    clientApi.phone,
    { phone: spelling(0), ...(await solvedChallenge()) },
    request,
  )
  stranger.uniqid = uniqid ?? stranger.uniqid
  return line
}
const type: Step = async (stranger, spelling) => {
  const input = { uniqid: stranger.uniqid || 'none', phone: spelling(0), code: '000000' }
  return (await ask(stranger, clientApi.phoneLogin, input, request)).line
}

describe('account 5 · client/phone answers a known and an unknown phone alike', () => {
  it.each(
    Object.entries({
      'a code and a wrong one': [send, type],
      'all tries of a code': [send, ...times(OTP.tries + 1, type)],
      'too soon': [send, send, type],
      'without a code': [type],
      'a new code': [send, type, pass(OTP.resendSeconds * 1000), send, type],
      'the daily limit': times(12, send, pass(OTP.resendSeconds * 1000)),
    } satisfies Readonly<Record<string, readonly Step[]>>),
  )('%s', async (_, steps) => {
    const [phone, other] = [createNumber(), createNumber()]
    await createClients(2, { phone })
    expect(await play(steps, () => other)).toEqual(await play(steps, () => phone))
  })
})
