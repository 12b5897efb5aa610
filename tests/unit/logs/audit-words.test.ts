import { describe, expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { actionWord, moduleWord } from '#domain/logs/audit-words.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const writes = API.filter(({ method, access }) => method === 'POST' && access !== 'public' && access !== 'client')

describe('directory 2 · names of modules and actions in the audit', () => {
  it('every module that is written to has one', () => {
    const modules = [...new Set(writes.map(({ path }) => path.split('/')[0] ?? ''))]
    expect(modules.length).toBeGreaterThan(8)
    expect(modules.filter((module) => moduleWord(module) === module)).toEqual([])
  })
  it('each action has its word', async () => {
    const offenders = await findOffenders([
      ['create', '添加'],
      ['batch_add_member', '添加'],
      ['ticket', '添加'],
      ['delete', '删除'],
      ['batch_delete_file', '删除'],
      ['remove_member', '删除'],
      ['ticket_cancel', '取消'],
      ['sign_in', '登录'],
      ['end_other_sessions', '退出'],
      ['export', '导出'],
      ['upload_file', '上传'],
      ['re_send_config', '发送'],
      ['edit_prefix', '修改'],
      ['address', '修改'],
      ['unknown', '修改'],
    ])((action, words) => expect(actionWord(action)).toBe(words))
    expect(offenders).toEqual([])
  })
})
