import { LINK_STATES, type LinkState } from '../../../../durable/protocol.ts'
import { LINK_WORD, PRESENCE_WORD } from '../../../../worker/contract/states.ts'

const STYLE: Readonly<Record<LinkState, string>> = {
  up: '绿色实线',
  down: '红色虚线',
  one_sided: '橙色实线',
  unknown: '灰色点线',
}

export function Legend() {
  return (
    <ul className="nl-legend" aria-label="图例">
      {LINK_STATES.map((state) => (
        <li key={state}>
          <svg width="36" height="8" aria-hidden="true">
            <path d="M2 4H34" className={`nl-wire nl-wire-${state}`} />
          </svg>
          链路{LINK_WORD[state]}（{STYLE[state]}）
        </li>
      ))}
      <li>成员边框：实线在线，虚线离线，切角{PRESENCE_WORD.flapping}，点线从未上线或已停用</li>
      <li>Ctrl + 滚轮缩放，拖动平移</li>
    </ul>
  )
}
