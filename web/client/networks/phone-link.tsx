import { useCallback, useEffect, useState } from 'react'
import { linkProfile } from '../api.ts'
import { useRead } from '../use-task.ts'

/** QR code of a link that gives the file once; it is drawn here, and no service sees it. */
export function PhoneLink({ profileId }: { readonly profileId: number }) {
  const { data, failure, reload } = useRead(
    useCallback(async () => {
      const [{ url, expires_in }, { renderSVG }] = await Promise.all([linkProfile(profileId), import('uqr')])
      const svg = renderSVG(url, { ecc: 'M', border: 4 })
      return { url, picture: `data:image/svg+xml,${encodeURIComponent(svg)}`, endsAt: Date.now() + expires_in * 1_000 }
    }, [profileId]),
  )
  const isOver = useIsPast(data?.endsAt ?? null)
  if (failure !== null || isOver)
    return (
      <p role="alert">
        {failure?.message ?? '链接已失效。'}{' '}
        <button type="button" onClick={reload}>
          重新生成
        </button>
      </p>
    )
  if (data === null) return <p role="status">正在生成…</p>
  return (
    <figure>
      <img src={data.picture} alt="下载链接的二维码" width={200} height={200} />
      <figcaption>
        用手机扫码下载，5 分钟内有效，只能使用一次。
        <br />
        <a className="link" href={data.url} target="_blank" rel="noreferrer">
          在本机打开链接
        </a>
      </figcaption>
    </figure>
  )
}

function useIsPast(endsAt: number | null): boolean {
  const [pastEnd, setPastEnd] = useState<number | null>(null)
  useEffect(() => {
    if (endsAt === null) return
    const timer = setTimeout(() => setPastEnd(endsAt), Math.max(0, endsAt - Date.now()))
    return () => clearTimeout(timer)
  }, [endsAt])
  return endsAt !== null && pastEnd === endsAt
}
