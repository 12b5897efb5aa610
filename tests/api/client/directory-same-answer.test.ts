import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { clientApi } from '#contract/client/index.ts'
import { LDAP_SIGN_IN } from '#contract/ldap/limits.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { createClient } from '#tests/support/clients.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { type TestDirectory, createTestDirectory, entry, runNow } from '#tests/support/directory.ts'
import { worker } from '#tests/support/directory-company.ts'
import { PASSWORD } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { type Step, ask, pass, play, times, freezeClock } from '#tests/support/strangers.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A stranger signs in with a wrong password: as an imported member, as one made by hand, as nobody.

beforeEach(freezeClock)

/** No password is ever right here. */
const { request } = createTestWorker({
  hubs: (requestId) => createHubs(env, requestId),
  passwords: () => ({ run: async () => ({ isRight: false, hash: null }) }),
})

const signIn =
  (n = 0): Step =>
  async (stranger, spelling) =>
    (await ask(stranger, clientApi.login, { username: spelling(n), password: 'Wrong2026' }, request)).line
const move: Step = async (stranger) => {
  stranger.ip = nextAddress()
  return 'another address'
}
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  'one try': [signIn()],
  'up to the pause and beyond': times(LDAP_SIGN_IN.failures + 2, signIn()),
  'the same in two spellings': times(LDAP_SIGN_IN.failures, signIn(), signIn(1)),
  'the same from many addresses': times(LDAP_SIGN_IN.failures + 2, move, signIn()),
  'a pause that is over': [
    ...times(LDAP_SIGN_IN.failures + 1, signIn()),
    pass(LDAP_SIGN_IN.minutes * 60_000 + 1),
    signIn(),
  ],
}
const STATES: Readonly<Record<string, (test: TestDirectory) => void>> = {
  answers: () => {},
  'is away': ({ directory }) => void (directory.unreachable = new DirectoryError('timeout')),
  'refuses its own account': ({ directory }) => void (directory.unreachable = new DirectoryError('bind_locked')),
  'has locked the user': ({ directory }) => void (directory.bindFailure = new DirectoryError('bind_locked')),
  'has disabled the user': ({ directory }) => {
    directory.users = directory.users.map((user) => ({ ...user, isDisabled: true }))
  },
  'has lost the user': ({ directory }) => void (directory.users = []),
}

/** A company with an imported member, and one that was made by hand. */
async function createCompany() {
  const test = await createTestDirectory([entry('li.na')])
  await runNow(test)
  const { local } = await createClient(test.main, test.sign)
  test.directory.opened.length = 0
  return { ...test, names: ['li.na', local, 'nobody'] as const }
}

const spell = (name: string) => (n: number) => (n === 0 ? name : ` ${name.toUpperCase()}`)

describe('directory 1 · client/login answers an imported name and others alike', () => {
  it.each(sampleOf('same answer', Object.entries(STATES)))('where the directory %s', async (_, change) => {
    const offenders = await findOffenders(Object.entries(SEQUENCES))(async (__, steps) => {
      freezeClock()
      const lines: string[][] = []
      const work: unknown[] = []
      for (const index of [0, 1, 2] as const) {
        const test = await createCompany()
        change(test)
        const { directory } = test
        lines.push(await play(steps, spell(`${test.names[index]}@${test.sign}`)))
        work.push([directory.opened.length, directory.searched.length, directory.bound.length])
      }
      expect(lines[1]).toEqual(lines[0])
      expect(lines[2]).toEqual(lines[0])
      expect(work[1]).toEqual(work[0]) // connections, searches and binds are what takes the time
      expect(work[2]).toEqual(work[0])
    })
    expect(offenders).toEqual([])
  })
})

it('the directory never gets the password of somebody who is not in it', async () => {
  const test = await createCompany()
  for (const name of test.names.slice(1))
    await worker.call(
      clientApi.login,
      { username: `${name}@${test.sign}`, password: 'Wrong2026' },
      { ip: nextAddress() },
    )
  expect(test.directory.bound).toHaveLength(2)
  for (const { dn, password } of test.directory.bound) {
    expect(dn).toMatch(/^cn=[0-9a-f]{32},dc=acme,dc=com$/)
    expect(password).not.toBe('Wrong2026')
  }
})

it('a member that was made by hand signs in while the directory is away', async () => {
  const test = await createCompany()
  test.directory.unreachable = new DirectoryError('timeout')
  const username = `${test.names[1]}@${test.sign}`
  const login = (password: string) => worker.call(clientApi.login, { username, password }, { ip: nextAddress() })
  expect(await login('Wrong2026')).toMatchObject(refusal('DIRECTORY_UNAVAILABLE'))
  expect(await login(PASSWORD)).toMatchObject({ code: 200 })
  expect(test.directory.opened).toHaveLength(1) // the wrong one's
})
