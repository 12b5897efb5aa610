import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('wrangler.toml triggers exactly the crons that have a job', () => {
  const listed = /crons = \[(.*)\]/.exec(readFileSync('wrangler.toml', 'utf8'))?.[1]?.match(/"[^"]+"/g) ?? []
  const jobs = readFileSync('worker/jobs/jobs.ts', 'utf8')
  const used = [...jobs.matchAll(/cron: ([A-Z_]+)/g)].map(
    ([, name]) => new RegExp(`${name} = '([^']+)'`).exec(jobs)?.[1],
  )
  const crons = used.filter((cron) => cron !== '@start') // of a local start, not of the platform
  expect(listed.map((text) => text.slice(1, -1)).toSorted()).toEqual([...new Set(crons)].toSorted())
})
