import type { DurableObject } from 'cloudflare:workers'
import type * as worker from '#worker/index.ts'
import {
  BINDING,
  CONTROL,
  MOVING,
  type DrillState,
  type HubClassName,
  type RecordedCall,
  type RecordedUpgrade,
  type StoredHub,
  fromJson,
  toJson,
} from './state.ts'

/*
 * Worker of two releases at once, as in a step of a deploy: each object and each call belongs to one of them, by a share that
 * the drill sets. An object that moves loses its sockets and its memory, and keeps its storage.
 */

type WorkerModule = typeof worker
type ReleaseName = 'before' | 'after'

/** Header of the drill's requests to an object. */
const TASK = 'x-drill-task'

type HubClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & HubMethods
interface HubMethods {
  fetch(request: Request): Promise<Response>
  rpc(requestId: string | undefined, method: string, args: readonly unknown[]): Promise<unknown>
  webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void>
}

const KEPT = 2

/** Calls of one kind are alike; each upgrade is one of its own. */
const kindOf = ({ hubClass, name, method, args }: RecordedCall): string =>
  method === 'connect' ? `${name} ${String((args as unknown[][])[0]?.[0])}` : `${hubClass} ${method}`

/** Handlers and classes of a Worker that runs both releases. */
export function createDrill(modules: Readonly<Record<ReleaseName, WorkerModule>>) {
  let share = 0
  let turn = 0
  let isRecording = false
  const living = new Map<string, { hubClass: HubClassName; name: string; release: ReleaseName }>()
  const calls: RecordedCall[] = []
  const frames = { received: [] as string[], sent: [] as string[] }

  const releaseOf = (name: string): ReleaseName => (percentileOf(name) < share ? 'after' : 'before')
  /** The platform divides the calls by chance; the drill in turn. */
  const nextWorker = () => modules[(turn++ * 37) % 100 < share ? 'after' : 'before'].default

  const record = (call: RecordedCall) => {
    const alike = calls.filter((known) => kindOf(known) === kindOf(call))
    if (isRecording && alike.length < KEPT) calls.push(structuredClone(call))
  }
  const recordFrame = (kind: keyof typeof frames, text: unknown) => {
    if (!isRecording || typeof text !== 'string' || !text.startsWith('{')) return
    const tagOf = (frame: string) => /"(?:t|type)":"(\w+)"/.exec(frame)?.[1]
    const alike = frames[kind].filter((frame) => tagOf(frame) === tagOf(text))
    if (alike.length < KEPT || tagOf(text) === 'hello') frames[kind].push(text)
  }

  /** Class of one release whose objects the drill can dump, fill and move. */
  function controlled(Hub: HubClass, hubClass: HubClassName): HubClass {
    return class extends Hub {
      override async fetch(request: Request): Promise<Response> {
        const task = request.headers.get(TASK)
        if (task === null) {
          const identity = [...request.headers].filter(([header]) => header.startsWith('x-netloom-'))
          const args = identity.map(([header, text]) => [header, JSON.parse(decodeURIComponent(text)) as unknown])
          const response = await super.fetch(request)
          record({ hubClass, name: this.ctx.id.name ?? '', method: 'connect', args, result: response.status })
          return response
        }
        if (task === 'dump') return Response.json(await dump(this.ctx, hubClass))
        if (task === 'fill') await fill(this.ctx, await request.json())
        await this.ctx.storage.sync()
        living.delete(`${hubClass} ${this.ctx.id.name}`)
        this.ctx.abort(MOVING)
        return new Response()
      }

      override async rpc(requestId: string | undefined, method: string, args: readonly unknown[]) {
        const result = await super.rpc(requestId, method, args)
        record({ hubClass, name: this.ctx.id.name ?? '', method, args, result })
        return result
      }

      override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
        recordFrame('received', message)
        await super.webSocketMessage(socket, message)
      }
    }
  }

  /** The exported class: a new object is one of the release that its name belongs to at that moment. */
  function divided(hubClass: HubClassName): HubClass {
    const classes = {
      before: controlled(modules.before[hubClass] as unknown as HubClass, hubClass),
      after: controlled(modules.after[hubClass] as unknown as HubClass, hubClass),
    }
    return new Proxy(classes.before, {
      construct(_, [ctx, env]: [DurableObjectState, Env]) {
        const name = ctx.id.name ?? ''
        const release = releaseOf(name)
        living.set(`${hubClass} ${name}`, { hubClass, name, release })
        const hub = new classes[release](ctx, env)
        return hubClass === 'DirectoryHub' ? Object.assign(hub, { openDirectory }) : hub
      },
    })
  }

  const ask = (env: Env, hubClass: HubClassName, name: string, task: string, body?: unknown) =>
    stubOf(env, hubClass, name).fetch('https://hub/', {
      method: 'POST',
      headers: { [TASK]: task },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  /** Moves the objects whose release the new share changes; the answer of one that moves is its end. */
  async function move(env: Env, percent: number): Promise<number> {
    share = percent
    const moving = [...living.values()].filter(({ name, release }) => release !== releaseOf(name))
    for (const { hubClass, name } of moving) await ask(env, hubClass, name, 'move').catch(() => {})
    return moving.length
  }

  async function state(env: Env): Promise<DrillState> {
    const hubs: StoredHub[] = []
    for (const { hubClass, name } of living.values())
      if (hubClass !== 'HashPool') hubs.push(await (await ask(env, hubClass, name, 'dump')).json())
    const toFrames = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as unknown)
    return { hubs, rows: await dumpRows(env), calls, received: toFrames(frames.received), sent: toFrames(frames.sent) }
  }

  async function control(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    switch (pathname.slice(CONTROL.length)) {
      case '/share':
        return Response.json(await move(env, Number(searchParams.get('percent'))))
      case '/record':
        isRecording = true
        recordSends((text) => recordFrame('sent', text))
        return new Response()
      case '/state':
        return Response.json(await state(env))
      case '/fill': {
        const { hubs, rows } = await request.json<Pick<DrillState, 'hubs' | 'rows'>>()
        await fillRows(env, rows)
        for (const hub of hubs) await ask(env, hub.hubClass, hub.name, 'fill', hub).catch(() => {})
        return new Response()
      }
      case '/call': {
        const { hubClass, name, method, args } = await request.json<RecordedCall>()
        const hub = stubOf(env, hubClass, name) as unknown as HubMethods
        return Response.json({ result: (await hub.rpc('drill', method, args)) ?? null })
      }
      case '/connect': {
        const { hubClass, name, identity } = JSON.parse(searchParams.get('to') ?? '') as RecordedUpgrade
        const given = identity.map(([header, value]) => [header, encodeURIComponent(JSON.stringify(value))] as const)
        return stubOf(env, hubClass, name).fetch('https://hub/', {
          headers: Object.fromEntries([['upgrade', 'websocket'], ...given]),
        })
      }
      default:
        return new Response(null, { status: 404 })
    }
  }

  return {
    ...modules.after, // a class that the release before does not have
    RouterHub: divided('RouterHub'),
    NetworkHub: divided('NetworkHub'),
    AccountHub: divided('AccountHub'),
    DirectoryHub: divided('DirectoryHub'),
    HashPool: divided('HashPool'),
    handlers: {
      fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response> {
        if (new URL(request.url).pathname.startsWith(CONTROL)) return control(request, env)
        return nextWorker().fetch(request, env, ctx)
      },
      scheduled: (event: ScheduledController, env: Env, ctx: ExecutionContext): Promise<void> =>
        (nextWorker().scheduled as (...args: unknown[]) => Promise<void>)(event, env, ctx),
    },
  }
}

