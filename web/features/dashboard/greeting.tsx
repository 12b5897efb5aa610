import { useUser } from '#lib/session/session.ts'
import styles from './greeting.module.css'

/** Greeting of the person who is signed in (account 2). */
export function Greeting() {
  const { nickname, username, ram, user_phone, user_email } = useUser()
  return (
    <div className={styles.greeting}>
      <p>
        {nickname || username}
        {ram === 1 && <span className={styles.tag}>子账号</span>}
      </p>
      {user_phone !== '' && <span>{user_phone}</span>}
      {user_email !== '' && <span>{user_email}</span>}
    </div>
  )
}
