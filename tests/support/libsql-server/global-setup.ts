import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/web'
import type { TestProject } from 'vitest/node'
import { startLibsqlServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    libsqlUrl: string
  }
}

export const LIBSQL_TOKEN = 'libsql-token'

/** Starts the libSQL server of the `libsql` project and applies the migrations to it, over the wire. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startLibsqlServer(LIBSQL_TOKEN)
  const client = createClient({ url: server.url, authToken: LIBSQL_TOKEN })
  for (const file of readdirSync('migrations').toSorted())
    await client.executeMultiple(readFileSync(join('migrations', file), 'utf8'))
  await client.execute('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)') // the register
  client.close()
  project.provide('libsqlUrl', server.url)
  return server.close
}
