import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Theme } from './browser-harness.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
  }[]
}

/** All rules, with the one of WCAG 2.2 that axe leaves out; in dark only what depends on colours: the elements are the same. */
const RULES = {
  light: ', rules: { "target-size": { enabled: true } }',
  dark: ', runOnly: ["color-contrast"]',
} as const satisfies Record<Theme, string>

const REFUSED = ['moderate', 'serious', 'critical']

/** An open menu floats beside the landmarks, as a dialog does. */
const isFloating = (id: string, target: readonly string[]): boolean => id === 'region' && target[0] === '.semi-portal'

/**
 * Violations that axe rates moderate or worse. Transitions are finished first: they would blur the contrast. Rows that are read
 * again take no click meanwhile and are dimmed: WCAG 1.4.3 asks no contrast of inactive parts.
 */
export async function findViolations(page: Page, theme: Theme): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE)
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
  const { violations } = (await page.evaluate(
    `axe.run({ exclude: [".nl-dimmed"] }, { resultTypes: ["violations"]${RULES[theme]} })`,
  )) as AxeResult
  return violations
    .filter(({ impact }) => REFUSED.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ target }) => !isFloating(id, target))
        .map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
    )
}
