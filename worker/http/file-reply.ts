/* Answer with a file as its body: downloads, images, exports. */

export interface FileReply {
  readonly body: ReadableStream | ArrayBuffer | Uint8Array<ArrayBuffer> | string | null
  /** Media type, chosen by the server and never by the uploader. */
  readonly type: string
  readonly name: string
  /** True: the browser shows the file in place of saving it. */
  readonly inline?: boolean
  /** Lifetime in the caller's own cache; absent: no cache. */
  readonly maxAgeSeconds?: number
  /** True for a file that is the same for everybody: any cache may keep it. */
  readonly isPublic?: boolean
  /** ETag of a file that callers may read in parts. Answers 206 and 416 name the part in `contentRange`. */
  readonly etag?: string
  readonly status?: 200 | 206 | 304 | 416
  readonly contentRange?: string
}

/** Builds the answer. The name is sent as UTF-8 (RFC 6266); the content cannot run as a page of this host. */
export function fileResponse(file: FileReply): Response {
  const { body, type, name, inline = false, maxAgeSeconds, isPublic, etag, status = 200, contentRange } = file
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return new Response(body, {
    status,
    headers: {
      'content-type': type,
      'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      ...(maxAgeSeconds !== undefined && {
        'cache-control': `${isPublic ? 'public' : 'private'}, max-age=${maxAgeSeconds}`,
      }),
      ...(etag !== undefined && { etag, 'accept-ranges': 'bytes' }),
      ...(contentRange !== undefined && { 'content-range': contentRange }),
    },
  })
}
