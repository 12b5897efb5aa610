import { describe, expect, it } from 'vitest'
import {
  SOURCE,
  commandFaults,
  deadAnchors,
  missingPaths,
  otherGaps,
  silentBlocks,
  unexplainedVariables,
  unknownFlags,
  unknownMarks,
  unknownNames,
  unknownWords,
  wrongRunbooks,
  wrongStatements,
  wrongStatusRows,
} from './checks.ts'
import { type Guide, applyDiff, parseGuide, readGuide } from './guide.ts'
import { VALUES } from './values.ts'

// The operator's guides against the code: whatever they name exists there, and a wrong word in them is found.

const guides = ['deploy.md', 'operate.md', 'china.md'].map(readGuide)
const textOf = (name: string) => guides.find((guide) => guide.name === name)?.text ?? ''

type Check = (of: readonly Guide[]) => readonly string[]
/** Quick ones first. A command with an unknown mark cannot be read. */
const CHECKS: readonly Check[] = [
  unknownMarks,
  otherGaps,
  (of) => commandFaults(of).faults,
  unknownFlags,
  unexplainedVariables,
  unknownWords,
  deadAnchors,
  missingPaths,
  silentBlocks,
  wrongStatements,
  (of) => wrongRunbooks(of[1]?.text ?? ''),
  (of) => wrongStatusRows(of[1]?.text ?? ''),
  unknownNames,
]
const isWrong = (of: readonly Guide[]): boolean => CHECKS.some((check) => check(of).length > 0)

describe('deploy.md, operate.md and china.md', () => {
  it('name nothing that the code does not have', () => {
    expect(CHECKS.flatMap((check) => check(guides))).toEqual([])
    expect(commandFaults(guides).count).toBeGreaterThan(150)
  })
  it('use each of their marks, and the tests have a value for each', () => {
    const all = guides.flatMap(({ marks }) => [...marks.keys()])
    const text = guides.map((guide) => guide.text).join('\n')
    expect(all.filter((mark) => text.split(`<${mark}>`).length < 3)).toEqual([])
    expect(all.toSorted()).toEqual(Object.keys(VALUES).toSorted())
  })
  it('are named by the code with the right step', () => {
    const steps = [...SOURCE.matchAll(/infra\/docs\/deploy\.md, step (\d+)/g)].map(([, step = '']) => step)
    const titles = steps.map((step) => guides[0]?.headings.find((title) => title.startsWith(`${step}. `)))
    expect(titles).toEqual(['5. Addresses and settings', '4. Files', '7. Secrets'])
  })
})

/** Mistakes in a guide: its words, and the wrong ones. */
const MISTAKES: readonly (readonly [guide: string, words: string, wrong: string])[] = [
  ['deploy.md', 'd1 create netloom-<ENV> --location', 'd1 create netloom-<ENV> --place'],
  ['deploy.md', 'npx wrangler r2 bucket create', 'npx wrangler r2 buckets create'],
  ['deploy.md', '--secrets-file ~/netloom/<ENV>.env --dry-run', '--secret-file ~/netloom/<ENV>.env --dry-run'],
  ['deploy.md', 'npm run ops -- provider-status', 'npm run ops -- provider-state'],
  ['deploy.md', '--kind network_member', '--kind router'],
  ['deploy.md', '--panel command', '--panel shell'],
  ['deploy.md', '--lan-port <LAN>', '--lan-device <LAN>'],
  ['deploy.md', 'npm run ops -- self-test', 'npm run operate -- self-test'],
  ['deploy.md', '--origin https://<PREFIX>console.<ZONE>', '--origin https://<CONSOLE>'],
  ['deploy.md', '--origin https://<PREFIX>console.<ZONE>', '--origin https://console.example.com'],
  ['deploy.md', '| `CAPTCHA_MODE` |', '| `CAPTCHA_KIND` |'],
  ['deploy.md', '`LIMIT_PROOF`', '`LIMIT_WORK`'],
  ['deploy.md', 'Put this into `infra/hosts.json`', 'Put this into `infra/brands.json`'],
  ['deploy.md', '(#7-secrets)', '(#7-keys)'],
  ['deploy.md', '重连中 at most', '断线中 at most'],
  ['operate.md', 'npx wrangler secret bulk ~', 'npx wrangler secrets bulk ~'],
  ['operate.md', '--sort-by reads', '--sort reads'],
  ['operate.md', '`member disable --account', '`member block --account'],
  ['operate.md', '`account-erase --account <ACCOUNT>`', '`account-erase --name <ACCOUNT>`'],
  ['operate.md', 'from hub_outbox', 'from outbox_rows'],
  ['operate.md', 'order by tries desc', 'order by attempts desc'],
  ['operate.md', '### Queue stuck', '### Queues'],
  ['operate.md', '| 150 s ago | 330 s ago |', '| 150 s ago | 300 s ago |'],
  ['operate.md', '30 % less | [fleet gone](#fleet-gone)', '30 % less | [release bad](#release-bad)'],
  ['operate.md', '**Over** when a whole day', 'Over when a whole day'],
  ['operate.md', 'On the device; the old program', 'Then; the old program'],
  ['china.md', 'deploy.md#a-libsql-server', 'deploy.md#libsql'],
  ['china.md', '`infra/local/runtime.ts`', '`infra/local/machine.ts`'],
]

describe('a mistake in a guide is found', () => {
  it.each(MISTAKES)('%s: %s → %s', (name, words, wrong) => {
    expect(textOf(name)).toContain(words)
    const mistaken = guides.map((guide) =>
      guide.name === name ? parseGuide(name, guide.text.replaceAll(words, wrong)) : guide,
    )
    expect(isWrong(mistaken)).toBe(true)
  })
})

describe('a change of a file', () => {
  const file = 'a = 1\nb = 2\n[t]\nc = 3\n'
  it('takes and puts lines where its other lines stand', () => {
    expect(applyDiff(file, ' a = 1\n-b = 2\n+b = 4\n+d = 5')).toBe('a = 1\nb = 4\nd = 5\n[t]\nc = 3\n')
    expect(applyDiff(file, '+x = 0\n a = 1')).toBe(`x = 0\n${file}`)
  })
  it('is none where they stand elsewhere, or twice', () => {
    expect(() => applyDiff(file, ' a = 2\n+d = 5')).toThrow('0 times')
    expect(() => applyDiff(`${file}${file}`, ' a = 1\n+d = 5')).toThrow('2 times')
  })
})
