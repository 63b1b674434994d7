// Places that strategies have given away and nobody has taken yet: a request counts as under way at the connection it is
// meant for from the moment it is decided, not only when the call begins (docs/resilience.md, "Strategies: quota-weighted").
// In memory only; one that is never taken is free again after its time.

export interface PromisedPlace {
  readonly connectionId: string
  /** Wall-clock milliseconds. */
  readonly until: number
}

export class PromisedPlaces {
  private readonly places = new Map<string, PromisedPlace[]>()

  promise(connectionId: string, until: number): PromisedPlace {
    const place = { connectionId, until }
    this.places.set(connectionId, [...(this.places.get(connectionId) ?? []), place])
    return place
  }

  count(connectionId: string, now: number): number {
    const places = this.places.get(connectionId)
    return places === undefined ? 0 : places.filter(({ until }) => until > now).length
  }

  /** A call has begun: from now on it is counted itself. */
  taken(connectionId: string): void {
    const first = this.places.get(connectionId)?.[0]
    if (first !== undefined) this.giveBack(first)
  }

  /** Harmless where it was taken. */
  giveBack(place: PromisedPlace): void {
    const left = (this.places.get(place.connectionId) ?? []).filter((each) => each !== place)
    if (left.length === 0) this.places.delete(place.connectionId)
    else this.places.set(place.connectionId, left)
  }
}

/** The one place that a request holds, if any. */
export class OwnPlace {
  private place: PromisedPlace | null = null

  constructor(private readonly places: PromisedPlaces) {}

  /** @param ms null: nothing is reserved */
  hold(connectionId: string | null, ms: number | null, now: number): void {
    this.giveBack()
    if (connectionId !== null && ms !== null) this.place = this.places.promise(connectionId, now + ms)
  }

  giveBack(): void {
    if (this.place !== null) this.places.giveBack(this.place)
    this.place = null
  }
}
