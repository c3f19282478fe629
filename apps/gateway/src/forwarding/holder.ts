/** Organisation, and visitor with its publishable keys or links, that uses a part of a service. */
export interface Holder {
  /** Empty for providers. */
  readonly organisation: string;
  /** Null with a secret key. */
  readonly visitor: string | null;
}

/** Names who is charged: all but secret keys are in the public's hands, so that each visitor has a share. */
export const holderOf = (
  { kind, orgId }: { kind: string; orgId: string },
  visitor: string,
): Holder => ({ organisation: orgId, visitor: kind === 'secret' ? null : visitor });

/** Counts by organisation and visitor; those without any take no memory. */
export class HolderTally {
  total = 0;
  private readonly counts = new Map<string, number>();

  ofOrganisation({ organisation }: Holder): number {
    return this.counts.get(organisation) ?? 0;
  }

  /** Below every visitor for secret keys, so that no number of visitors comes before them. */
  ofVisitor(holder: Holder): number {
    return holder.visitor === null ? -1 : (this.counts.get(visitorKey(holder)) ?? 0);
  }

  add(holder: Holder, amount = 1): void {
    this.change(holder, amount);
  }

  remove(holder: Holder, amount = 1): void {
    this.change(holder, -amount);
  }

  private change(holder: Holder, by: number): void {
    this.total += by;
    const keys = [holder.organisation, ...(holder.visitor === null ? [] : [visitorKey(holder)])];
    for (const key of keys) {
      const left = (this.counts.get(key) ?? 0) + by;
      if (left === 0) this.counts.delete(key);
      else this.counts.set(key, left);
    }
  }
}

const visitorKey = ({ organisation, visitor }: Holder): string => `${organisation} ${visitor}`;
