import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import dialCodes from '#contract/country/dial-codes.json' with { type: 'json' }
import { phoneText } from '#contract/kernel/input/phone.ts'
import { MIGRATIONS, databaseAt, fill } from './releases.ts'
import { ROWS } from './rows.ts'

const NAME = '0049_trunk_prefixes.sql'
const at = MIGRATIONS.findIndex(({ name }) => name === NAME)

/** A database of the release before, with a row in every table. */
function createOld(): DatabaseSync {
  const database = databaseAt(MIGRATIONS.slice(0, at))
  fill(database)
  return database
}
const migrate = (database: DatabaseSync) => database.exec(MIGRATIONS[at]?.sql ?? '')

type Row = Readonly<Record<string, string | number | null>>

function insert(database: DatabaseSync, table: string, over: Row): number {
  const row = { ...ROWS[table], ...over }
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`
  return Number(database.prepare(sql).run(...Object.values(row)).lastInsertRowid)
}

let made = 0
const insertAccount = (database: DatabaseSync, area_code: string, phone: string): number => {
  const name = `a${++made}`
  return insert(database, 'accounts', { id: null, username: name, ram_domain: name, hub: name, area_code, phone })
}
const insertMember = (database: DatabaseSync, area_code: string, phone: string, account_id = 1): number => {
  const name = `m${++made}@sign`
  const own = { id: null, name, router_type: 2, device_id: null, password: '!', hub: name, uid: name }
  return insert(database, 'routers', { ...own, account_id, area_code, phone })
}
const bind = (database: DatabaseSync, router_id: number, area_code: string, phone: string): number =>
  insert(database, 'auth_bindings', { router_id, user_id: `u${++made}`, area_code, phone })
const valueOf = (database: DatabaseSync, table: string, id: number, column = 'phone') =>
  database.prepare(`SELECT ${column} AS value FROM ${table} WHERE id = ?`).get(id)?.['value']

/** National numbers of each length of a dial code, alone and behind what is a trunk prefix somewhere. */
const SPELLINGS = Object.entries(dialCodes).flatMap(([dialCode, [shortest = 0, longest = 0]]) => {
  const digits = dialCode.startsWith('2') ? '34567890123' : '23456789012'
  return Array.from({ length: longest - shortest + 1 }, (_, i) => digits.slice(0, shortest + i))
    .flatMap((number) => ['', '0', '8', '06', '80'].map((prefix) => [dialCode, prefix + number] as const))
    .filter(([, typed]) => !typed.replace(/^0/, '').startsWith(dialCode)) // phoneText would remove a repeated dial code
})

describe('phones of the release before', () => {
  it('are as phoneText writes them, of every dial code and length, wherever they are stored', () => {
    expect(SPELLINGS.length).toBeGreaterThan(1_000)
    const database = createOld()
    const rows = SPELLINGS.map(([dialCode, typed]) => {
      // An account of its own: two spellings of a number are distinguished below.
      const accountId = insertAccount(database, '86', `1${String(10_000_000_000 + ++made).slice(1)}`)
      const member = insertMember(database, dialCode, typed, accountId)
      const target = `+${dialCode} ${typed}`
      return {
        name: target,
        wanted: phoneText(dialCode, typed),
        member,
        binding: bind(database, member, dialCode, typed),
        code: insert(database, 'codes', { target }),
      }
    })
    migrate(database)
    const wrong = rows.filter(({ name, wanted, member, binding, code }) => {
      const stored = [valueOf(database, 'routers', member), valueOf(database, 'auth_bindings', binding)]
      const target = valueOf(database, 'codes', code, 'target')
      return stored.some((phone) => phone !== wanted) || target !== name.replace(/ .*/, ` ${wanted}`)
    })
    expect(wrong.map(({ name, wanted }) => `${name}: ${wanted}`)).toEqual([])
  })

  it('of accounts are, too', () => {
    const database = createOld()
    const rows = SPELLINGS.flatMap(([dialCode, typed]) => {
      const wanted = phoneText(dialCode, typed)
      const isSpelling = wanted !== typed && !typed.startsWith('80') && !typed.startsWith('06')
      return isSpelling ? [{ dialCode, typed, wanted }] : []
    })
    const ids = rows.map(({ dialCode, typed }) => insertAccount(database, dialCode, typed))
    migrate(database)
    expect(ids.map((id) => valueOf(database, 'accounts', id))).toEqual(rows.map(({ wanted }) => wanted))
  })

  it('stay where the number is another one’s by now, and so does what is bound to them', () => {
    const database = createOld()
    const [account, member] = [
      insertAccount(database, '49', '01511234567'),
      insertMember(database, '49', '01511234567'),
    ]
    const taken = [insertAccount(database, '49', '1511234567'), insertMember(database, '49', '1511234567')] as const
    const binding = bind(database, member, '49', '01511234567')
    const elsewhere = insertMember(database, '49', '01511234567', account)
    migrate(database)
    expect(valueOf(database, 'accounts', account)).toBe('01511234567')
    expect(valueOf(database, 'accounts', taken[0])).toBe('1511234567')
    expect(valueOf(database, 'routers', member)).toBe('01511234567')
    expect(valueOf(database, 'routers', taken[1])).toBe('1511234567')
    expect(valueOf(database, 'auth_bindings', binding)).toBe('01511234567')
    expect(valueOf(database, 'routers', elsewhere)).toBe('1511234567') // members of two accounts may share a phone
  })

  it('of two spellings of one number the first becomes it', () => {
    const database = createOld()
    const accounts = ['8291234567', '80291234567'].map((phone) => insertAccount(database, '375', phone))
    const members = ['8291234567', '80291234567'].map((phone) => insertMember(database, '375', phone))
    migrate(database)
    expect(accounts.map((id) => valueOf(database, 'accounts', id)).toSorted()).toEqual(['291234567', '80291234567'])
    expect(members.map((id) => valueOf(database, 'routers', id))).toEqual(['291234567', '80291234567'])
  })

  it('without one, e-mail addresses and digests stay', () => {
    const database = createOld()
    const rows = (sql: string) => database.prepare(sql).all()
    insert(database, 'codes', { target: 'phone:0151' })
    insert(database, 'codes', { target: '0049 0151@b.cn' })
    insertMember(database, '39', '0612345678') // Italian numbers keep their 0
    const read = () => [rows('SELECT target FROM codes'), rows('SELECT phone FROM routers')]
    const before = read()
    migrate(database)
    expect(read()).toEqual(before)
  })
})
