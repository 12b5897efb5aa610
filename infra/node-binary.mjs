/** Platforms whose Node the lock file carries (optionalDependencies of package.json). */
const LOCKED = ['linux x64', 'linux arm64']

/** The Node of the lock file; where none was installed, the caller's own, if it is new enough. Else what to do. */
export function chooseNode({ locked, own, version, platform, arch }, major) {
  if (locked !== null) return { path: locked }
  if (Number(version.slice(1).split('.')[0]) >= major) return { path: own }
  const here = `${platform} ${arch}`
  const problem = LOCKED.includes(here)
    ? `Node ${major} was not installed with the other packages: delete node_modules and run this again`
    : `npm has no locked Node ${major} for ${here}: install Node ${major} or newer from https://nodejs.org and run this again`
  return { problem: `${problem}. This is Node ${version}.` }
}
