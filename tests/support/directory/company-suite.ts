import type { DirectoryCounts } from '#contract/ldap/hub.ts'
import { describe, expect, it } from 'vitest'
import { toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { VERIFY } from '#domain/ldap/plan.ts'
import { NO_COUNTS } from '#domain/ldap/run.ts'
import { refusal } from '../test-worker.ts'
import { MODES, PAGE, type RealCompany, createRealCompany } from './company.ts'
import type { CompanyServer, DirectoryDriver, Employee } from './driver.ts'
import { ldapApi } from '#contract/ldap/index.ts'

const STAFF = 36
const ENABLED = 1
const DISABLED = 0

const done = (counts: Partial<DirectoryCounts>) => ({
  service: { message: '' },
  run: { state: 'done', counts: { ...NO_COUNTS, ...counts } },
})

const requireMember = async (company: RealCompany, name: string) => {
  const found = (await company.members()).filter((member) => member.name === name)
  expect(found).toHaveLength(1)
  return found[0]!
}

/**
 * The life of a directory's people on a real server, through the whole Worker and the DirectoryHub.
 * @param server null: it cannot be had here
 */
export function describeCompany(title: string, server: CompanyServer | null, driver: DirectoryDriver): void {
  describe.skipIf(server === null).each(MODES)(`${title}, %s mode`, (mode) => {
    const create = () => createRealCompany(server!, driver, mode, STAFF)
    const createConnected = async () => {
      const company = await create()
      expect(await company.connect()).toMatchObject({ count: STAFF, ...done({ added: STAFF }) })
      const [first, second] = company.staff as [Employee, Employee]
      return { ...company, first, second, before: await company.members() }
    }

    it('everybody is imported, page by page, and signs in with the password of the directory', async () => {
      const { before, staff, held, first, login, sync } = await createConnected()
      expect(held.pages).toEqual([PAGE, PAGE, PAGE, STAFF - 3 * PAGE])
      expect(before.map(({ name, note, status }) => [name, note, status]).toSorted()).toEqual(
        staff.map(({ username, displayName }) => [username, displayName, ENABLED]),
      )
      expect(await login(first)).toMatchObject({ code: 200 })
      expect(await login(first, 'wrong')).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await sync()).toMatchObject(done({}))
    })

    it('a renamed user keeps the member, and signs in by the new name alone', async () => {
      const { first, change, sync, members, login, before } = await createConnected()
      const { id } = before.find(({ name }) => name === first.username)!
      const renamed = { ...first, username: `${first.username}x`, displayName: '欧阳娜' }
      await change(driver.rename(first, renamed))
      expect(await sync()).toMatchObject(done({ changed: 1 }))
      const after = { id, name: renamed.username, note: '欧阳娜', status: ENABLED }
      expect(await members()).toEqual(before.map((member) => (member.id === id ? after : member)))
      expect(await login(renamed)).toMatchObject({ code: 200 })
      expect(await login(first)).toMatchObject(refusal('LOGIN_FAILED'))
    })

    it('two who swap their names keep their members, in one run', async () => {
      const { first, second, change, sync, members, login, before } = await createConnected()
      const [, between, ofSecond, ofFirst] = [
        first,
        { ...first, username: `${first.username}x` },
        { ...second, username: first.username },
        { ...first, username: second.username },
      ] as const
      await change(driver.rename(first, between), driver.rename(second, ofSecond), driver.rename(between, ofFirst))
      expect(await sync()).toMatchObject(done({ changed: 2 }))
      const swapped: Readonly<Record<string, string>> = {
        [first.username]: second.username,
        [second.username]: first.username,
      }
      expect(await members()).toEqual(
        before.map((member) => ({ ...member, name: swapped[member.name] ?? member.name })),
      )
      for (const person of [ofFirst, ofSecond]) expect(await login(person)).toMatchObject({ code: 200 })
    })

    it('a user that moves to another department keeps the member', async () => {
      const { first, second, change, sync, members, login, before } = await createConnected()
      const moved = { ...first, department: second.department }
      await change(driver.move(first, moved))
      expect(await login(moved)).toMatchObject({ code: 200 }) // before a run knows of it
      expect(await sync()).toMatchObject(done({}))
      expect(await members()).toEqual(before)
      expect(await login(moved)).toMatchObject({ code: 200 })
    })

    it('a disabled user is signed out and cannot sign in until it is enabled again', async () => {
      const { first, second, change, sync, members, login, refresh, before } = await createConnected()
      const people = [first, second]
      const tokens = await Promise.all(people.map(async (person) => (await login(person)).data.refresh_token))
      const isOne = (name: string) => people.some(({ username }) => username === name)
      await change(...people.map(driver.disable))
      for (const person of people) expect(await login(person)).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await sync()).toMatchObject(done({ disabled: 2, removable: 2 }))
      expect(await members()).toEqual(
        before.map((member) => (isOne(member.name) ? { ...member, status: DISABLED } : member)),
      )
      for (const token of tokens) expect(await refresh(token)).toMatchObject(refusal('SESSION_REVOKED'))
      await change(...people.map(driver.enable))
      expect(await sync()).toMatchObject(done({ enabled: 2 }))
      expect(await members()).toEqual(before)
      for (const person of people) expect(await login(person)).toMatchObject({ code: 200 })
      for (const token of tokens) expect(await refresh(token)).toMatchObject(refusal('SESSION_REVOKED'))
    })

    it('the member of a deleted user is disabled and signed out, and stays until a person removes it', async () => {
      const { first, change, sync, call, members, users, login, refresh, before } = await createConnected()
      const { id } = before.find(({ name }) => name === first.username)!
      const token = (await login(first)).data.refresh_token
      await change(driver.remove(first))
      expect(await sync()).toMatchObject(done({ disabled: 1, removable: 1 }))
      const after = before.map((member) => (member.id === id ? { ...member, status: DISABLED } : member))
      expect(await members()).toEqual(after)
      expect(await users(first.username)).toMatchObject([{ uuid: id, exist: 1, disable: 1, verify: VERIFY.gone }])
      expect(await refresh(token)).toMatchObject(refusal('SESSION_REVOKED'))
      expect(await login(first)).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await sync()).toMatchObject(done({ removable: 1 }))
      expect(await members()).toEqual(after)
      const { hash } = await call(ldapApi.user, {})
      expect(await call(ldapApi.remove, { hash, uuid: id })).toMatchObject({ code: 200, data: { removable: 1 } })
      expect(await members()).toEqual(before.filter((member) => member.id !== id))
    })

    it('a user created again under the same name is another one, whose name is taken until the former is removed', async () => {
      const company = await createConnected()
      const { first, change, sync, call, users, login } = company
      const former = await requireMember(company, first.username)
      const again = { ...first, password: 'Again-2026' }
      await change(driver.remove(first), driver.addEmployee(again))
      expect(await sync()).toMatchObject(done({ disabled: 1, removable: 1, conflicts: 1 }))
      expect(await requireMember(company, first.username)).toEqual({ ...former, status: DISABLED })
      const rows = await users(first.username)
      expect(rows).toHaveLength(2)
      expect(rows.find(({ uuid }) => uuid === former.id)).toMatchObject({ exist: 1, verify: VERIFY.gone })
      const stranger = rows.find(({ uuid }) => uuid !== former.id)!
      expect(stranger).toMatchObject({ username: first.username, exist: 0, disable: 0, verify: VERIFY.taken })
      expect(await login(again)).toMatchObject(refusal('LOGIN_FAILED'))
      const { hash } = await call(ldapApi.user, {})
      expect(await call(ldapApi.remove, { hash, uuid: former.id })).toMatchObject({ code: 200 })
      expect(await sync()).toMatchObject(done({ added: 1 }))
      expect(await requireMember(company, first.username)).toMatchObject({ id: stranger.uuid, status: ENABLED })
      expect(await login(again)).toMatchObject({ code: 200 })
    })

    it('a listing that loses its second page imports nobody, and later neither loses nor disables anybody', async () => {
      const company = await create()
      const { staff, change, save, ended, sync, members, held, cutAfterPage } = company
      const failed = { service: { status: 0, message: toMessage(violation('LDAP_CLOSED')) }, run: { state: 'failed' } }
      await save()
      expect(await cutAfterPage(ended)).toMatchObject({ count: 0, ...failed })
      expect(held.pages).toEqual([PAGE])
      expect(await members()).toEqual([])
      expect(await sync()).toMatchObject({ count: STAFF, ...done({ added: STAFF }) })
      const before = await members()
      const [first, second] = staff as [Employee, Employee]
      await change(driver.remove(first), driver.disable(second))
      expect(await cutAfterPage(sync)).toMatchObject({ count: STAFF, ...failed })
      expect(held.pages).toEqual([PAGE])
      expect(await members()).toEqual(before)
      expect(await sync()).toMatchObject(done({ disabled: 2, removable: 2 }))
    })
  })
}
