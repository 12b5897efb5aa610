import { describe, expect, it } from 'vitest'
import { paths } from '#lib/paths.ts'
import { CLAIM_PAGE, readClaimHash } from '#lib/claim-link.ts'
import { readClaimLines, toLine } from '#pages/router/list/batch/claim-lines.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const CODE = 'ABCD-EFGH-JKLM'

describe('lines of devices to claim', () => {
  it('are read as tables, lists and links of boxes are pasted', async () => {
    const offenders = await findOffenders([
      [`NL22S033 ${CODE}`, 'NL22S033', CODE, ''],
      [`NL22S033\t${CODE}\t上海 徐汇店`, 'NL22S033', CODE, '上海 徐汇店'],
      [`NL22S033,abcdefghjklm,仓库`, 'NL22S033', 'abcdefghjklm', '仓库'],
      [`ＮＬ２２Ｓ０３３　${CODE}`, 'NL22S033', CODE, ''],
      [`S/N: NL-22-S033；ABCD EFGH JKLM；二楼`, 'NL-22-S033', 'ABCD EFGH JKLM', '二楼'],
      [`序列号：NL22S033 ${CODE}`, 'NL22S033', CODE, ''],
      [`https://console.example.cn/claim#NL22S033.${CODE}`, 'NL22S033', CODE, ''],
      ['NL22S033', 'NL22S033', '', ''],
      ['NL22S033 上海店', 'NL22S033', '', '上海店'],
      [`NL22S033 ${CODE}9`, 'NL22S033', '', `${CODE}9`],
    ] as const)((typed, serial, code, note) => expect(readClaimLines(typed)).toEqual([{ serial, code, note }]))
    expect(offenders).toEqual([])
  })

  it('skip blank ones, and of one serial all but the first', () => {
    const text = `\r\nNL1 ${CODE} 一\r\n\r\n  nl1 ${CODE} 二\nNL2 ${CODE}\n`
    expect(readClaimLines(text).map(toLine)).toEqual([`NL1 ${CODE} 一`, `NL2 ${CODE}`])
  })
})

describe('link on a box', () => {
  it.each([
    ['#NL22S033.ABCD-EFGH-JKLM', { serial: 'NL22S033', code: CODE }],
    ['#NL22S033', null],
    ['#.ABCD', null],
    ['#NL22S033.', null],
    ['#NL22S033.<img>', null],
    [`#${'N'.repeat(200)}.ABCD`, null],
    ['', null],
  ])('%s', (hash, claim) => expect(readClaimHash(hash)).toEqual(claim))

  it('leads to the page of the claim', () => expect(paths.routers({ claim: 1 })).toBe(CLAIM_PAGE))
})
