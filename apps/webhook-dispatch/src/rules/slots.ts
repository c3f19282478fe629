export interface SlotLimits {
  total: number;
  perWebhook: number;
  perHost: number;
  perOrganisation: number;
}

/** User of a slot. */
export interface SlotUser {
  webhookId: string;
  host: string;
  orgId: string;
}

/** Deliveries in flight in this process, by user. */
export class Slots {
  private readonly taken = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: SlotLimits) {}

  get free(): number {
    return this.limits.total - this.total;
  }

  freeFor(user: SlotUser): number {
    const { perWebhook, perHost, perOrganisation } = this.limits;
    return Math.min(
      this.free,
      perWebhook - this.count(`webhook ${user.webhookId}`),
      perHost - this.count(`host ${user.host}`),
      perOrganisation - this.count(`organisation ${user.orgId}`),
    );
  }

  takenBy(orgId: string): number {
    return this.count(`organisation ${orgId}`);
  }

  take(user: SlotUser): void {
    this.add(user, 1);
  }

  release(user: SlotUser): void {
    this.add(user, -1);
  }

  copy(): Slots {
    const copy = new Slots(this.limits);
    for (const [name, count] of this.taken) copy.taken.set(name, count);
    copy.total = this.total;
    return copy;
  }

  private count(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private add({ webhookId, host, orgId }: SlotUser, change: 1 | -1): void {
    this.total += change;
    for (const name of [`webhook ${webhookId}`, `host ${host}`, `organisation ${orgId}`]) {
      const count = this.count(name) + change;
      if (count === 0) this.taken.delete(name);
      else this.taken.set(name, count);
    }
  }
}
