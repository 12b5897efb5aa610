import { connect } from 'cloudflare:sockets'
import { DurableObject } from 'cloudflare:workers'
import { TUNNEL } from '../../../worker/contract/tunnel-frames.ts'
import type { DirectoryEntry } from '../../../worker/domain/ldap/directory-entry.ts'
import { openDirectory } from '../../../worker/outside/directory/connection.ts'
import type { Dial } from '../../../worker/outside/directory/pipe.ts'
import { dialSocket } from '../../../worker/outside/directory/socket.ts'
import { openTunnelPipe } from '../../../worker/outside/directory/tunnel-pipe.ts'
import type { Task } from './task.ts'

/** The listing of before, a packed row a page. */
let kept: Buffer[] = []

interface BenchEnv {
  readonly TUNNELLED: DurableObjectNamespace<Tunnelled>
}

/** The directory client inside workerd, without the product around it. */
export default {
  async fetch(request: Request, { TUNNELLED }: BenchEnv): Promise<Response> {
    if (request.headers.has('upgrade')) return TUNNELLED.getByName('client').fetch(request)
    const text = await request.text()
    const task = JSON.parse(text) as Task
    if (task.isTunnelled) return TUNNELLED.getByName('client').fetch(request.url, { method: 'POST', body: text })
    return Response.json({ count: task.kind === 'list' ? await list(task, dialItself) : await signIn(task) })
  },
}

/** Lists through the tunnel that a device has opened: its socket belongs to an object, as in the DirectoryHub. */
export class Tunnelled extends DurableObject<BenchEnv> {
  private readonly sockets: WebSocket[] = []

  override async fetch(request: Request): Promise<Response> {
    if (!request.headers.has('upgrade')) return Response.json({ count: await list(await request.json(), this.dial) })
    const { 0: client, 1: socket } = new WebSocketPair()
    socket.binaryType = 'arraybuffer'
    socket.accept()
    this.sockets.push(socket)
    return new Response(null, { status: 101, webSocket: client })
  }

  private readonly dial: Dial = () => {
    const socket = this.sockets.shift()
    if (!socket) throw new Error('no device has opened a tunnel')
    return openTunnelPipe(socket, TUNNEL.openMs)
  }
}

const dialItself: Dial = (to) => dialSocket(connect, to.host, to.port, 20_000)

const open = ({ port, security, ca, account }: Task, dial: Dial) =>
  openDirectory(
    { host: '127.0.0.1', port, security, certificateName: null, ca: { kind: 'file', pem: ca } },
    account,
    dial,
    Date.now,
  )

/** Lists all users and compares them with the listing of before; answers how many there are. */
async function list(task: Task, dial: Dial): Promise<number> {
  const connection = await open(task, dial)
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
      const connection = await open(task, dialItself)
      const isRight = await connection.bindAs(dn, password)
      connection.close()
      return isRight
    }),
  )
  return results.filter(Boolean).length
}
