import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candidate, explain, explainBursts, longestBurst } from '#domain/health/explain.ts'

interface Fault {
  readonly id: string
  readonly since: number | null
}
const fault = (id: string, since: number | null = 0): Fault => ({ id, since })
const many = (count: number, prefix = 's') => Array.from({ length: count }, (_, n) => fault(`${prefix}${n}`))
const candidate = (
  id: string,
  symptoms: readonly Fault[],
  possible = symptoms.length,
  kind: Candidate<Fault>['kind'] = 'center',
) => ({ id, kind, symptoms, possible })
const namesOf = (symptoms: readonly Fault[], candidates: readonly Candidate<Fault>[]) =>
  explain(symptoms, candidates).causes.map((cause) => [cause.candidate, ...cause.equals].map(({ id }) => id))

describe('smallest cause', () => {
  it('takes three symptoms and 60 % of the possible ones', () => {
    const shared = many(10)
    const namesOfShared = (count: number, possible: number) =>
      namesOf(shared.slice(0, count), [candidate('c', shared.slice(0, count), possible)])
    expect(namesOfShared(2, 2)).toEqual([])
    expect(namesOfShared(3, 3)).toEqual([['c']])
    expect(namesOfShared(6, 10)).toEqual([['c']])
    expect(namesOfShared(5, 9)).toEqual([])
  })

  it('prefers the object that explains all to those that explain parts', () => {
    const links = many(9)
    const points = [0, 3, 6].map((from) => candidate(`p${from}`, links.slice(from, from + 3), 3, 'point'))
    expect(namesOf(links, [...points, candidate('c', links)])).toEqual([['c']])
  })

  it('names both where two explain the same, and the narrower one where they do not', () => {
    const links = many(5)
    expect(namesOf(links, [candidate('n', links, 5, 'network'), candidate('c', links)])).toEqual([['c', 'n']])
    expect(namesOf(links, [candidate('n', links, 5, 'network'), candidate('c', links, 8)])).toEqual([['n']])
  })

  it('names the centres of a network if they explain all of it, and the network if its points would', () => {
    const [a, b] = [many(4, 'a'), many(4, 'b')]
    const network = candidate('n', [...a, ...b], 8, 'network')
    expect(namesOf([...a, ...b], [network, candidate('c1', a), candidate('c2', b)])).toEqual([['c1'], ['c2']])
    const points = [a, b].map((own, n) => candidate(`p${n}`, own, 4, 'point'))
    expect(namesOf([...a, ...b], [network, ...points])).toEqual([['n']])
  })

  it('a symptom that another cause explains says nothing about an object', () => {
    const [ofCenter, own] = [many(7, 'c'), many(3, 'p')]
    const point = candidate('p', [ofCenter[0]!, ...own], 6, 'point')
    expect(namesOf([...ofCenter, ...own], [candidate('c', ofCenter), point])).toEqual([['c'], ['p']])
  })
})

describe('symptoms that began together', () => {
  it('are the most within the time, and undated ones are none', () => {
    const all = [
      fault('a', 0),
      fault('b', 8_000),
      fault('c', 9_000),
      fault('d', 17_000),
      fault('f', 18_000),
      fault('e', null),
    ]
    expect(longestBurst(all, 10_000).map(({ id }) => id)).toEqual(['b', 'c', 'd', 'f'])
    expect(longestBurst([], 10_000)).toEqual([])
  })

  it('of one object are a group from three on', () => {
    const all = [...many(3, 'x'), fault('y0', 0), fault('y1', 0)]
    const { bursts, rest } = explainBursts(all, ({ id }) => [id[0]!])
    expect(bursts.map(({ name, symptoms }) => [name, symptoms.length])).toEqual([['x', 3]])
    expect(rest.map(({ id }) => id)).toEqual(['y0', 'y1'])
  })
})

interface Topology {
  readonly links: readonly { readonly id: string; readonly network: number; readonly ends: readonly [string, string] }[]
  readonly candidates: (dead: ReadonlySet<string>) => readonly Candidate<Topology['links'][number] & Fault>[]
  readonly objects: readonly string[]
}

