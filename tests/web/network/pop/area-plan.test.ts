import { describe, expect, it } from 'vitest'
import { changedAreas, hasBackup, toAreaPlan, withMain } from '#pages/network/pop/area-plan.ts'

const member = (router_name: string, main: number | null = null, backup: number | null = null) => ({
  router_name,
  ov_id: { main, backup, main_name: '', backup_name: '', priority: 3 },
  revisions: { ov: 4 },
})

describe('network 2 · POP config edit', () => {
  it('offers a backup area with more than two areas, once a main one is chosen', () => {
    const choice = { main: 1, backup: 0, priority: 3 }
    expect([2, 3].map((count) => hasBackup(count, choice))).toEqual([false, true])
    expect(hasBackup(3, { ...choice, main: 0 })).toBe(false)
  })
  it('main and backup never meet, and a backup goes with its main area', () => {
    const choice = { main: 1, backup: 2, priority: 5 }
    expect(withMain(choice, 2)).toEqual({ main: 2, backup: 0, priority: 5 })
    expect(withMain(choice, 3)).toEqual({ main: 3, backup: 2, priority: 5 })
    expect(withMain(choice, 0)).toEqual({ main: 0, backup: 0, priority: 5 })
  })
  it('sends what differs, with the revision it started from', () => {
    const members = [member('a', 1, 2), member('b')]
    const base = toAreaPlan(members)
    expect(changedAreas(base, base, members)).toEqual([])
    const plan = new Map(base).set('b', { main: 2, backup: 0, priority: 1 })
    expect(changedAreas(base, plan, members)).toEqual([
      { router_name: 'b', ov_id_main: 2, ov_id_backup: 0, priority: 1, revision: 4 },
    ])
  })
})
