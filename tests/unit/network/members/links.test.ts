import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLinkIn, linkId, computeLinks } from '#domain/network/members/links.ts'
import { memberRows } from '../members.ts'

it('design 8 · joins each hardware point to each centre exactly once', () => {
  fc.assert(
    fc.property(memberRows, (members) => {
      const links = computeLinks('N1', members)
      const centers = members.filter((m) => m.memberType === 'center').map((m) => m.routerName)
      const points = members.filter((m) => m.memberType === 'point' && m.routerType === 1).map((m) => m.routerName)
      expect(new Set(links.map((l) => l.id)).size).toBe(links.length)
      expect(links.length).toBe(centers.length * points.length)
      expect(links.every(({ id }) => isLinkIn('N1', id) && !isLinkIn('N', id) && !isLinkIn('N11', id))).toBe(true)
      for (const link of links) {
        expect(points).toContain(link.client)
        expect(centers).toContain(link.server)
        expect(link.id).toBe(linkId('N1', link.client, link.server))
      }
    }),
  )
})
