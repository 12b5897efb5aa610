import { HEALTH } from '#contract/kernel/hub-limits.ts'

/* Finds the smallest causes of symptoms: objects that explain most of what they could cause. */

export interface Symptom {
  readonly since: number | null
}

/** Kinds of candidates. Of equal explanations the earlier kind is preferred; a network or account has parts. */
const KINDS = ['center', 'pop', 'point', 'site', 'network', 'account'] as const
type CandidateKind = (typeof KINDS)[number]

export interface Candidate<S extends Symptom> {
  readonly id: string
  readonly kind: CandidateKind
  readonly symptoms: readonly S[]
  /** Number of symptoms that the object could cause, including the present ones. */
  readonly possible: number
}

interface Cause<S extends Symptom, C extends Candidate<S>> {
  readonly candidate: C
  /** Candidates that explain the same. */
  readonly equals: readonly C[]
  readonly symptoms: readonly S[]
}

interface Explanation<S extends Symptom, C extends Candidate<S>> {
  readonly causes: readonly Cause<S, C>[]
  readonly rest: readonly S[]
}

/**
 * Explains symptoms by as few causes as possible. A candidate counts from three symptoms and 60 % of its possible ones; those
 * that another cause explains say nothing about it. What no candidate explains is `rest`.
 */
export function explain<S extends Symptom, C extends Candidate<S>>(
  symptoms: readonly S[],
  candidates: readonly C[],
): Explanation<S, C> {
  const likely = candidates.filter((one) => isLikely(one.symptoms.length, one))
  let found = cover(symptoms, [likely])
  const tryFrom = (stages: readonly (readonly C[])[]) => {
    const other = cover(symptoms, stages)
    if (isSmaller(other, found)) found = other
  }
  // A point with links to several dead centres may explain more than one of them does.
  if (found.causes.some(({ candidate }) => candidate.kind === 'point')) tryFrom([likely.filter(isHub), likely])
  // Its parts may explain a network and more, where a centre of it would be taken before them.
  if (found.causes.some(({ candidate }) => isWhole(candidate)))
    tryFrom([likely.filter((one) => !isHub(one) && !isWhole(one)), likely])
  for (const { candidate } of found.causes) {
    const kept = found.causes.filter(({ candidate: one }) => isWhole(one)).map((cause) => cause.candidate)
    tryFrom([likely.filter((one) => one !== candidate && (!isWhole(one) || kept.includes(one)))])
  }
  return found
}

const isHub = ({ kind }: Candidate<Symptom>): boolean => kind === 'center' || kind === 'pop'

/** True for a candidate that consists of others. */
const isWhole = ({ kind }: Candidate<Symptom>): boolean => kind === 'network' || kind === 'account'

type Explained = Explanation<Symptom, Candidate<Symptom>>

/**
 * Fewer rows, and symptoms that a cause should have and has not: each is as much against it as a row. Then fewer rows, then
 * fewer networks and accounts.
 */
function isSmaller(a: Explained, b: Explained): boolean {
  const weigh = ({ causes, rest }: Explained) => {
    const rows = causes.length + rest.length
    const misses = causes.reduce((sum, { candidate }) => sum + missesOf(candidate), 0)
    return [rows + misses, rows, causes.filter(({ candidate }) => isWhole(candidate)).length]
  }
  const others = weigh(b)
  const difference = weigh(a)
    .map((weight, n) => weight - (others[n] ?? 0))
    .find((one) => one !== 0)
  return difference !== undefined && difference < 0
}

/** `count`: symptoms of the candidate that are not explained yet. */
function isLikely(count: number, { symptoms, possible }: Candidate<Symptom>): boolean {
  const explained = symptoms.length - count
  return count >= HEALTH.causeSymptoms && count * 100 >= (possible - explained) * HEALTH.causePercent
}

const missesOf = ({ symptoms, possible }: Candidate<Symptom>): number => possible - symptoms.length

/** Takes the candidate with the highest gain until none is likely, stage by stage. */
function cover<S extends Symptom, C extends Candidate<S>>(
  symptoms: readonly S[],
  stages: readonly (readonly C[])[],
): Explanation<S, C> {
  const open = new Set(symptoms)
  const causes: Cause<S, C>[] = []
  for (const candidates of stages) {
    let best = findBest(candidates, open)
    while (best !== null && causes.length < HEALTH.causesMax) {
      for (const candidate of findParts(best, candidates, open) ?? [best]) {
        const own = listOpen(candidate, open)
        const equals = candidates.filter((one) => one !== candidate && isEqual(one, candidate))
        causes.push({ candidate, equals, symptoms: own })
        for (const symptom of own) open.delete(symptom)
      }
      best = findBest(candidates, open)
    }
  }
  return { causes, rest: [...open] }
}

const listOpen = <S extends Symptom>({ symptoms }: Candidate<S>, open: ReadonlySet<S>): readonly S[] =>
  symptoms.filter((symptom) => open.has(symptom))

