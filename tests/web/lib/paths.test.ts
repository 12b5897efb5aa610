import { describe, expect, it } from 'vitest'
import { PAGES } from '#app/pages.ts'
import { paths } from '#lib/paths.ts'

describe('paths', () => {
  it('encodes what stands in the query and leaves out what is empty', () => {
    expect(paths.router('a@b&c')).toBe('/router/detail?router_name=a%40b%26c')
    expect(paths.routers({ type: 2, search: '', state: 'offline' })).toBe('/router/lists?type=2&state=offline')
    expect(paths.networks()).toBe('/network/lists')
  })

  it('leads to pages that exist', () => {
    const known = new Set(PAGES.map(({ path }) => path))
    const built = Object.values(paths).map((to) => (typeof to === 'string' ? to : to(1 as never)))
    expect(built.map((to) => to.split('?')[0]).filter((to) => !known.has(to ?? ''))).toEqual([])
  })
})