/** Networks of shared centres and points: every point has a link to each centre, or to each point where none is. */
const topology = fc
  .record({
    networks: fc.array(
      fc.record({ centers: fc.uniqueArray(fc.nat(5), { maxLength: 4 }), points: fc.integer({ min: 3, max: 12 }) }),
      { minLength: 1, maxLength: 4 },
    ),
    shared: fc.nat(3),
  })
  .map(({ networks, shared }): Topology => {
    const links = networks.flatMap(({ centers, points }, network) =>
      Array.from({ length: points }, (_, n) => (n < shared ? `p${n}` : `p${network}.${n}`)).flatMap((point, n, all) =>
        (centers.length === 0 ? all.slice(n + 1) : centers.map((center) => `c${center}`)).map((peer) => ({
          id: `${network}:${point}>${peer}`,
          since: 0,
          network,
          ends: [point, peer] as const,
        })),
      ),
    )
    const objects = [...new Set(links.flatMap(({ ends }) => ends))]
    const isBad = (link: (typeof links)[number], dead: ReadonlySet<string>) =>
      link.ends.some((end) => dead.has(end)) || dead.has(`n${link.network}`)
    const toCandidate = (id: string, kind: Candidate<Fault>['kind'], own: typeof links, dead: ReadonlySet<string>) => ({
      id,
      kind,
      symptoms: own.filter((link) => isBad(link, dead)),
      possible: own.length,
    })
    return {
      links,
      objects,
      candidates: (dead) => [
        ...objects.map((id) =>
          toCandidate(
            id,
            id.startsWith('c') ? 'center' : 'point',
            links.filter(({ ends }) => ends.some((end) => end === id)),
            dead,
          ),
        ),
        ...networks.map((_, n) =>
          toCandidate(
            `n${n}`,
            'network',
            links.filter(({ network }) => network === n),
            dead,
          ),
        ),
      ],
    }
  })

/** True if other objects explain the same, and they and what they should cause and do not are as few as the dead ones. */
function hasOtherCover(
  symptoms: readonly Fault[],
  all: readonly Candidate<Fault>[],
  dead: ReadonlySet<string>,
): boolean {
  const costOf = (one: Candidate<Fault>) => 1 + one.possible - one.symptoms.length
  const search = (left: readonly Fault[], chosen: readonly string[], budget: number): boolean => {
    const [first] = left
    if (first === undefined) return chosen.some((id) => !dead.has(id))
    return all
      .filter((one) => costOf(one) <= budget && one.symptoms.includes(first))
      .some((one) =>
        search(
          left.filter((fault) => !one.symptoms.includes(fault)),
          [...chosen, one.id],
          budget - costOf(one),
        ),
      )
  }
  return search(symptoms, [], dead.size)
}

it('property: one to three dead objects are named, and no other; all of their links are folded', () => {
  fc.assert(
    fc.property(topology, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), ({ objects, candidates }, picks) => {
      const dead = new Set(picks.map((pick) => objects[pick % objects.length]!))
      const all = candidates(dead)
      const linksOf = (id: string) => all.find((one) => one.id === id)!.symptoms
      const isTold = [...dead].every((id) => {
        const others = new Set([...dead].filter((other) => other !== id).flatMap(linksOf))
        return linksOf(id).filter((link) => !others.has(link)).length >= 3
      })
      const symptoms = [...new Set(all.flatMap((one) => one.symptoms))]
      fc.pre(isTold && !hasOtherCover(symptoms, all, dead))
      const { causes, rest } = explain(symptoms, all)
      expect(rest).toEqual([])
      const isNamed = (id: string) =>
        causes.some((one) => [one.candidate, ...one.equals].some((named) => named.id === id))
      expect([...dead].filter((id) => !isNamed(id))).toEqual([])
      const foreign = causes.filter(
        ({ candidate: { id }, equals }) => ![id, ...equals.map((one) => one.id)].some((name) => dead.has(name)),
      )
      expect(foreign).toEqual([])
      expect(causes).toHaveLength(dead.size)
    }),
    { numRuns: 2_000 },
  )
})

it('property: the order of candidates decides nothing but ties', () => {
  fc.assert(
    fc.property(topology, fc.nat(), ({ objects, candidates }, pick) => {
      const dead = new Set([objects[pick % objects.length]!])
      const all = candidates(dead)
      fc.pre(all.find(({ id }) => dead.has(id))!.symptoms.length >= 3)
      const symptoms = [...new Set(all.flatMap((one) => one.symptoms))]
      const sizes = (list: typeof all) => explain(symptoms, list).causes.map((cause) => cause.symptoms.length)
      expect(sizes(all.toReversed())).toEqual(sizes(all))
    }),
  )
})