const stubOf = (env: Env, hubClass: HubClassName, name: string): DurableObjectStub =>
  (env[BINDING[hubClass]] as unknown as DurableObjectNamespace).getByName(name)

/** Place of a name between 0 and 99, the same in each run. */
function percentileOf(name: string): number {
  let hash = 0
  for (const sign of name) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 65_521
  return hash % 100
}

async function dump(ctx: DurableObjectState, hubClass: HubClassName): Promise<StoredHub> {
  const { id, storage } = ctx
  const schema = storage.sql
    .exec<{ name: string; type: string; sql: string | null }>(
      "SELECT name, type, sql FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' ORDER BY rowid",
    )
    .toArray()
  const tables = schema.filter(({ type }) => type === 'table')
  return {
    hubClass,
    name: id.name ?? '',
    alarm: await storage.getAlarm(),
    kv: toJson(Object.fromEntries(storage.kv.list())) as StoredHub['kv'],
    schema: schema.flatMap(({ sql }) => sql ?? []),
    tables: Object.fromEntries(
      tables.map(({ name }) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray().map(toJsonRow)]),
    ),
    attachments: ctx.getWebSockets().map((socket) => toJson(socket.deserializeAttachment())),
  }
}

const toJsonRow = (row: Readonly<Record<string, unknown>>) => toJson(row) as typeof row

