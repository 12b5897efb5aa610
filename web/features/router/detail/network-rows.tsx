import { Link } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { NO_NETWORK, type RouterInfo } from '../router-text.ts'
import styles from './network-rows.module.css'

/** List of the networks of a member. */
export function NetworkRows({ networks }: { readonly networks: RouterInfo['network'] }) {
  if (networks.length === 0) return <p className="nl-muted">{NO_NETWORK}</p>
  return (
    <ul className={`nl-lined ${styles.rows}`}>
      {networks.map(({ network_number, network_name, network_member_count, member_type }) => (
        <li key={network_number}>
          <Link
            className="nl-clip"
            to={paths.network(network_number)}
            state={withLinkedName(network_name)}
            title={network_name}
          >
            {network_name}
          </Link>
          <span className="nl-muted">
            {MEMBER_ROLE_NAME[member_type]} · {network_member_count} 个成员
          </span>
        </li>
      ))}
    </ul>
  )
}
