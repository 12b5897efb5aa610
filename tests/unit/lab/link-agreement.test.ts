import { expect, it } from 'vitest'
import type { LinkState } from '#contract/kernel/protocol.ts'
import { countLinks } from '#domain/health/link.ts'
import { type AgreementInput, type LinkEnds, findDisagreements } from '#tests/lab/link-agreement.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const ID = '1000:C>A'
const ROUTERS = ['A', 'C']
const UP: LinkEnds = { client: true, server: true }
const DOWN: LinkEnds = { client: false, server: false }
const ONE_END: LinkEnds = { client: true, server: false }

type Changes = Partial<AgreementInput['shown']> & { readonly isCut?: boolean }

/** Disagreements where every reader says one state, unless changed. */
function compare(ends: LinkEnds, state: LinkState, { isCut = false, ...changes }: Changes = {}): readonly string[] {
  const all = new Map([[ID, state]])
  const online = new Set(isCut ? ['C'] : ROUTERS)
  return findDisagreements({
    shown: {
      list: { state: state === 'up' ? 'ok' : 'partial', links: countLinks([{ state }]) },
      detail: all,
      status: all,
      table: all,
      drawing: all,
      online: [online, online],
      ...changes,
    },
    ends: new Map([[ID, ends]]),
    routers: ROUTERS,
    isCutOff: (name) => isCut && name === 'A',
  })
}

const AGREEING: readonly (readonly [LinkEnds, LinkState, Changes?])[] = [
  [UP, 'up'],
  [DOWN, 'down'],
  [ONE_END, 'one_sided'],
  [DOWN, 'one_sided', { isCut: true }],
  [DOWN, 'unknown', { isCut: true }],
  [DOWN, 'down', { isCut: true }],
  [UP, 'up', { list: { state: 'partial', links: countLinks([{ state: 'up' }]) } }], // another thing may be wrong
]

it('readers that say what the routers have agree', async () => {
  const offenders = await findOffenders(AGREEING)(async (ends, state, changes) =>
    expect(compare(ends, state, changes)).toEqual([]),
  )
  expect(offenders).toEqual([])
})

const NOTHING = new Map<string, LinkState>()
const ONLY_C = new Set(['C'])
const BOTH = new Set(ROUTERS)
const DISAGREEING: readonly (readonly [LinkEnds, LinkState, Changes?])[] = [
  [DOWN, 'up'],
  [UP, 'down'],
  [DOWN, 'unknown'],
  [DOWN, 'one_sided'],
  [ONE_END, 'up'],
  [DOWN, 'up', { isCut: true }],
  [ONE_END, 'one_sided', { isCut: true }], // the session has not ended yet
  [UP, 'up', { detail: new Map([[ID, 'down']]) }],
  [UP, 'up', { status: new Map([[ID, 'unknown']]) }],
  [UP, 'up', { table: NOTHING }],
  [UP, 'up', { drawing: new Map([[ID, null]]) }],
  [
    UP,
    'up',
    {
      drawing: new Map([
        [ID, 'up'],
        ['1000:D>A', 'up'],
      ]),
    },
  ], // a link that no router has
  [UP, 'up', { list: { state: 'ok', links: countLinks([]) } }],
  [DOWN, 'down', { list: { state: 'ok', links: countLinks([{ state: 'down' }]) } }],
  [UP, 'up', { online: [ONLY_C, BOTH] }],
  [UP, 'up', { online: [ONLY_C, ONLY_C] }],
  [DOWN, 'unknown', { isCut: true, online: [BOTH, ONLY_C] }],
]

it('a reader that says another thing is named with the link, its word and the truth', async () => {
  const offenders = await findOffenders(DISAGREEING)(async (ends, state, changes) =>
    expect(compare(ends, state, changes)).not.toEqual([]),
  )
  expect(offenders).toEqual([])
  expect(compare(UP, 'up', { drawing: new Map([[ID, 'down']]) })).toEqual([
    '1000:C>A: client up, server up; detail up, status up, table up, drawing down',
  ])
})
