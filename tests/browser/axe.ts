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

/** All rules; in the dark theme only the one that depends on it, since the elements are the same. */
const RULES = { light: '', dark: ', runOnly: ["color-contrast"]' } as const satisfies Record<Theme, string>

/** Violations that axe rates serious or critical. Transitions are finished first: they would blur the contrast. */
export async function findSerious(page: Page, theme: Theme): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE)
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
  })
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"]${RULES[theme]} })`,
  )) as AxeResult
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
}
