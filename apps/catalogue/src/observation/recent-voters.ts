/** Which sources have spoken of which asset lately: one that is late for once still has its vote. */
export class RecentVoters {
  private readonly spokeAt = new Map<string, Map<string, number>>();

  constructor(private readonly windowMs: number) {}

  heard({ asset, source }: { asset: string; source: string }, nowMs: number): void {
    const sources = this.spokeAt.get(asset) ?? new Map<string, number>();
    this.spokeAt.set(asset, sources.set(source, nowMs));
  }

  /** How many have spoken of the asset; those that did too long ago are forgotten. */
  of(asset: string, nowMs: number): number {
    const sources = this.spokeAt.get(asset) ?? new Map<string, number>();
    for (const [source, at] of sources) if (nowMs - at > this.windowMs) sources.delete(source);
    return sources.size;
  }
}
