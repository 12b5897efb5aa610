import { ACCOUNT_RULES } from './document-3/accounts.ts'
import { ANSWER_RULES } from './document-3/answers.ts'
import { LDAP_RULES } from './document-3/ldap.ts'
import { PAGE_RULES } from './document-3/pages.ts'
import { SAAS_RULES } from './document-3/saas.ts'

export const RULES = [...LDAP_RULES, ...ACCOUNT_RULES, ...SAAS_RULES, ...PAGE_RULES, ...ANSWER_RULES]

/** Sentences of sections 2, 4, 5 and 8 that texts.ts lists under another document, which names them as well. */
export const ALSO_NAMED: readonly string[] = [
  '404 Page Not Found',
  '是否一键移除禁用成员?',
  '已导入',
  '请输入账号',
  '导出成功',
  '是否确定删除?',
  '获取数据异常，请稍候尝试',
  '系统响应超时,请稍候尝试',
  '登录已过期，请重新登录!',
  '删除成功',
  '取消成功',
  '修改成功',
  '保存成功',
  '设置成功',
  '启动成功',
  '关闭成功',
  '复制成功',
  '暂无数据',
  '好像没有什么东西哦！',
]

/** Those that a page says without the server. */
export const OF_PAGES: readonly string[] = [
  '404 Page Not Found',
  '修改带宽',
  '是否一键移除禁用成员?',
  '是否关闭LDAP接入功能',
  '是否确定删除?',
  '获取数据异常，请稍候尝试',
  '系统响应超时,请稍候尝试',
  '复制成功',
  '暂无数据',
  '好像没有什么东西哦！',
]
