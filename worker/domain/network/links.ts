/** A member as used by the rules; wire names, so that documents, views and logs agree. */
export interface MemberNode {
  readonly routerName: string
  readonly routerType: 1 | 2
  readonly memberType: 'center' | 'point'
}

export interface MemberLink {
  /**
   * `<network number>:<client>><server>`: stable over edits, so that a rebuilt projection keeps its history, and different
   * for the same pair in another network.
   */
  readonly id: string
  readonly client: string
  readonly server: string
}

/**
 * Added to the local preference of routes, by the kind of link; both ends count alike. `main` is access to the main router;
 * POP links add 10 for the main area and 5 less the priority.
 */
export const LINK_PREFERENCE = {
  point: 60,
  popFirst: 50,
  main: 45,
  access: 40,
  center: 20,
  backbone: 20,
  pop: 20,
} as const

export const linkId = (networkNumber: string, client: string, server: string): string =>
  `${networkNumber}:${client}>${server}`

export const isLinkIn = (networkNumber: string, id: string): boolean => id.startsWith(`${networkNumber}:`)

/**
 * The links of a hub network: each hardware point to each centre. Software members dial by choice, so a missing tunnel
 * of theirs is no fault and no link. Order: by centre, then point, as given.
 */
export function computeLinks(networkNumber: string, members: readonly MemberNode[]): readonly MemberLink[] {
  const centers = members.filter((m) => m.memberType === 'center')
  const points = members.filter((m) => m.memberType === 'point' && m.routerType === 1)
  return centers.flatMap((center) =>
    points.map((point) => ({
      id: linkId(networkNumber, point.routerName, center.routerName),
      client: point.routerName,
      server: center.routerName,
    })),
  )
}
