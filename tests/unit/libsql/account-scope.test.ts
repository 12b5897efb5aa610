import { expect, it } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { editSign } from '../../../worker/features/account/sign.ts'
import { createNetwork, deleteNetwork } from '../../../worker/features/network/lifecycle.ts'
import { settings } from '../../../worker/features/network/settings.ts'
import { addMember, editNetwork, reSendConfig, removeMember } from '../../../worker/features/network/members.ts'
import { changeRamPassword } from '../../../worker/features/ram/password.ts'
import { deleteRouter } from '../../../worker/features/router/delete.ts'
import { editNote, resendRouter } from '../../../worker/features/router/manage.ts'
import { hashPassword } from '../../../worker/security/password.ts'
import { createContext, createAccount, driver, createRouters, run } from '../../support/libsql.ts'

const rows = await run(
  `select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'account_id' where m.type = 'table'`,
)
/** Tables whose rows belong to an account; `accounts` itself is named by its id. */
const SCOPED = rows.map((row) => String(row['name']))

it('every statement that changes a customer’s rows names the account', async () => {
  const { id, ctx } = await createAccount(20, 3)
  const writes: string[] = []
  const db = openDb((statements) => {
    writes.push(...statements.map(({ sql }) => sql.trim()).filter((sql) => /^(update|delete|insert)\b/i.test(sql)))
    return driver(statements)
  })
  const on = { ...ctx, db }
  const [a = '', b = '', c = '', soft = ''] = await createRouters(id, 3, 1)
  const { network_number } = await createNetwork(on, { network_name: '总部', center: [a], point: [b, soft] })
  await editNetwork(on, { network_number, network_name: '分部', center: [a, b], point: [soft] })
  await editNetwork(on, { network_number, network_name: '分部', center: [a], point: [b, soft] })
  await addMember(on, { network_number, router_name: c, member_type: 'center' })
  await removeMember(on, { network_number, router_name: b })
  await settings.name(on, { network_number, network_name: '总部' })
  await reSendConfig(on, { network_number })
  await editNote(on, { router_name: a, note: '上海' })
  await resendRouter(on, { router_name: a })
  await editSign(on, `suffix-${id}`)
  await deleteRouter(on, { router_name: c })
  await deleteNetwork(on, { network_number })
  await run(`insert into ram_roles (id, account_id, name, created_at, updated_at) values (900, ?, 'r', 0, 0)`, [id])
  await run(
    `insert into ram_accounts (id, account_id, role_id, username, nickname, password, created_at) values (900, ?, 900, 'r', '', ?, 0)`,
    [id, await hashPassword('Weilai26')],
  )
  const session = { ...ctx.session!, ramId: 900, grants: { kind: 'ram', flags: [], networks: null } as const }
  await changeRamPassword({ ...createContext({ session }), db }, 'Weilai26', 'Weilai27')

  const scoped = writes.filter((sql) => SCOPED.some((table) => writtenTable(sql) === table))
  expect(new Set(scoped.map(writtenTable)).size).toBeGreaterThanOrEqual(6)
  expect(scoped.filter((sql) => !/account_id/.test(sql))).toEqual([])
}, 60_000)

function writtenTable(sql: string): string {
  return /^(?:update|delete from|insert into) "?(\w+)"?/i.exec(sql)?.[1] ?? ''
}
