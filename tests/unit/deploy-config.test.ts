import { unstable_readConfig as readConfig } from 'wrangler'
import { describe, expect, it } from 'vitest'
import { CALL_LIMIT, CALL_LIMITS } from '#contract/kernel/limits.ts'

interface BoundLimit {
  readonly name: string
  readonly namespace_id: string
  readonly simple: { readonly limit: number; readonly period: number }
}
const limitsOf = (env: string): readonly BoundLimit[] => readConfig({ config: 'wrangler.toml', env }).ratelimits

describe.each(['staging', 'production'])('wrangler.toml for %s', (env) => {
  const config = readConfig({ config: 'wrangler.toml', env })

  it('logs our own lines only, without the query of a request', () => {
    expect(config.observability).toMatchObject({
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
    })
  })

  it('sets no names of closures at run time', () => expect(config.keep_names).toBe(false))

  it('names the release, which each log line carries', () => {
    expect(config.version_metadata).toEqual({ binding: 'CF_VERSION_METADATA' })
  })

  it('refuses a deploy without its secrets', () => {
    expect(config.secrets).toMatchObject({
      required: expect.arrayContaining(['JWT_KEYS', 'TICKET_KEYS', 'HMAC_SECRET', 'OPERATOR_TOKEN', 'SEAL_KEYS']),
    })
  })
  it('binds the limits of the contract', () => {
    const limits = Object.entries(CALL_LIMITS).map(([call, limit]) => [`LIMIT_${call.toUpperCase()}`, limit])
    expect(limitsOf(env).map(({ name, simple }) => [name, simple.limit])).toEqual(limits)
    expect(new Set(limitsOf(env).map(({ simple }) => simple.period))).toEqual(new Set([CALL_LIMIT.periodS]))
  })
})

it('no two limits of the environments share a counter', () => {
  const ids = ['staging', 'production'].flatMap(limitsOf).map(({ namespace_id }) => namespace_id)
  expect(ids).toHaveLength(2 * Object.keys(CALL_LIMITS).length)
  expect(new Set(ids).size).toBe(ids.length)
})
