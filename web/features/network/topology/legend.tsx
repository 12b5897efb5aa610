import { LINK_STATES, type LinkState } from '../../../../worker/contract/protocol.ts'
import { LINK_WORD, PRESENCE_WORD } from '../../../../worker/contract/states.ts'
import styles from './legend.module.css'

const STYLE: Readonly<Record<LinkState, string>> = {
  up: '绿色实线',
  down: '红色虚线',
  one_sided: '橙色实线',
  unknown: '灰色点线',
  never: '灰色疏点线',
}

interface LegendProps {
  /** Some edges stand for the links of a whole group. */
  readonly hasGroups: boolean
}

export function Legend({ hasGroups }: LegendProps) {
  return (
    <ul className={styles.legend} aria-label="图例">
      {LINK_STATES.map((state) => (
        <li key={state}>
          <Sample state={state} />
          链路{LINK_WORD[state]}（{STYLE[state]}）
        </li>
      ))}
      {hasGroups && (
        <li>
          <Sample state="mixed" />
          分组内部分链路异常（橙色点划线）
        </li>
      )}
      <li>成员边框：实线在线，虚线离线，切角{PRESENCE_WORD.flapping}，点线从未上线或已停用</li>
      <li className={styles.mouse}>Ctrl + 滚轮缩放，拖动平移</li>
      <li className={styles.touch}>双指缩放，拖动平移</li>
    </ul>
  )
}

function Sample({ state }: { readonly state: LinkState | 'mixed' }) {
  return (
    <svg width="36" height="8" aria-hidden="true">
      <path d="M2 4H34" className={`nl-edge nl-edge-${state}`} />
    </svg>
  )
}
