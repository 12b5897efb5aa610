import { createServer } from 'node:http'
import { type Listening, listen } from './fake-ldap.ts'
import type { Slapd } from './slapd.ts'

/** HTTP in front of the directory's administrator, for tests inside workerd: the body is LDIF with changetype. */
export const startControl = (slapd: Slapd): Promise<Listening> =>
  listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        slapd.modify(Buffer.concat(chunks).toString()).then(
          () => response.end('ok'),
          (error: unknown) => response.writeHead(500).end(String(error)),
        )
      })
    }),
  )
