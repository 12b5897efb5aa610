import { ROUTE_CALLS } from '#contract/network/changes.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { readImpact } from '../api.ts'
import { type ImpactRequest, PARTIAL, routeText } from './impact-list.tsx'

/** Asks before a save that takes routes away. True: save; also if the impact cannot be computed, so the save says why. */
export async function confirmLostRoutes(request: ImpactRequest): Promise<boolean> {
  if (!ROUTE_CALLS.includes(request.call)) return true
  const impact = await readImpact(request)
  if (impact === null || impact.routes.lost === 0) return true
  const { lost } = impact.routes
  const named = impact.moved_routes.filter(({ effect }) => effect === 'lost').map(routeText)
  const isPrefix = request.call === 'edit_prefix'
  return confirm({
    title: `保存后${impact.routes_partial === 1 ? '至少' : ''} ${lost} 个网段将不再互通，是否继续？`,
    body: [
      '以下网段将从部分或全部成员不可达。',
      impact.routes_partial === 1 && `${PARTIAL}。`,
      isPrefix && '如需保留未列出的网段，请返回并添加“其余允许”。',
    ]
      .filter(Boolean)
      .join(''),
    items: lost > named.length ? [...named, `等 ${lost} 个`] : named,
    verb: '仍然保存',
    cancel: '返回修改',
    danger: true,
  })
}
