/** Injected into the page by charts.ts: the live socket of a router whose frames the measurement makes. */
{
  const RealSocket = globalThis.WebSocket
  let socket = null
  let seq = 1
  let time = Date.UTC(2026, 0, 15)
  let names = []
  let opened = null

  class RouterSocket {
    readyState = RealSocket.CONNECTING
    constructor() {
      socket = this
      setTimeout(() => {
        this.readyState = RealSocket.OPEN
        this.onopen()
        opened()
      })
    }
    send() {}
    close() {
      this.readyState = RealSocket.CLOSED
    }
  }
  globalThis.WebSocket = new Proxy(RealSocket, {
    construct: (Real, [url]) => (url.includes('/router/traffic') ? new RouterSocket() : new Real(url)),
  })

  const rate = (index) => {
    const wave = Math.sin(time / 7_000 + index)
    return { down: 6e6 + Math.round(4e6 * wave), upload: 3e6 - Math.round(2e6 * wave), time }
  }
  const send = () => {
    time += 1_000
    const data = Object.fromEntries(names.map((name, index) => [name, rate(index)]))
    socket.onmessage({ data: JSON.stringify({ code: 200, seq: ++seq, type: 'interface', data }) })
  }

  globalThis.bench = {
    opened: new Promise((resolve) => (opened = resolve)),

    /** One frame a second. */
    start(interfaces) {
      names = interfaces
      return setInterval(send, 1_000)
    },

    /** As many frames at once, with a drawn frame between some of them. */
    async flood(interfaces, count, atOnce) {
      names = interfaces
      for (let sent = 0; sent < count; sent += atOnce) {
        for (let i = 0; i < atOnce; i++) send()
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    },
  }
}
