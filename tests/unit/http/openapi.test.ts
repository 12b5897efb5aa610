import { expect, it, vi } from 'vitest'

const made = vi.hoisted(() => vi.fn<() => object>(() => ({ openapi: '3.1.0' })))
vi.mock('#features/openapi/document.ts', () => ({ openapiDocument: made }))

it('the document is made once, by the first call', async () => {
  const { openapiRoutes } = await import('#features/openapi/routes.ts')
  expect(made).not.toHaveBeenCalled()
  for (let i = 0; i < 3; i++) {
    const reply = await openapiRoutes.request('/openapi.json')
    expect(reply.headers.get('content-type')).toContain('application/json')
    expect(await reply.json()).toEqual({ openapi: '3.1.0' })
  }
  expect(made).toHaveBeenCalledTimes(1)
})