/** Replaces the storage of an object, whose constructor has made tables of its own. */
async function fill({ storage }: DurableObjectState, hub: StoredHub): Promise<void> {
  await storage.deleteAlarm()
  await storage.deleteAll()
  for (const statement of hub.schema) storage.sql.exec(statement)
  for (const [table, rows] of Object.entries(hub.tables)) {
    for (const row of rows) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      const write = `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${places})`
      storage.sql.exec(write, ...(Object.values(row).map(fromJson) as SqlStorageValue[]))
    }
  }
  for (const [key, value] of Object.entries(hub.kv)) storage.kv.put(key, fromJson(value))
  if (hub.alarm !== null) await storage.setAlarm(hub.alarm)
}

async function dumpRows({ DB }: Env): Promise<DrillState['rows']> {
  if (!DB) throw new Error('the drill needs D1')
  const { results: tables } = await DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'd1_*'",
  ).all<{ name: string }>()
  const rows: [string, Record<string, unknown>[]][] = []
  for (const { name } of tables) rows.push([name, (await DB.prepare(`SELECT * FROM "${name}"`).all()).results])
  return Object.fromEntries(rows.filter(([, found]) => found.length > 0))
}

/** Foreign keys are checked at the end of the one batch. */
async function fillRows({ DB }: Env, rows: DrillState['rows']): Promise<void> {
  if (!DB) throw new Error('the drill needs D1')
  const inserts = Object.entries(rows).flatMap(([table, found]) =>
    found.map((row) => {
      const columns = Object.keys(row)
      const write = `INSERT OR REPLACE INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      return DB.prepare(write).bind(...Object.values(row))
    }),
  )
  await DB.batch([DB.prepare('PRAGMA defer_foreign_keys = ON'), ...inserts])
}

/** Directory of three people in the place of a customer's server. */
async function openDirectory() {
  const people = ['liu.min', 'chen.jing', 'zhao.lei'].map((username) => ({
    id: `id-${username}`,
    dn: `uid=${username},ou=people,dc=lianyun,dc=example`,
    username,
    displayName: username,
    description: '',
    phones: [],
    isDisabled: false,
  }))
  return {
    server: { kind: 'openldap', tlsVersion: '1.3', certificate: null },
    listUsers: (_: unknown, onPage: (users: typeof people) => unknown) => onPage(people),
    findEntry: async (_: unknown, id: string) => people.find((user) => user.id === id) ?? null,
    bindAs: async () => false,
    close() {},
  }
}

/** Passes on what hubs send, on every socket of this isolate. */
function recordSends(record: (text: unknown) => void): void {
  const { prototype } = WebSocket
  const send = Reflect.get(prototype, 'send') as WebSocket['send']
  prototype.send = function (this: WebSocket, message) {
    record(message)
    return send.call(this, message)
  }
}
