/** Calls at an even pace until `end`, whether or not those before were answered; what each of them answers. */
export async function callEvenly<T>(call: () => Promise<T>, everyMs: number, end: Promise<unknown>): Promise<T[]> {
  const ended = end.then(() => true)
  const waiting: Promise<T>[] = []
  for (let isOver = false; !isOver; isOver = await Promise.race([ended, pause(everyMs)])) waiting.push(call())
  return Promise.all(waiting)
}

const pause = (ms: number): Promise<false> => new Promise((done) => setTimeout(() => done(false), ms))
