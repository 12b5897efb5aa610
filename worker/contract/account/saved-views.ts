import * as z from 'zod'
import { read, write } from '#contract/kernel/endpoint.ts'
import { displayText, lengthText } from '#contract/kernel/fields.ts'
import { SAVED_VIEW } from './limits.ts'

/* Endpoints of the views of lists that a person has saved: filter, order and columns under a name. */

const savedView = {
  /** List of members (/router/lists) or of networks (/network/lists). */
  list: z.enum(['router', 'network']),
  name: displayText.min(1, '请输入视图名称').max(SAVED_VIEW.nameMax, lengthText('视图名称', SAVED_VIEW.nameMax)),
  /** Query of the address that shows the view, without `?` and page. */
  query: z
    .string()
    .max(SAVED_VIEW.queryMax, '筛选条件过长，请缩短搜索内容')
    .regex(/^[\w.~*+%&=-]*$/, '筛选条件无效，请刷新页面后重试'),
}
const id = z.int('请选择视图').positive('请选择视图')

export const savedViews = {
  views: read('account/views', 'session', {
    reads: 'near',
    summary: 'Saved views of the caller, by name',
    output: z.array(z.object({ id, ...savedView })),
  }),
  saveView: write('account/save_view', 'session', {
    summary: 'Save a view; one of the same name is replaced',
    input: z.object(savedView),
    done: 'saved',
    refreshes: ['account/views'],
    example: { list: 'router', name: '华东离线', query: 'search=%E5%8D%8E%E4%B8%9C&state=offline' },
  }),
  deleteView: write('account/delete_view', 'session', {
    summary: 'Delete a saved view of the caller',
    input: z.object({ id }),
    done: 'deleted',
    refreshes: ['account/views'],
    example: { id: 1 },
  }),
} as const
