import { createHash } from 'node:crypto'
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { readHeader } from '#outside/tls/ber-reader.ts'
import { type Request, bindReply, doneReply, entryReply, extendedReply, readRequest } from './ldap-replies.ts'

/** Account of the small server below. */
export const FAKE_ACCOUNT = { bindDn: 'cn=reader,dc=fake,dc=test', password: 'reader-secret' } as const
export const FAKE_BASE = 'dc=fake,dc=test'
export const FAKE_USERS = 1_200
const PAGE = 500

/** A small LDAP server: bind, root entry, a paged listing of made users. */
export function serveLdap(socket: Duplex): void {
  let buffered: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (data: Buffer) => {
    buffered = Buffer.concat([buffered, data])
    for (;;) {
      if (buffered.length > 0 && buffered[0] !== 0x30) return void socket.destroy()
      const header = readHeader(buffered, 0, buffered.length)
      if (!header || buffered.length < header.start + header.length) return
      const request = readRequest(buffered.subarray(0, header.start + header.length))
      buffered = buffered.subarray(header.start + header.length)
      if (request.operation === 'unbind') return void socket.end()
      socket.write(answer(request))
    }
  })
}

function answer({ id, operation, password, base, cookie }: Request): Buffer {
  if (operation === 'bind') return bindReply(id, password === FAKE_ACCOUNT.password ? 0 : 49)
  if (operation === 'startTls') return extendedReply(id, 2)
  if (base === '') return Buffer.concat([entryReply(id, '', { objectClass: 'top' }), doneReply(id)])
  const from = Number(cookie ?? 0)
  const to = Math.min(from + PAGE, FAKE_USERS)
  const entries = Array.from({ length: to - from }, (_, index) => toEntry(id, from + index))
  return Buffer.concat([...entries, doneReply(id, 0, to < FAKE_USERS ? String(to) : '')])
}

function toEntry(id: number, index: number): Buffer {
  const uid = `user${String(index).padStart(5, '0')}`
  return entryReply(id, `uid=${uid},${FAKE_BASE}`, {
    objectGUID: createHash('md5').update(uid).digest(),
    uid,
    displayName: `李娜${index}`,
    mobile: `139${String(10_000_000 + index)}`,
  })
}

export interface Listening {
  readonly port: number
  close(): Promise<void>
}

export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { port, close }
}

export const startFakeLdap = (): Promise<Listening> => listen(createServer((socket) => serveLdap(socket)))
