/** Counts the sources that quoted each asset recently, so that one late source keeps its vote. */
export class RecentSources {
  private readonly seenAt = new Map<string, Map<string, number>>();

  constructor(private readonly windowMs: number) {}

  add({ asset, source }: { asset: string; source: string }, nowMs: number): void {
    const sources = this.seenAt.get(asset) ?? new Map<string, number>();
    this.seenAt.set(asset, sources.set(source, nowMs));
  }

  /** Counts the asset's sources within the window and drops older ones. */
  count(asset: string, nowMs: number): number {
    const sources = this.seenAt.get(asset) ?? new Map<string, number>();
    for (const [source, at] of sources) if (nowMs - at > this.windowMs) sources.delete(source);
    return sources.size;
  }
}
