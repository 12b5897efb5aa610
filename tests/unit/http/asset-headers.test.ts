import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SECURITY_HEADERS } from '#http/answer.ts'

it('files that are served without the Worker carry its security headers, HSTS of a host apart, and may not be framed', () => {
  const [everywhere = ''] = readFileSync('web/public/_headers', 'utf8').split(/^(?=\/assets)/m)
  const [path, ...lines] = everywhere.trim().split('\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.trim().split(': ')
      return [name.toLowerCase(), value.join(': ')]
    }),
  )
  expect(path).toBe('/*')
  // The same files are there on callback domains of customers: HSTS stands on answers of the Worker, which knows the host.
  expect(headers).toEqual({ ...SECURITY_HEADERS, 'content-security-policy': "frame-ancestors 'none'" })
})
