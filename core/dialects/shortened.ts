// Names and ids on their way to an API that takes only so many characters.

/** Too long a name keeps its beginning and gets a mark of the whole; the same name always becomes the same. */
export function shortened(name: string, length: number): string {
  if (name.length <= length) return name
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  const mark = `_${(hash >>> 0).toString(36)}`
  return name.slice(0, length - mark.length) + mark
}

/** The name, shortened where it is too long and numbered where `isTaken` says that another has it. */
export function freeName(wanted: string, length: number, isTaken: (name: string) => boolean): string {
  let name = shortened(wanted, length)
  for (let count = 2; isTaken(name); count++) name = shortened(`${wanted}_${count}`, length)
  return name
}
