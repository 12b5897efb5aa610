import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLinkOf, linkId, linksOf } from '../../../worker/domain/network/links.ts'
import { memberRows } from './members.ts'

it('joins each hardware point to each centre, once, and nobody else', () => {
  fc.assert(
    fc.property(memberRows, (members) => {
      const links = linksOf('N1', members)
      const centers = members.filter((m) => m.memberType === 'center').map((m) => m.routerName)
      const points = members.filter((m) => m.memberType === 'point' && m.routerType === 1).map((m) => m.routerName)
      expect(new Set(links.map((l) => l.id)).size).toBe(links.length)
      expect(links.length).toBe(centers.length * points.length)
      expect(links.every(({ id }) => isLinkOf('N1', id) && !isLinkOf('N', id) && !isLinkOf('N11', id))).toBe(true)
      for (const link of links) {
        expect(points).toContain(link.client)
        expect(centers).toContain(link.server)
        expect(link.id).toBe(linkId('N1', link.client, link.server))
      }
    }),
  )
})
