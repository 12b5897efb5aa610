import { unstable_readConfig as readConfig } from 'wrangler'
import { describe, expect, it } from 'vitest'

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
})
