import { connect } from 'cloudflare:sockets'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import { openDirectory } from '#outside/ldap/connection.ts'
import { dialSocket } from '#outside/ldap/socket.ts'
import type { Task } from '../task.ts'

/** The listing of before, a packed row a page. */
let kept: Buffer[] = []

/** The directory client inside workerd, without the product around it. */
export default {
  async fetch(request: Request): Promise<Response> {
    const task: Task = await request.json()
    return Response.json({ count: task.kind === 'list' ? await list(task) : await signIn(task) })
  },
}

const open = ({ port, security, ca, account }: Task) =>
  openDirectory(
    { host: '127.0.0.1', port, security, certificateName: null, ca: { kind: 'file', pem: ca } },
    account,
    (to) => dialSocket(connect, to.host, to.port, 20_000),
    Date.now,
  )

/** Lists all users and compares them with the listing of before; answers how many there are. */
async function list(task: Task): Promise<number> {
  const connection = await open(task)
  const pages: Buffer[] = []
  let count = 0
  const query = { baseDn: task.baseDn, filter: null, usernameAttribute: null, phoneAttribute: null }
  await connection.listUsers(query, (users: readonly DirectoryEntry[]) => {
    count += users.length
    pages.push(Buffer.from(JSON.stringify(users)))
  })
  connection.close()
  const changed = pages.filter((page, index) => !page.equals(kept[index] ?? Buffer.alloc(0))).length
  if (kept.length > 0 && changed > 0) throw new Error(`${changed} pages changed`)
  kept = pages
  return count
}

/** Each sign-in has a connection of its own, as the first of an account has. */
async function signIn(task: Task): Promise<number> {
  const results = await Promise.all(
    task.people.map(async ({ dn, password }) => {
      const connection = await open(task)
      const isRight = await connection.bindAs(dn, password)
      connection.close()
      return isRight
    }),
  )
  return results.filter(Boolean).length
}
