import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import { type KnownMember, type Plan, planRun } from '#domain/ldap/plan.ts'

const user = (id: string, over: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  id,
  dn: `uid=${id},dc=test`,
  username: id,
  displayName: id,
  description: '',
  phones: [],
  isDisabled: false,
  ...over,
})

const member = (id: number, name: string, over: Partial<KnownMember> = {}): KnownMember => ({
  id,
  uid: `m${id}`,
  name,
  note: name,
  phone: '',
  status: 1,
  link: { directoryId: name, note: name, isDisabledByRun: false },
  ...over,
})
const byHand = (id: number, name: string, over: Partial<KnownMember> = {}) => member(id, name, { link: null, ...over })

const plan = (users: readonly DirectoryEntry[], members: readonly KnownMember[] = [], remaining = 100) =>
  planRun({ users, members, remaining })
const verifyOf = ({ rows }: Plan) => Object.fromEntries(rows.map(({ uuid, verify }) => [uuid, verify]))
const renames = ({ changed }: Plan) => changed.map(({ before, after }) => `${before.name}>${after.name}`)

describe('directory.md, Runs · plan of a run', () => {
  it('imports who is new and enabled', () => {
    const found = plan([user('li'), user('wang', { isDisabled: true })])
    expect(found.added.map(({ uuid, name }) => [uuid, name])).toEqual([['li', 'li']])
    expect(verifyOf(found)).toEqual({ li: 'importable', wang: 'disabled' })
  })

  it('says of each user why it stays out', () => {
    const users = [
      user('a', { username: '张三' }),
      user('b', { username: 'Taken' }),
      user('c', { phones: ['13800000001'] }),
      user('d'),
      user('e'),
    ]
    const members = [byHand(1, 'taken'), byHand(2, 'other', { phone: '13800000001' })]
    const found = plan(users, members, 1)
    expect(verifyOf(found)).toEqual({ a: 'name', b: 'taken', c: 'phone', d: 'importable', e: 'importable' })
    expect(verifyOf(plan(users, members, 0))).toMatchObject({ d: 'quota', e: 'quota' })
    expect(found.conflicts.map(({ uuid, verify }) => `${uuid} ${verify}`)).toEqual([
      'c phone',
      'e quota',
      'b taken',
      'a name',
    ])
  })

  it('lists imported members that the directory no longer has', () => {
    const found = plan([user('li')], [member(1, 'li'), member(2, 'gone')])
    expect(verifyOf(found)).toEqual({ li: 'imported', gone: 'gone' })
    expect(found.disabled.map(({ name }) => name)).toEqual(['gone'])
    expect(found.removable.map(({ name }) => name)).toEqual(['gone'])
  })

  it('lets two swap their names in one run', () => {
    const users = [user('a', { username: 'b' }), user('b', { username: 'a' })]
    expect(renames(plan(users, [member(1, 'a'), member(2, 'b')]))).toEqual(['a>b', 'b>a'])
  })

  it('keeps a name that somebody else has, and all that wait for it', () => {
    const users = [user('a', { username: 'b' }), user('b', { username: 'held' })]
    const found = plan(users, [member(1, 'a'), member(2, 'b'), byHand(3, 'HELD')])
    expect(renames(found)).toEqual([])
    expect(found.conflicts.map(({ uuid, verify }) => `${uuid} ${verify}`)).toEqual(['a taken', 'b taken'])
  })

  it('gives a phone that its member loses in the same run', () => {
    const users = [user('a'), user('b', { phones: ['13800000001'] }), user('c', { phones: ['13800000002'] })]
    const found = plan(users, [member(1, 'a', { phone: '13800000001' }), member(2, 'b', { phone: '13800000002' })])
    expect(found.changed.map(({ uuid, after }) => [uuid, after.phone])).toEqual([
      ['a', ''],
      ['b', '13800000001'],
    ])
    expect(found.added.map(({ uuid, phone }) => [uuid, phone])).toEqual([['c', '13800000002']])
    expect(found.conflicts).toEqual([])
  })

  it('changes the case of a name', () => {
    expect(renames(plan([user('a', { username: 'A' })], [member(1, 'a')]))).toEqual(['a>A'])
  })

  it('gives the same name with another id to nobody while the earlier member has it', () => {
    const found = plan(
      [user('new', { username: 'li' })],
      [member(1, 'li', { link: { directoryId: 'old', note: 'li', isDisabledByRun: false } })],
    )
    expect(verifyOf(found)).toEqual({ new: 'taken', old: 'gone' })
  })

  it('keeps a note that a person wrote until the directory gives another', () => {
    const own = member(1, 'a', { note: 'by hand' })
    expect(plan([user('a')], [own]).changed).toEqual([])
    expect(plan([user('a', { displayName: 'new' })], [own]).changed[0]?.after.note).toBe('new')
  })

  it.each<[string, Partial<KnownMember>, boolean, string[], string[]]>([
    ['disabled in the directory', {}, true, ['a'], []],
    ['disabled already', { status: 0 }, true, [], []],
    [
      'disabled by a run and back',
      { status: 0, link: { directoryId: 'a', note: 'a', isDisabledByRun: true } },
      false,
      [],
      ['a'],
    ],
    ['disabled by a person', { status: 0 }, false, [], []],
  ])('%s', (_, over, isDisabled, disabled, enabled) => {
    const found = plan([user('a', { isDisabled })], [member(1, 'a', over)])
    expect(found.disabled.map(({ name }) => name)).toEqual(disabled)
    expect(found.enabled.map(({ name }) => name)).toEqual(enabled)
  })

  const names = fc.constantFrom('a', 'A', 'b', 'c', 'd', 'e', '张')
  const phones = fc.constantFrom('', '13800000001', '13800000002')
  const ids = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'))
  const directories = ids.chain((list) =>
    fc.tuple(
      ...list.map((id) =>
        fc
          .record({ username: names, phone: phones, isDisabled: fc.boolean() })
          .map(({ username, phone, isDisabled }) => user(id, { username, phones: [phone], isDisabled })),
      ),
    ),
  )
  const accounts = fc
    .uniqueArray(
      fc.record({
        name: names,
        phone: phones,
        isLinked: fc.boolean(),
        status: fc.constantFrom(0 as const, 1 as const),
        byRun: fc.boolean(),
      }),
      { selector: ({ name }) => name.toLowerCase() },
    )
    .map((rows) =>
      rows.map(({ name, phone, isLinked, status, byRun }, i) =>
        member(i + 1, name, {
          phone,
          status,
          link: isLinked ? { directoryId: String(i + 1), note: '', isDisabledByRun: byRun } : null,
        }),
      ),
    )

  it('never gives a name twice, never touches members of others, and a second run does nothing', () => {
    fc.assert(
      fc.property(directories, accounts, fc.nat(4), (users, members, remaining) => {
        const found = planRun({ users, members, remaining })
        const after = apply(members, found)
        const used = after.map(({ name }) => name.toLowerCase())
        expect(new Set(used).size).toBe(used.length)
        expect(found.added.length).toBeLessThanOrEqual(remaining)
        expect(after.filter(({ link }) => link === null)).toEqual(members.filter(({ link }) => link === null))
        const again = planRun({ users, members: after, remaining: remaining - found.added.length })
        expect([again.added, again.changed, again.disabled, again.enabled]).toEqual([[], [], [], []])
        expect(again.rows.length).toBe(found.rows.length)
      }),
    )
  })
})

function apply(members: readonly KnownMember[], found: Plan): KnownMember[] {
  const changed = new Map(found.changed.map((change) => [change.id, change]))
  const [off, on] = [found.disabled, found.enabled].map((list) => new Set(list.map(({ id }) => id)))
  const kept = members.map((one): KnownMember => {
    const change = changed.get(one.id)
    const link = one.link && { ...one.link, ...(change && { note: change.note }) }
    const status = off?.has(one.id) ? 0 : on?.has(one.id) ? 1 : one.status
    const isDisabledByRun = off?.has(one.id) ? true : on?.has(one.id) ? false : (link?.isDisabledByRun ?? false)
    return { ...one, ...change?.after, status, link: link && { ...link, isDisabledByRun } }
  })
  const added = found.added.map(({ uuid, name, note, phone }, i) =>
    member(100 + i, name, { note, phone, link: { directoryId: uuid, note, isDisabledByRun: false } }),
  )
  return [...kept, ...added]
}
