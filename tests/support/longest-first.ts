import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that end last wherever they start, in this order: a fresh checkout knows no durations, and would start the largest
 * files first. Those that mostly wait for leases stand before those that keep a core busy.
 */
const LONGEST = [
  'durable/isolation',
  'api/verify/same-answer',
  'api/login/same-answer',
  'durable/brands',
  'durable/convergence',
  'durable/alert-failures',
  'durable/isolation-networks',
  'browser/agreement',
  'browser/agent-faults',
  'browser/layout',
  'browser/account',
  'browser/topology',
  'browser/kit',
  'browser/hostile-replies',
  'browser/identity',
  'browser/restart',
  'browser/network-settings',
  'browser/roles',
  'browser/start',
  'browser/alerts',
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const found = LONGEST.findIndex((name) => moduleId.endsWith(`/tests/${name}.test.ts`))
  return found === -1 ? LONGEST.length : found
}

/** The longest files of each project first; projects stay together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((of) =>
      sorted.filter(({ project }) => project === of).toSorted((a, b) => rankOf(a) - rankOf(b)),
    )
  }
}