/** The likely candidate with the highest gain; `within`: the symptoms that count for it. */
function findBest<S extends Symptom, C extends Candidate<S>>(
  candidates: readonly C[],
  open: ReadonlySet<S>,
  within = open,
): C | null {
  let best: { readonly candidate: C; readonly gain: number } | null = null
  for (const candidate of candidates) {
    const own = listOpen(candidate, open)
    const count = within === open ? own.length : own.filter((symptom) => within.has(symptom)).length
    if (count === 0 || !isLikely(own.length, candidate)) continue
    const gain = count - missesOf(candidate)
    if (best === null || gain > best.gain || (gain === best.gain && isPreferred(candidate, best.candidate)))
      best = { candidate, gain }
  }
  return best?.candidate ?? null
}

const isPreferred = (a: Candidate<Symptom>, b: Candidate<Symptom>): boolean =>
  missesOf(a) < missesOf(b) || (missesOf(a) === missesOf(b) && KINDS.indexOf(a.kind) < KINDS.indexOf(b.kind))

function isEqual<S extends Symptom>(a: Candidate<S>, b: Candidate<S>): boolean {
  if (missesOf(a) !== missesOf(b) || a.symptoms.length !== b.symptoms.length) return false
  const others = new Set(b.symptoms)
  return a.symptoms.every((symptom) => others.has(symptom))
}

/** The most objects of a network, other than its centres and POP nodes, that are named instead of it. */
const PARTS_MAX = 3

/**
 * Parts that explain all of a network: its centres and POP nodes if they do as well as it does, other objects if they are
 * few and do better. Null without them.
 */
function findParts<S extends Symptom, C extends Candidate<S>>(
  whole: C,
  candidates: readonly C[],
  open: ReadonlySet<S>,
): readonly C[] | null {
  if (whole.kind !== 'network') return null
  const hubs = coverAll(whole, candidates.filter(isHub), open, HEALTH.causesMax)
  const limit = Math.min(missesOf(whole), hubs?.misses ?? Infinity)
  const objects = limit === 0 ? [] : candidates.filter((one) => !isWhole(one))
  const others = coverAll(whole, objects, open, PARTS_MAX)
  if (others !== null && others.misses < limit) return others.parts
  return hubs !== null && hubs.misses <= missesOf(whole) ? hubs.parts : null
}

function coverAll<S extends Symptom, C extends Candidate<S>>(
  whole: C,
  candidates: readonly C[],
  open: ReadonlySet<S>,
  partsMax: number,
) {
  const [left, rest] = [new Set(listOpen(whole, open)), new Set(open)]
  const parts: C[] = []
  while (left.size > 0) {
    const best = findBest(candidates, rest, left)
    if (best === null || parts.length === partsMax) return null
    parts.push(best)
    for (const symptom of best.symptoms) for (const set of [left, rest]) set.delete(symptom)
  }
  return { parts, misses: parts.reduce((sum, part) => sum + missesOf(part), 0) }
}

/** The most symptoms that began within `windowMs` of one another. */
export function longestBurst<S extends Symptom>(symptoms: readonly S[], windowMs: number): readonly S[] {
  const dated = symptoms
    .flatMap((symptom) => (symptom.since === null ? [] : [{ symptom, at: symptom.since }]))
    .toSorted((a, b) => a.at - b.at)
  let [first, best] = [0, { from: 0, count: 0 }]
  for (const [last, { at }] of dated.entries()) {
    while (at - (dated[first]?.at ?? at) > windowMs) first += 1
    if (last - first + 1 > best.count) best = { from: first, count: last - first + 1 }
  }
  return dated.slice(best.from, best.from + best.count).map(({ symptom }) => symptom)
}

/** Symptoms of one object that began together, with its name, the largest group first. `namesOf`: objects at a symptom. */
export function explainBursts<S extends Symptom>(symptoms: readonly S[], namesOf: (symptom: S) => readonly string[]) {
  const bursts: { readonly name: string; readonly symptoms: readonly S[] }[] = []
  let rest = symptoms
  while (bursts.length < HEALTH.causesMax) {
    let largest: (typeof bursts)[number] = { name: '', symptoms: [] }
    for (const [name, own] of groupByName(rest, namesOf)) {
      if (own.length <= largest.symptoms.length) continue
      const burst = longestBurst(own, HEALTH.togetherMs)
      if (burst.length > largest.symptoms.length) largest = { name, symptoms: burst }
    }
    if (largest.symptoms.length < HEALTH.causeSymptoms) break
    bursts.push(largest)
    const explained = new Set(largest.symptoms)
    rest = rest.filter((symptom) => !explained.has(symptom))
  }
  return { bursts, rest }
}

export function groupByName<S>(
  items: readonly S[],
  namesOf: (item: S) => readonly string[],
): ReadonlyMap<string, readonly S[]> {
  const groups = new Map<string, S[]>()
  for (const item of items)
    for (const name of namesOf(item)) {
      const known = groups.get(name)
      if (known) known.push(item)
      else groups.set(name, [item])
    }
  return groups
}
