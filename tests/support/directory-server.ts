import { runInDurableObject } from 'cloudflare:test'
import { DIRECTORY, type DirectoryLimits } from '#contract/ldap/limits.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { openDirectory } from '#outside/ldap/directory-connection.ts'
import { type TestDirectory, createTestDirectory, runNow } from './directory.ts'
import { type Request, bindReply, doneReply, entryReply, readRequest } from './directory/ldap-replies.ts'
import { createMemoryPipe } from './directory/memory-pipe.ts'

/** Reply of a server: bytes, or null to hang up; an empty list sends nothing. */
type Reply = Buffer | null | readonly (Buffer | null)[]
export interface Server {
  readonly bind?: (id: number) => Reply
  /** A page of users. */
  readonly list: (request: Request) => Reply | Promise<Reply>
}

/** Immutable id of the n-th user. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const userReply = (id: number, n: number, values = {}): Buffer =>
  entryReply(id, `uid=u${n},dc=acme,dc=com`, { entryUUID: uuidOf(n), uid: `u${n}`, cn: `用户${n}`, ...values })
export const usersReply = (id: number, count: number, from = 0): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, i) => userReply(id, from + i)))

/** A server that has these users on one page. */
export const healthy = (count: number): Server => ({
  list: ({ id }) => Buffer.concat([usersReply(id, count), doneReply(id, 0, '')]),
})

/** The hub's own client, over a pipe, talks to this server. */
export const serve = (test: Pick<TestDirectory, 'stub'>, server: Server, limits: Partial<DirectoryLimits> = {}) =>
  runInDurableObject(test.stub, (hub: DirectoryHub) => {
    hub.openDirectory = ({ host, port, username: bindDn }, password) =>
      openDirectory(
        { host, port, security: 'none', certificateName: null, ca: { kind: 'public' } },
        { bindDn, password },
        async () => toPipe(server),
        Date.now,
        { ...DIRECTORY, ...limits },
      )
  })

const toPipe = ({ bind = bindReply, list }: Server) =>
  createMemoryPipe(async (written) => {
    const request = readRequest(written)
    const { id, operation, base } = request
    if (operation === 'unbind') return []
    const reply = operation === 'bind' ? bind(id) : base === '' ? doneReply(id) : await list(request)
    return reply === null || reply instanceof Uint8Array ? [reply] : reply
  })

/** A company that has imported this many users of a server, in a run that was not its first. */
export async function createServed(count = 5): Promise<TestDirectory> {
  const test = await createTestDirectory([], { quota: 200 })
  await serve(test, healthy(count))
  await runNow(test)
  return test
}
