import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { sampleOf } from '#tests/support/depth.ts'
import { PASSWORD, createMainAccount, unique } from '#tests/support/fixtures.ts'
import {
  NAMES,
  PHONE,
  type Step,
  TEXT,
  ask,
  createNumber,
  pass,
  play,
  times,
  freezeClock,
} from '#tests/support/strangers.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A signed-in account asks about a contact of another account, and about one that nobody has.

beforeEach(freezeClock)

const WRONG = '000000'
const isEmail = (text: string) => /[@＠]/.test(text)
const purposeOf = (text: string) =>
  isEmail(text)
    ? { send_type: 'email', verify_type: 'verify_email', send_value: text }
    : { send_type: 'phone', verify_type: 'verify_phone', send_value: `+86 ${text}` }

const send =
  (n = 0): Step =>
  async (stranger, spelling) =>
    (await ask(stranger, verifyApi.sendCode, purposeOf(spelling(n)) as never)).line
const verify =
  (n = 0): Step =>
  async (stranger, spelling) =>
    (await ask(stranger, verifyApi.verify, { ...purposeOf(spelling(n)), code: WRONG } as never)).line
const edit =
  (n = 0, proofs: object = {}): Step =>
  async (stranger, spelling) => {
    const to = spelling(n)
    const [spec, input] = isEmail(to)
      ? [accountApi.editEmail, { email: to }]
      : [accountApi.editPhone, { area_code: '86', phone: to }]
    return (await ask(stranger, spec, { ...input, ...proofs } as never)).line
  }
const addContact =
  (n = 0): Step =>
  async (stranger, spelling) => {
    const { line } = await ask(stranger, contactsApi.create, { name: '值班', email: spelling(n) })
    return line.replace(/"uuid":"[^"]{36}"/, '')
  }

const guess = { code: WRONG }
const SEQUENCES: Readonly<Record<string, readonly Step[]>> = {
  'no code': [edit(), edit(1)],
  'a wrong code that nobody sent': [edit(0, guess), edit(1, guess), verify(), verify(1)],
  'a code': [send(), send(1)],
  'a code, then its form without it': [send(), edit(), edit(1)],
  'a code and six wrong tries': [send(), ...times(3, verify(), verify(1))],
  'a code and six wrong tries in the form': [send(), ...times(3, edit(0, guess), edit(1, guess))],
  'wrong tries with the password': [send(), ...times(6, edit(0, { ...guess, password: PASSWORD }))],
  'a wrong password': [send(), ...times(6, edit(0, { ...guess, password: 'Wrong2026' }))],
  'a code after the pause': [send(), pass(59_000), send(1), verify(), pass(60_000), send()],
  'the codes of a day': times(6, send(), pass(60_000)),
  'a code that is too old': [send(), pass(601_000), edit(0, guess), verify()],
}
/** Callers: an account that would add its first contact, and one that would replace its own. */
const PEOPLE = {
  'without a contact': () => createMainAccount(),
  'with contacts': () => createMainAccount({ phone: createNumber(), email: `${unique('own')}@example.com` }),
} as const

const KINDS = {
  phone: { spellings: PHONE, create: NAMES.phone },
  'e-mail': { spellings: TEXT, create: NAMES['e-mail'] },
} as const

async function playBoth(
  steps: readonly Step[],
  create: () => Promise<unknown>,
  spell: (name: string) => (n: number) => string,
  kind: keyof typeof KINDS,
) {
  const [known = '', unknown = ''] = await KINDS[kind].create()
  const people = [await create(), await create()] as { token: string }[]
  const startedAt = Date.now()
  const replies = await play(steps, spell(known), people[0]!)
  vi.setSystemTime(startedAt)
  return [replies, await play(steps, spell(unknown), people[1]!)] as const
}

describe('account 7 · binding answers a contact that somebody has and one that nobody has alike', () => {
  const cells = Object.keys(KINDS).flatMap((kind) =>
    Object.keys(PEOPLE).flatMap((who) => Object.keys(SEQUENCES).map((sequence) => [kind, who, sequence] as const)),
  ) as [keyof typeof KINDS, keyof typeof PEOPLE, string][]
  const names = Object.keys(SEQUENCES)
  it('each sequence of each person, by phone and by e-mail', async () => {
    const offenders = await findOffenders(sampleOf('same answer', cells))(async (kind, who, sequence) => {
      freezeClock()
      const { spellings } = KINDS[kind]
      for (const n of [0, 4, 8].map((more) => names.indexOf(sequence) + more)) {
        const spell = (name: string) => (more: number) => spellings[(n + more) % spellings.length]!(name)
        const [known, unknown] = await playBoth(SEQUENCES[sequence]!, PEOPLE[who], spell, kind)
        expect(unknown).toEqual(known)
      }
    })
    expect(offenders).toEqual([])
  })

  it('the sequences meet what they are named after', async () => {
    const [replies] = await playBoth(
      SEQUENCES['a code and six wrong tries']!,
      PEOPLE['with contacts'],
      (name) => () => name,
      'phone',
    )
    expect(replies[0]).toContain('"code":200')
    expect(replies.filter((line) => line.includes('CODE_SPENT'))).toHaveLength(1)
    expect(replies.at(-1)).toContain('CODE_WRONG')
  })
})

describe('account 7 · contacts/create answers an address that another account has and a new one alike', () => {
  it.each(
    sampleOf(
      'same answer',
      TEXT.map((_, n) => n),
    ),
  )('in spelling %i', async (n) => {
    const steps = [addContact(), addContact(), addContact(1)]
    const spell = (name: string) => (more: number) => TEXT[(n + more) % TEXT.length]!(name)
    const [known, unknown] = await playBoth(steps, PEOPLE['with contacts'], spell, 'e-mail')
    expect(unknown).toEqual(known)
  })
})
