import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../worker/app.ts'
import { API, OPS } from '../../worker/contract/index.ts'
import { openapiDocument } from '../../worker/features/openapi/document.ts'

const app = createApp({
  hubs: () => {
    throw new Error('not used')
  },
  outside: () => {
    throw new Error('not used')
  },
})
const mounted = new Set(app.routes.map((route) => `${route.method} ${route.path}`))

describe('endpoint table', () => {
  it.each(API.map((spec) => [spec.method, spec.path] as const))('%s /api/v1/%s is mounted', (method, path) => {
    expect(mounted).toContain(`${method} /api/v1/${path}`)
  })
  it.each(OPS.map((spec) => [spec.method, spec.path] as const))('%s /ops/v1/%s is mounted', (method, path) => {
    expect(mounted).toContain(`${method} /ops/v1/${path}`)
  })
  it('no path stands twice', () => {
    const paths = API.map((spec) => `${spec.method} ${spec.path}`)
    expect(paths).toEqual([...new Set(paths)])
  })
  it('operators’ calls are no customers’ calls', () => {
    expect(API.filter((spec) => spec.access === 'operator')).toEqual([])
    expect(OPS.filter((spec) => spec.access !== 'operator')).toEqual([])
  })
  it('the first segment names the contract file', () => {
    const files = new Set(readdirSync('worker/contract').map((name) => name.replace('.ts', '')))
    expect(
      API.map((spec) => spec.path.split('/')[0]?.replaceAll('_', '-') ?? '').filter((noun) => !files.has(noun)),
    ).toEqual([])
  })
})

describe('OpenAPI', () => {
  const document = openapiDocument()
  it.each(API.map((spec) => [spec.method.toLowerCase(), `/${spec.path}`, spec.summary] as const))(
    '%s %s',
    (method, path, summary) => {
      expect(document.paths[path]?.[method]).toMatchObject({ summary, responses: { '200': {} } })
    },
  )
})
