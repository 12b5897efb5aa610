import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { API, OPS } from '#contract/api.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { isOperatorAccess } from '#contract/kernel/permissions.ts'
import { list, sortBy } from '#contract/kernel/list.ts'
import { openapiDocument } from '#features/openapi/document.ts'

/** Nouns and calls of sessions, security, roles, secrets, audit, and of work that goes on. */
const PRIMARY =
  /^(login|verify|client|ram|ram_role|auth_source|webhook|file)\/|^ldap\/(?!status$)|^account\/(?!service$|views$)|^logs\/(audit|software_login|export)$|^router\/(profiles|traffic)$|\/(job|diagnosis|diagnoses|actual_routes|versions)$/
/** Fields that a form sends back, or that are secret or of sessions. */
const HELD = /revision|secret|password|token|session_id|^key$|totp/

/** Names of all fields of an answer. */
function fieldsOf({ output, extra = {} }: Endpoint): ReadonlySet<string> {
  const names = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name)
      walk(value)
    }
  }
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  walk(toSchema(output))
  for (const [name, schema] of Object.entries(extra)) {
    names.add(name)
    walk(toSchema(schema))
  }
  return names
}

describe('endpoint table', () => {
  const all = [...API, ...OPS]
  it('every path is unique', () => {
    const paths = API.map((spec) => `${spec.method} ${spec.path}`)
    expect(paths).toEqual([...new Set(paths)])
  })
  it('operator access is required by exactly the operator calls', () => {
    expect(API.filter(({ access }) => isOperatorAccess(access))).toEqual([])
    expect(OPS.filter(({ access }) => !isOperatorAccess(access))).toEqual([])
  })
  it.each([
    ['worker/contract', API],
    ['worker/contract/ops/endpoints', OPS],
  ])('the first segment names the folder or file in %s', (folder, table) => {
    const files = new Set(readdirSync(folder).map((name) => name.replace('.ts', '')))
    expect(
      table.map((spec) => spec.path.split('/')[0]?.replaceAll('_', '-') ?? '').filter((noun) => !files.has(noun)),
    ).toEqual([])
  })
  it('every example is a valid input', () => {
    const refused = all.filter((spec) => !spec.input.safeParse(spec.example).success)
    expect(refused.map(({ path }) => path)).toEqual([])
  })
  it('every public call has a limit in front of the database, or needs none', () => {
    const unlimited: Readonly<Record<string, readonly string[]>> = {
      'asks the limits itself': ['verify/challenge', 'verify/proof', 'login/refresh', 'client/refresh'],
      'takes signed tokens or links only': ['login/logout', 'client/logout', 'file/content', 'announcements/image'],
      'is opened from a mail': [
        'contacts/validate_email',
        'contacts/unsubscribe',
        'contacts/refuse_mails',
        'contacts/accept_mails',
      ],
      'answers the same to everybody': [
        'site/config',
        'country/lists',
        'document/menu',
        'document/info',
        'document/search',
        'document/image',
        'download/versions',
        'download/file',
      ],
    }
    const open = API.filter(({ access, limit }) => access === 'public' && limit === undefined).map(({ path }) => path)
    expect(open.toSorted()).toEqual(Object.values(unlimited).flat().toSorted())
  })
  it('a copy of the database answers no read of a form, a session, security, roles, secrets or audit', () => {
    const near = all.filter(({ reads }) => reads === 'near')
    expect(near.length).toBeGreaterThan(40)
    const isWithoutSession = ({ method, access }: Endpoint) =>
      method !== 'GET' || access === 'public' || access === 'client' || isOperatorAccess(access)
    expect(near.filter(isWithoutSession)).toEqual([])
    expect(near.filter(({ path, reply }) => PRIMARY.test(path) || reply === 'file').map(({ path }) => path)).toEqual([])
    const held = near.flatMap((spec) =>
      [...fieldsOf(spec)].filter((name) => HELD.test(name)).map((name) => `${spec.path} ${name}`),
    )
    expect(held).toEqual(['ticket/info revision']) // of a snapshot, which no form sends back
  })
  it('the same test finds what it forbids', () => {
    const found = (path: string) =>
      [...fieldsOf(API.find((spec) => spec.path === path)!)].filter((name) => HELD.test(name))
    expect(found('network/info')).toEqual(expect.arrayContaining(['revision', 'revisions']))
    expect(found('network/prefix')).toContain('revision') // beside data
    expect(found('router/lists')).toContain('note_revision')
    expect(found('webhook/config').length).toBeGreaterThan(0)
    expect(found('account/sessions').length).toBeGreaterThan(0)
  })
  it('a call makes only reads stale', () => {
    const reads = new Set(API.filter(({ method }) => method === 'GET').map(({ path }) => path))
    expect(all.flatMap(({ refreshes = [] }) => refreshes).filter((path) => !reads.has(path))).toEqual([])
    expect(all.filter(({ method, refreshes }) => method === 'GET' && refreshes !== undefined)).toEqual([])
  })
  it('fields beside data leave the envelope’s own alone', () => {
    const own = ['code', 'msg', 'reason', 'data', 'request_id']
    expect(all.filter(({ extra = {} }) => own.some((name) => name in extra))).toEqual([])
  })
})

describe('a list', () => {
  const { input, output, extra } = list({
    row: z.string(),
    filters: { ...sortBy(['create_time', 'name']) },
    counts: { online: z.int() },
  })
  it('is page 1 of ten rows, newest first, unless asked otherwise', () => {
    expect(input.parse({})).toEqual({ page: 1, limit: 10, sort: 'create_time', order: 'desc' })
    expect(input.parse({ page: '3', limit: '50', sort: 'name', order: 'asc' })).toEqual({
      page: 3,
      limit: 50,
      sort: 'name',
      order: 'asc',
    })
  })
  it.each([{ limit: 11 }, { limit: 1000 }, { limit: '' }, { page: 0 }, { page: 1.5 }, { sort: 'password' }])(
    'refuses %o',
    (query) => expect(input.safeParse(query).success).toBe(false),
  )
  it('answers rows and counts', () => {
    expect(output.parse(['a'])).toEqual(['a'])
    expect(z.object(extra).parse({ count: 1, online: 0 })).toEqual({ count: 1, online: 0 })
  })
})

describe('OpenAPI', () => {
  const document = openapiDocument()
  it('describes every call', () => {
    const missing = API.filter(({ method, path, summary }) => {
      const operation = document.paths[`/${path}`]?.[method.toLowerCase()] as { summary?: string } | undefined
      return operation?.summary !== summary
    })
    expect(missing).toEqual([])
  })
  it('has only parts that JSON can carry', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
  it('says which reads take a bookmark', () => {
    const header = { name: 'x-netloom-bookmark', in: 'header' }
    const toGet = (path: string) => document.paths[path]?.['get'] as { parameters: object[] }
    expect(toGet('/network/lists')).toMatchObject({ 'x-reads': 'near' })
    expect(toGet('/network/lists').parameters.at(-1)).toMatchObject(header)
    expect(toGet('/network/info').parameters).not.toContainEqual(expect.objectContaining(header))
  })
  it('names the reasons of refusals and shows an example', () => {
    expect(document.components.schemas.Refusal.properties.reason.enum).toContain('NETWORK_CHANGED')
    expect(document.paths['/network/name']?.['post']).toMatchObject({
      requestBody: { content: { 'application/json': { example: { network_name: '生产网' } } } },
      responses: { '200': { content: { 'application/json': {} } } },
    })
  })
})
