import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { refuseScan } from '../query-plan.ts'
import { PLANNED, type PipelineRequest, type PipelineResponse } from './protocol.ts'
import { runPipeline } from './stream.ts'

export interface LibsqlServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * A libSQL server for tests: Hrana over HTTP on a free port of this machine, over SQLite in memory. The path names the
 * database; the first request to any path but `/` makes it, as a copy of the one at `/`, and DELETE drops it.
 */
export async function startLibsqlServer(token: string): Promise<LibsqlServer> {
  const databases = new Map([['/', new DatabaseSync(':memory:')]])
  const server = createServer((request, response) => {
    answer(databases, token, request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(databases: Map<string, DatabaseSync>, token: string, request: IncomingMessage) {
  if (request.headers.authorization !== `Bearer ${token}`) return { status: 401, body: {} }
  if (request.method === 'DELETE') return { status: 200, body: databases.delete(request.url ?? '') }
  const [, whole] = /^(\/.*)v2\/pipeline$/.exec(request.url ?? '') ?? []
  const isPlanned = whole?.endsWith(`/${PLANNED}`) ?? false
  const path = isPlanned ? whole?.slice(0, -PLANNED.length) : whole
  if (request.method !== 'POST' || path === undefined) return { status: 404, body: {} }
  const { requests } = (await json(request)) as PipelineRequest
  const database = databases.get(path) ?? copyDatabase(databases.get('/')!)
  databases.set(path, database)
  const body: PipelineResponse = {
    baton: null,
    base_url: null,
    results: runPipeline(database, requests, isPlanned ? refuseScan : undefined),
  }
  return { status: 200, body }
}

function copyDatabase(template: DatabaseSync): DatabaseSync {
  const copy = new DatabaseSync(':memory:')
  copy.deserialize(template.serialize())
  return copy
}
