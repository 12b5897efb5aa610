import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { API } from '#contract/api.ts'
import { type Endpoint, doneSentence } from '#contract/kernel/endpoint.ts'
import { batchSentence } from '#contract/kernel/result.ts'
import { ldapApi } from '#contract/ldap/index.ts'
import { routerApi } from '#contract/router/index.ts'

/** Fields of an answer that count a batch or list its results. */
const COUNTED = ['done', 'left', 'deleted', 'restored', 'skipped', 'result']

/** Calls on a file answer with a sentence of their own in `data.msg`. */
const ofFiles: readonly string[] = [routerApi.batch.path, routerApi.batchDeleteFile.path]

const outputFields = ({ output }: Endpoint): readonly string[] =>
  output instanceof z.ZodObject ? Object.keys(output.shape as object) : []

const NOTHING = { added: 0, changed: 0, disabled: 0, enabled: 0, conflicts: 0, removable: 0, outside: 0, reason: '' }
const applied = (counts: object) => ({ ...NOTHING, result: [], ...counts })
const named = (ok: number, failed: number) => ({
  result: [...Array<1>(ok).fill(1), ...Array<0>(failed).fill(0)].map((one) => ({ uuid: 'u', ok: one, msg: '' })),
})

describe('success sentence of a batch', () => {
  it('is chosen by its counts: all, some, none, nothing there', () => {
    const sentences = [
      { done: 3, left: 0 },
      { done: 2, left: 1 },
      { done: 0, left: 3 },
      { done: 0, left: 0 },
    ].map((counts) => batchSentence('imported', { ...counts, noun: '用户' }))
    expect(sentences).toEqual(['导入成功', '成功导入2个用户，失败1个', '未导入任何用户', '没有可导入的用户'])
  })

  it('every call that counts what it did has its counts in the contract', () => {
    const plain = API.filter(({ done }) => done !== undefined)
      .filter((spec) => outputFields(spec).some((field) => COUNTED.includes(field)))
      .filter(({ counts }) => counts === undefined)
    expect(plain.map(({ path }) => path)).toEqual([])
    expect(API.filter(({ counts }) => counts !== undefined).length).toBeGreaterThan(10)
  })

  it('a call without a sentence of the envelope is one on a file', () => {
    const silent = API.filter((spec) => spec.done === undefined && outputFields(spec).includes('result'))
    expect(silent.map(({ path }) => path)).toEqual(ofFiles)
  })

  it.each([
    ['import', ldapApi.import, applied({ added: 2, conflicts: 9, ...named(2, 0) }), '导入成功'],
    ['import', ldapApi.import, applied({ added: 1, ...named(1, 1) }), '成功导入1个用户，失败1个'],
    ['import of an unknown user', ldapApi.import, applied(named(0, 1)), '未导入任何用户'],
    ['import of all', ldapApi.importAll, applied({ added: 5, conflicts: 2 }), '成功导入5个用户，失败2个'],
    ['removal of an enabled user', ldapApi.remove, applied(named(0, 1)), '未删除任何成员'],
    ['removal of all', ldapApi.removeAll, applied({ removable: 4 }), '删除成功'],
    ['removal of all, of nobody', ldapApi.removeDisable, applied({}), '没有可删除的成员'],
    ['synchronisation', ldapApi.sync, applied({ disabled: 1, conflicts: 3 }), '同步完成'],
  ] as const)('of the directory: %s', (_, spec, data, sentence) => {
    expect(doneSentence(spec as Endpoint, data, {})).toBe(sentence)
  })
})
