import { Client } from 'ldapts'
import { listAttributes } from '#domain/ldap/attributes.ts'
import type { Measured, Task } from './task.ts'

/** The same by ldapts on Node, whose TLS is OpenSSL's. */
const open = ({ port, security, ca }: Task): Client =>
  new Client(
    security === 'ldaps'
      ? { url: `ldaps://127.0.0.1:${port}`, tlsOptions: { ca } }
      : { url: `ldap://127.0.0.1:${port}` },
  )

export const listByPeer = (task: Task): Promise<Measured> =>
  measured(async () => {
    const client = open(task)
    await client.bind(task.account.bindDn, task.account.password)
    const { searchEntries } = await client.search(task.baseDn, {
      scope: 'sub',
      filter: '(&(objectClass=inetOrgPerson)(uid=*))',
      attributes: listAttributes({ usernameAttribute: null, phoneAttribute: null }),
      paged: { pageSize: 500 },
    })
    await client.unbind()
    return searchEntries.length
  })

export const signInByPeer = (task: Task): Promise<Measured> =>
  measured(async () => {
    for (const { dn, password } of task.people) {
      const client = open(task)
      await client.bind(task.account.bindDn, task.account.password)
      await client.bind(dn, password)
      await client.unbind()
    }
    return task.people.length
  })

async function measured(work: () => Promise<number>): Promise<Measured> {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const count = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { count, seconds: (performance.now() - start) / 1000, cpuSeconds: (user + system) / 1e6 }
}
