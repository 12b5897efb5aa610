import { documentApi } from '#contract/document/index.ts'
import { handbookOps } from '#contract/ops/handbook.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { type Finding, median, p99, print } from './report.ts'
import type { Stack } from './stack.ts'

const ARTICLES = 200
const SEARCHES = 60
/** One character, a word that every article has, several words, one that none has. */
const QUERIES = ['网', '私有网络', '编号117号', '终端 编号42号', '无此词']
const BUDGET = { searchMs: 50 } as const

/** Search over a handbook of 200 articles of 3,000 characters, through the whole Worker. */
export async function benchHandbook({ origin, operatorToken }: Stack): Promise<readonly Finding[]> {
  const paragraph = '分支、厂区和个人终端连成一张私有网络，设备按配置自动建立加密链路，并实时回报状态。'
  const articles = Array.from({ length: ARTICLES }, (_, i) => ({
    id: `a${i}`,
    path: `bench/a${i}.md`,
    title: `文章 ${i}`,
    markdown: `## 编号${i}号\n\n${paragraph.repeat(72)}`,
  }))
  const chapters = [{ id: 'bench', title: '性能', articles }]
  const input = { digest: 'b'.repeat(64), chapters, images: [] }
  await callEndpoint(origin, '/ops/v1', handbookOps.importHandbook, input, operatorToken)

  const times: number[] = []
  for (let at = 0; at < SEARCHES; at++) {
    const start = performance.now()
    await callEndpoint(origin, '/api/v1', documentApi.search, { q: QUERIES[at % QUERIES.length] ?? '' })
    times.push(performance.now() - start)
  }
  const findings: Finding[] = [
    { what: 'search, median', value: median(times), unit: 'ms', budget: BUDGET.searchMs },
    { what: 'search, p99', value: p99(times), unit: 'ms' },
  ]
  print(`Handbook of ${ARTICLES} articles`, findings)
  return findings
}
